#pragma once

#include "daemon/metrics/metrics.h"

#include <stdatomic.h>
#include <stdint.h>

/*
 * The signs of life of the processes of a house, on the page that they share (page.h). Each process
 * gives a sign at least once in LIFE_EVERY_MS while it waits, and says what it does. The supervisor
 * writes who the processes are. All times are those of clock_steady_ms, which is the same in all
 * processes.
 */
#define LIFE_EVERY_MS 1000
/* a process that has given no sign for this long hangs: the longest work, the search of a bot on a
 * busy machine, takes well under a second */
#define LIFE_HANGS_MS 10000
#define LIFE_NAME_SIZE 16

enum {
    LIFE_SUPERVISOR,
    LIFE_LOG,
    LIFE_FIRST, /* the first of the processes that the supervisor restarts (processes.h): the core
                 */
    LIFE_GATE,
    LIFE_PROCESSES = LIFE_FIRST + 14,
};

enum life_doing {
    LIFE_STARTS,
    LIFE_WAITS,
    LIFE_WORKS,
    LIFE_WRITES,
    LIFE_DOINGS,
};

/* A process on the page. */
struct life {
    char name[LIFE_NAME_SIZE];  /* "": there is no such process. Perhaps not NUL-ended */
    _Atomic int64_t pid;        /* 0 while it does not run */
    _Atomic int64_t started_ms; /* when it was last started */
    /* Its last sign of life; when it started, at first and in the place of a process that was told
     * to end. A process that has died and cannot start again gives none. */
    _Atomic int64_t seen_ms;
    _Atomic uint64_t work;     /* what it works on, as a number of its own; 0: nothing */
    _Atomic uint64_t restarts; /* how often it has died and was started again */
    _Atomic uint32_t doing;    /* an enum life_doing, or a wrong number */
};

/* Copies the name of a process on the page: "" or up to LIFE_NAME_SIZE letters, "?" for any other
 * byte. */
void life_copy_name(const struct life *life, char name[LIFE_NAME_SIZE + 1]);

/* Gives a sign of life of this process. */
void life_give_sign(const struct metrics *metrics, enum life_doing doing);

/* Says what this process works on, so that its supervisor knows it if the process dies. */
void life_set_work(const struct metrics *metrics, uint64_t work);
uint64_t life_get_work(const struct metrics *metrics, unsigned process);

/* Returns when a process gave its last sign of life; 0 if there is no page. */
int64_t life_get_seen_ms(const struct metrics *metrics, unsigned process);

/* For the supervisor: notes that a process was started, or that it has died. */
void life_note_start(const struct metrics *metrics, unsigned process, const char *name,
                     int64_t pid);
/* Notes that a process runs that another program of the supervisor has started. */
void life_note_resumed(const struct metrics *metrics, unsigned process, const char *name,
                       int64_t pid);
void life_note_death(const struct metrics *metrics, unsigned process);
/* Notes that there is no such process. */
void life_forget(const struct metrics *metrics, unsigned process);

/* Sets the gauge process_silence_seconds from the signs of life, as of now_ms. */
void life_measure_silence(const struct metrics *metrics, int64_t now_ms);
