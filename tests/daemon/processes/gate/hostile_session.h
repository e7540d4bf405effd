#pragma once

/* What a session, in its confined process, does when an attacker controls it. */
enum {
    HOSTILE_SESSION_REWIND = 'r', /* rewind standard input, output and error, and overwrite them */
    HOSTILE_SESSION_FORGE = 'f',  /* write log lines in the name of other processes */
    HOSTILE_SESSION_FLOOD = 'w',  /* write log lines for as long as somebody reads them */
    HOSTILE_SESSION_SPIN = 's'    /* disarm the watchdog and never return */
};

/* Carries out the action that the letter stands for, and returns the result as text. */
const char *hostile_session_act(char action);
