#pragma once

#include "daemon/metrics/life.h"
#include "daemon/metrics/metrics.h"
#include "games/macros.h"

#include <stdatomic.h>
#include <stdbool.h>

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
