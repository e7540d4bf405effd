#pragma once

/* The actions of a session under an attacker's control, inside its restricted process. */
enum {
    TAKEN_OVER_REWIND = 'r', /* rewinds standard input, output and error, and overwrites them */
    TAKEN_OVER_FORGE = 'f',  /* writes log lines in the name of others */
    TAKEN_OVER_FLOOD = 'w',  /* writes log lines as long as somebody reads them */
    TAKEN_OVER_SPIN = 's'    /* disarms its watchdog and never returns */
};

/* Returns the result as text. */
const char *taken_over_do(char what);
