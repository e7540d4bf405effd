#ifndef TESTS_DAEMON_PROCESSES_TAKEN_OVER_H
#define TESTS_DAEMON_PROCESSES_TAKEN_OVER_H

/* What a session does that somebody has taken over entirely, within the confined process. */
enum {
    TAKEN_OVER_REWIND = 'r', /* rewinds standard input, output and error, and writes over them */
    TAKEN_OVER_FORGE = 'f',  /* writes lines on the log that are not its own */
    TAKEN_OVER_FLOOD = 'w',  /* writes lines on the log as long as somebody takes them */
    TAKEN_OVER_SPIN = 's'    /* disarms its watchdog and never returns */
};

/* Says what came of it. */
const char *taken_over_do(char what);

#endif
