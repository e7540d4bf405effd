#pragma once

#include "games/macros.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The metrics of a house: what metrics.def lists, and how a process counts. All processes but the
 * sessions share one page of numbers, so no process asks another for them.
 */
struct metrics_page;

/* What a process needs to count. Without a page (NULL), nothing is counted. */
struct metrics {
    struct metrics_page *page;
    unsigned process; /* the index of this process on the page */
};

enum metric {
#define COUNTER(name, a, b, help) METRIC_##name,
#define GAUGE(name, a, b, help) METRIC_##name,
#define HISTOGRAM(name, a, b, help) METRIC_##name,
#include "daemon/metrics/metrics.def"
    METRIC_COUNT,
};

enum metric_kind {
    METRIC_COUNTER,
    METRIC_GAUGE,
    METRIC_HISTOGRAM,
};

struct metric_label {
    const char *name;          /* "none": no label */
    size_t count;              /* number of values, 1 or more */
    const char *const *values; /* NULL: the names of the games */
};

/* One metric of the list. A label takes one value of each of its two lists, and each combination of
 * values is a series. */
struct metric_def {
    const char *name;
    enum metric_kind kind;
    const struct metric_label *labels[2];
    size_t first; /* index on the page of its first number */
    const char *help;
};

/* Numbers of one series of a histogram: the count of each bucket, then the sum of all durations in
 * microseconds. The last bucket holds the durations above all bounds. */
enum {
    METRIC_BUCKETS = 14,
    METRIC_HISTOGRAM_NUMBERS = METRIC_BUCKETS + 1,
};

/* Returns a metric of the list. */
const struct metric_def *metric_at(enum metric metric);

/*
 * Count. `a` and `b` are values of the metric's two labels, NULL for the label `none`; a value that
 * the label does not have is not counted. Several processes may add to the same counter. None of
 * these functions blocks.
 */
void metrics_add(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t amount);
void metrics_set(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t value);
/* Adds the same duration `count` times to a histogram. */
void metrics_observe_us(const struct metrics *metrics, enum metric metric, const char *a,
                        uint64_t duration_us, uint64_t count);

/* Returns a number that metrics_add or metrics_set wrote; 0 if there is no such series. */
uint64_t metrics_get(const struct metrics *metrics, enum metric metric, const char *a,
                     const char *b);

/* Sets every gauge to its value on another page. So a reader never sees a gauge while it is being
 * added up. */
void metrics_copy_gauges(const struct metrics *metrics, const struct metrics_page *from);

/*
 * The signs of life of the processes of a house, on the page that they share. Each process
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

/*
 * The page of numbers that the processes of a house share: the file "counters" in the data folder,
 * mapped into each process but the sessions, which are not trusted with it. It outlives each
 * process and a reload; a house that is opened begins a new page. No process trusts the contents:
 * whatever another process writes there, reading it yields wrong numbers and nothing worse. But
 * nobody may truncate the file: a process that then uses the page dies of SIGBUS.
 */
#define METRICS_PAGE_FILE "counters"

/* One byte for each game. */
struct metrics_games {
#define GAME(name) char name;
#include "games/games.def"
#undef GAME
};

/* How many values each label has. */
enum {
#define LABEL(name, ...)                                                                           \
    METRIC_VALUES_##name = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *),
#include "daemon/metrics/labels.def"
    METRIC_VALUES_game = sizeof(struct metrics_games),
};

/* One byte for each number on the page, so that an offset in this struct is an index of `numbers`
 * below. */
struct metrics_layout {
#define COUNTER(name, a, b, help) char name[METRIC_VALUES_##a * METRIC_VALUES_##b];
#define GAUGE(name, a, b, help) char name[METRIC_VALUES_##a * METRIC_VALUES_##b];
#define HISTOGRAM(name, a, b, help)                                                                \
    char name[METRIC_VALUES_##a * METRIC_VALUES_##b * METRIC_HISTOGRAM_NUMBERS];
#include "daemon/metrics/metrics.def"
};

struct metrics_page {
    uint64_t layout; /* a hash of the list of metrics: programs with different lists cannot share
                        a page */
    struct life lives[LIFE_PROCESSES];
    _Atomic uint64_t numbers[sizeof(struct metrics_layout)];
};

/* Makes a new page in the data folder, with all numbers 0, and maps it. Another page in the folder
 * is replaced: who has that page mapped keeps it. Returns NULL with errno. */
struct metrics_page *metrics_page_create(const char *data_dir);

/* Maps the page of the data folder. Returns NULL with errno; ESTALE if it is the page of a program
 * with another list of metrics. */
struct metrics_page *metrics_page_open(const char *data_dir);

/* Keeps the page out of the memory of all child processes that this process forks from now on. The
 * pointer is then invalid in these. Takes NULL. Returns false with errno. */
bool metrics_page_hide_from_children(struct metrics_page *page) MUST_CHECK;

/* Unmaps the page from this process. Takes NULL. */
void metrics_page_close(struct metrics_page *page);

/* Copies the page of the data folder, without mapping it. Returns false with errno: as
 * metrics_page_open, and ESTALE if another supervisor than the one with this process id has made
 * the page: then the open house has none. */
bool metrics_page_read(const char *data_dir, int64_t supervisor,
                       struct metrics_page *copy) MUST_CHECK;

/* Writes all metrics of the page in Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). The caller frees the text. Aborts
 * if memory runs out. */
char *prometheus_write(const struct metrics_page *page);
