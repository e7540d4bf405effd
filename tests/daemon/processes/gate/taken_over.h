#pragma once

/* What a session does in its confined process when an attacker controls it. */
enum {
    TAKEN_OVER_REWIND = 'r', /* rewind standard input, output and error, and overwrite them */
    TAKEN_OVER_FORGE = 'f',  /* write log lines in the name of other processes */
    TAKEN_OVER_FLOOD = 'w',  /* write log lines as long as somebody reads them */
    TAKEN_OVER_SPIN = 's'    /* disarm the watchdog and never return */
};

/* Does what the letter stands for, and returns the result as text. */
const char *taken_over_carry_out(char action);
