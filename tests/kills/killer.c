#include "tests/kills/killer.h"

#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FOUND_MAX 1024

/* The supervisor gives up on a process that dies within a second of its start eight times in a row.
 * On average, restarted processes live longer than that before they are killed. To be sure, after
 * every sixth kill a process is spared until it has lived longer than a second. The supervisor may
 * wait up to 1.6 s before it restarts the process, and the start takes time too. */
#define RESPITE_EACH 6
#define RESPITE_MS 6000

static const struct {
    const char *name;
    uint32_t mean_ms;
} victims[] = {
    [VICTIM_CORE] = {"core", 2000},      [VICTIM_GATE] = {"gate", 4000},
    [VICTIM_SESSION] = {"session", 400}, [VICTIM_AUTH] = {"auth", 1700},
    [VICTIM_BOT] = {"bot", 1700},        [VICTIM_BRIDGE] = {"bridge", 3000},
};

const char *killer_victim_name(enum victim victim)
{
    return victims[victim].name;
}

static int64_t draw_kill_interval_ms(enum victim victim)
{
    return victims[victim].mean_ms / 4 + randombytes_uniform(victims[victim].mean_ms * 3 / 2);
}

void killer_init(struct killer *killer, pid_t supervisor, int64_t now_ms)
{
    *killer = (struct killer){.supervisor = supervisor};
    for (int i = 0; i < VICTIM_COUNT; i++) {
        killer->next_ms[i] = now_ms + draw_kill_interval_ms((enum victim)i);
    }
}

static bool process_has_name(pid_t pid, const char *name)
{
    char path[64];
    char found[64] = "";
    (void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    bool is_read = fgets(found, sizeof(found), file) != NULL;
    fclose(file);
    found[strcspn(found, "\n")] = '\0';
    return is_read && strcmp(found, name) == 0;
}

/* Appends to `found` those children of the process `parent` that have this name, or all with the
 * name NULL. Returns the new length of `found`. */
static size_t append_named_children(pid_t parent, const char *name, pid_t found[FOUND_MAX],
                                    size_t count)
{
    char path[64];
    int pid;
    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "re");
    while (file != NULL && count < FOUND_MAX && fscanf(file, "%d", &pid) == 1) {
        if (name == NULL || process_has_name(pid, name)) {
            found[count++] = pid;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

/* Finds the processes of one kind. Sessions are children of the gate, or of the supervisor when
 * they have outlived the gate. */
static size_t find_processes(pid_t supervisor, enum victim victim, pid_t found[FOUND_MAX])
{
    size_t count = append_named_children(supervisor, victims[victim].name, found, 0);
    if (victim == VICTIM_SESSION) {
        pid_t gates[FOUND_MAX];
        size_t gate_count = append_named_children(supervisor, "gate", gates, 0);
        for (size_t i = 0; i < gate_count; i++) {
            count = append_named_children(gates[i], victims[victim].name, found, count);
        }
    }
    return count;
}

bool killer_kill_random_process(pid_t supervisor, enum victim victim)
{
    pid_t found[FOUND_MAX];
    size_t count = find_processes(supervisor, victim, found);
    return count > 0 && kill(found[randombytes_uniform((uint32_t)count)], SIGKILL) == 0;
}

/* Finds the supervisor and all its descendants. */
static size_t find_whole_house(pid_t supervisor, pid_t found[FOUND_MAX])
{
    size_t count = 1;
    found[0] = supervisor;
    for (size_t i = 0; i < count; i++) {
        count = append_named_children(found[i], NULL, found, count);
    }
    return count;
}

static void signal_each(const pid_t *found, size_t count, int signal_number)
{
    for (size_t i = 0; i < count; i++) {
        (void)kill(found[i], signal_number); /* it may have ended by itself */
    }
}

void killer_signal_whole_house(pid_t supervisor, int signal_number)
{
    pid_t found[FOUND_MAX];
    size_t stopped = 0;
    size_t count = find_whole_house(supervisor, found);
    while (count > stopped && signal_number != SIGCONT) {
        signal_each(found, count, SIGSTOP);
        stopped = count;
        count = find_whole_house(supervisor, found);
    }
    signal_each(found, count, signal_number);
}

unsigned killer_kill_due_processes(struct killer *killer, int64_t now_ms)
{
    unsigned killed = 0;
    for (int i = 0; i < VICTIM_COUNT; i++) {
        if (now_ms < killer->next_ms[i]) {
            continue;
        }
        killer->next_ms[i] = now_ms + draw_kill_interval_ms((enum victim)i);
        if (killer_kill_random_process(killer->supervisor, (enum victim)i)) {
            killer->kills[i]++;
            killed++;
            bool has_respite = i != VICTIM_SESSION && killer->kills[i] % RESPITE_EACH == 0;
            killer->next_ms[i] += has_respite ? RESPITE_MS : 0;
        }
    }
    return killed;
}

uint64_t killer_count_kills(const struct killer *killer)
{
    uint64_t count = 0;
    for (int i = 0; i < VICTIM_COUNT; i++) {
        count += killer->kills[i];
    }
    return count;
}
