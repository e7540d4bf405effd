#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/processes.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* The end of a house: all its processes are told to end, or are killed; and that of a process that
 * hangs. */

#define CORE_STOP_MS 5000 /* time for the core to say goodbye and close the data */
#define GATE_STOP_MS 4000
#define WORKER_STOP_MS 1000
#define BRIDGE_SILENT_MS 5000
#define COUNTED_MS 2000 /* most that the time since the last look counts */

/* Waits until a child dies or the deadline passes; returns false at the deadline. */
static bool wait_for_child_death(int64_t deadline_ms)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int64_t left_ms = deadline_ms - clock_steady_ms();
    if (left_ms <= 0) {
        return false;
    }
    const struct timespec wait = {.tv_sec = left_ms / 1000, .tv_nsec = left_ms % 1000 * 1000000};
    return sigtimedwait(&child, NULL, &wait) >= 0 || errno == EINTR;
}

static void reap_without_logging(struct processes *processes)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
        struct process *process = processes_find_by_pid(processes, pid);
        if (process != NULL) {
            process->pid = 0;
        }
    }
}

/* Kills sessions that outlived their gate, because no session may outlive the house. Such sessions
 * are children of the supervisor, which is a subreaper. If no session is left, the system may have
 * reused the number of their process group for other processes, so waitid first checks that a
 * session is left. */
static void kill_process_group(pid_t group)
{
    siginfo_t info;
    if (group <= 0 || waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        return;
    }
    kill(-group, SIGKILL);
    while (waitpid(-group, NULL, 0) > 0 || errno == EINTR) {
    }
}

static void stop_process(struct processes *processes, struct process *process, int64_t patience_ms)
{
    int64_t deadline_ms = clock_steady_ms() + patience_ms;
    reap_without_logging(processes);
    if (process->pid > 0) {
        kill(process->pid, SIGTERM);
    }
    while (process->pid > 0 && wait_for_child_death(deadline_ms)) {
        reap_without_logging(processes);
    }
    if (process->pid > 0) {
        log_event(LOG_LEVEL_WARN, 0, "%s %ld did not end and is killed", process->name,
                  (long)process->pid);
        kill(process->pid, SIGKILL);
        waitpid(process->pid, NULL, 0);
        process->pid = 0;
    }
    kill_process_group(process->group);
}

void processes_stop(struct processes *processes)
{
    static const int64_t patience_ms[] = {
        [PROCESS_CORE] = CORE_STOP_MS, [PROCESS_GATE] = GATE_STOP_MS};
    const struct process *gate = &processes->list[PROCESS_GATE];
    if (gate->pid > 0 && gate->is_ready) {
        /* lets nobody enter who would only be sent away: new connections wait in the sockets of
         * systemd for the next house, or are refused */
        kill(gate->pid, SIGUSR2);
    }
    for (unsigned i = 0; i < processes->count; i++) {
        stop_process(processes, &processes->list[i],
                     i < PROCESS_WORKERS ? patience_ms[i] : WORKER_STOP_MS);
    }
}

/* Returns how long the process may give no sign of life; 0: for ever. A core that still loads its
 * data may take long. Other nodes wait for a bridge, whose work never takes long. */
static int64_t find_silence_limit_ms(const struct processes *processes, unsigned index)
{
    const struct process *process = &processes->list[index];
    if (process->pid <= 0) {
        return 0;
    }
    if (index == PROCESS_CORE) {
        bool is_watched = process->is_leaving ||
                          (process->has_reported && !process->is_loading && process->ready >= 0);
        return is_watched ? core_life_silence_limit_ms(processes->setup->config) : 0;
    }
    bool is_bridge = strcmp(process->name, "bridge") == 0;
    return is_bridge && processes->metrics.page != NULL ? BRIDGE_SILENT_MS : 0;
}

static void end_if_hanging(struct processes *processes, unsigned index, int64_t waited_ms)
{
    struct process *process = &processes->list[index];
    int64_t limit_ms = find_silence_limit_ms(processes, index);
    int64_t seen_ms = life_get_seen_ms(&processes->metrics, LIFE_FIRST + index);
    if (index != PROCESS_CORE && seen_ms != process->seen_ms) {
        process->silent_ms = 0;
        process->seen_ms = seen_ms;
    }
    if (limit_ms == 0) {
        return;
    }
    /* If this process was stopped too, the other may have had no time to report. */
    process->silent_ms += waited_ms < COUNTED_MS ? waited_ms : COUNTED_MS;
    if (process->silent_ms >= limit_ms) {
        log_pairs(LOG_LEVEL_ERROR, 0, "hangs",
                  LOG_PAIRS("process", process->name, "pid", LOG_NUMBER(process->pid), "silent_ms",
                            LOG_NUMBER(process->silent_ms)));
        process->silent_ms = 0;
        kill(process->pid, SIGKILL);
    }
}

void processes_end_hanging(struct processes *processes, int64_t waited_ms)
{
    for (unsigned i = 0; i < processes->count; i++) {
        end_if_hanging(processes, i, waited_ms);
    }
}
