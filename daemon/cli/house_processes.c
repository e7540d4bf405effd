#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STAT_MAX 512
#define RESTART_MS 2000 /* a process that a reload replaces is away for less */

static const struct {
    const char *word, *text;
} states[] = {
    [HOUSE_PROCESS_STARTS] = {"starts", N_("starts")},
    [HOUSE_PROCESS_WAITS] = {"waits", N_("waits for work")},
    [HOUSE_PROCESS_WORKS] = {"works", N_("works")},
    [HOUSE_PROCESS_WRITES] = {"writes", N_("writes to the disk")},
    [HOUSE_PROCESS_RESTARTS] = {"restarts", N_("is started again")},
    [HOUSE_PROCESS_STOPPED] = {"stopped", N_("IS STOPPED by a signal")},
    [HOUSE_PROCESS_HANGS] = {"hangs", N_("HANGS: gives no sign of life")},
    [HOUSE_PROCESS_GONE] = {"gone", N_("DOES NOT RUN")},
    [HOUSE_PROCESS_FAILS] = {"fails", N_("HAS DIED, and does not work again yet")},
};

const char *house_process_state_word(enum house_process_state state)
{
    return states[state].word;
}

const char *house_process_state_text(enum house_process_state state)
{
    return _(states[state].text);
}

/* Returns the state of a process as a letter (proc(5), /proc/PID/stat); 0 if there is no such
 * process, or /proc does not show it. */
static int read_system_state(int64_t pid)
{
    char path[64];
    char text[STAT_MAX];
    (void)snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
    FILE *file = fopen(path, "re");
    size_t len = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    if (file != NULL) {
        (void)fclose(file);
    }
    text[len] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name may contain anything */
    return name_end != NULL && name_end[1] == ' ' ? (unsigned char)name_end[2] : '\0';
}

static enum house_process_state find_state(const struct life *life, int64_t silent_ms)
{
    static const enum house_process_state of_doing[LIFE_DOINGS] = {
        [LIFE_STARTS] = HOUSE_PROCESS_STARTS,
        [LIFE_WAITS] = HOUSE_PROCESS_WAITS,
        [LIFE_WORKS] = HOUSE_PROCESS_WORKS,
        [LIFE_WRITES] = HOUSE_PROCESS_WRITES,
    };
    uint32_t doing = atomic_load_explicit(&life->doing, memory_order_relaxed);
    int64_t pid = atomic_load_explicit(&life->pid, memory_order_relaxed);
    int system_state = pid > 0 ? read_system_state(pid) : 'X';
    if (system_state == 'X' || system_state == 'Z') {
        return silent_ms < RESTART_MS ? HOUSE_PROCESS_RESTARTS : HOUSE_PROCESS_GONE;
    }
    if (system_state == 'T' || system_state == 't') {
        return HOUSE_PROCESS_STOPPED;
    }
    if (doing == LIFE_STARTS) {
        /* loading much data takes long; but after a death nothing works meanwhile */
        bool has_died = atomic_load_explicit(&life->seen_ms, memory_order_relaxed) <
                        atomic_load_explicit(&life->started_ms, memory_order_relaxed);
        return has_died && silent_ms >= RESTART_MS ? HOUSE_PROCESS_FAILS : HOUSE_PROCESS_STARTS;
    }
    return silent_ms > LIFE_HANGS_MS || doing >= LIFE_DOINGS ? HOUSE_PROCESS_HANGS
                                                             : of_doing[doing];
}

struct house_processes house_processes_list(const struct metrics_page *page, int64_t now_ms)
{
    struct house_processes processes = {0};
    for (size_t i = 0; i < LIFE_PROCESSES; i++) {
        const struct life *life = &page->lives[i];
        struct house_process *process = &processes.list[processes.count];
        life_copy_name(life, process->name);
        if (process->name[0] == '\0') {
            continue;
        }
        int64_t seen_ms = atomic_load_explicit(&life->seen_ms, memory_order_relaxed);
        process->pid = atomic_load_explicit(&life->pid, memory_order_relaxed);
        process->up_ms = now_ms - atomic_load_explicit(&life->started_ms, memory_order_relaxed);
        process->restarts = atomic_load_explicit(&life->restarts, memory_order_relaxed);
        process->silent_ms = now_ms > seen_ms ? now_ms - seen_ms : 0;
        process->state = find_state(life, process->silent_ms);
        processes.count++;
    }
    return processes;
}

bool house_processes_all_work(const struct house_processes *processes)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (processes->list[i].state >= HOUSE_PROCESS_STOPPED) {
            return false;
        }
    }
    return true;
}
