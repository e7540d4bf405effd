#include "tests/bench/load/server.h"

#include "tests/times.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANCESTORS_MAX 16

/* Reads the parent and the CPU time of ended children of a process. Returns false if it is gone. */
static bool read_process(pid_t pid, struct server_process *out)
{
    char path[64], line[1024];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        return false;
    }
    bool is_read = fgets(line, sizeof(line), in) != NULL;
    fclose(in);
    char *at = is_read ? strrchr(line, ')') : NULL; /* the name before may contain anything */
    if (at == NULL) {
        return false;
    }
    unsigned long long ticks = 0;
    strtok_r(at, " ", &at);
    for (int field = 3; field <= 17; field++) {
        const char *word = strtok_r(NULL, " ", &at);
        if (word == NULL) {
            return false;
        }
        if (field == 4) {
            out->parent = (pid_t)strtol(word, NULL, 10);
        } else if (field >= 16) {
            ticks += strtoull(word, NULL, 10);
        }
    }
    *out = (struct server_process){.pid = pid, .parent = out->parent};
    out->children_ms = (double)ticks * 1000.0 / (double)sysconf(_SC_CLK_TCK);
    return true;
}

static int compare_processes(const void *left, const void *right)
{
    const struct server_process *a = left, *b = right;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

static struct server_process *find_process(const struct server_cpu *all, pid_t pid)
{
    struct server_process wanted = {.pid = pid};
    return bsearch(&wanted, all->processes, (size_t)all->count, sizeof(wanted), compare_processes);
}

static bool add_process(struct server_cpu *out, pid_t pid)
{
    const int block = 1024;
    if (out->count % block == 0) {
        struct server_process *more =
            realloc(out->processes, (size_t)(out->count + block) * sizeof(*more));
        if (more == NULL) {
            return false;
        }
        out->processes = more;
    }
    out->count += read_process(pid, &out->processes[out->count]) ? 1 : 0;
    return true;
}

/* Lists all processes of this machine, in the order of their numbers. */
static bool list_processes(struct server_cpu *out)
{
    DIR *proc = opendir("/proc");
    bool is_good = proc != NULL;
    for (struct dirent *entry; is_good && (entry = readdir(proc)) != NULL;) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0) {
            is_good = add_process(out, (pid_t)pid);
        }
    }
    if (proc != NULL) {
        closedir(proc);
    }
    if (is_good) {
        qsort(out->processes, (size_t)out->count, sizeof(*out->processes), compare_processes);
    }
    return is_good;
}

static bool process_belongs(const struct server_cpu *all, const struct server_process *process,
                            pid_t server)
{
    for (int depth = 0; process != NULL && depth < ANCESTORS_MAX; depth++) {
        if (process->pid == server) {
            return true;
        }
        process = find_process(all, process->parent);
    }
    return false;
}

/* Keeps only the server's processes in the list. */
static void keep_server(struct server_cpu *all, pid_t server)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        all->processes[i].is_counted = process_belongs(all, &all->processes[i], server);
    }
    for (int i = 0; i < all->count; i++) {
        if (all->processes[i].is_counted) {
            all->processes[kept++] = all->processes[i];
        }
    }
    all->count = kept;
}

/* Reads the CPU time of a process from its clock; 0 if it has ended meanwhile. */
static double read_cpu_ms(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
        return 0;
    }
    return (double)time.tv_sec * 1000.0 + (double)time.tv_nsec / 1e6;
}

static bool find_server(struct server *server, struct server_cpu *out)
{
    *out = (struct server_cpu){.at_us = times_now_us()};
    if (!list_processes(out)) {
        fprintf(stderr, "load: cannot list /proc: %s\n", strerror(errno));
        server_cpu_clear(out);
        return false;
    }
    keep_server(out, server->pid);
    if (out->count == 0) {
        fprintf(stderr, "load: the server's process %d does not run\n", (int)server->pid);
        server_cpu_clear(out);
        return false;
    }
    return true;
}

bool server_read_cpu(struct server *server, struct server_cpu *out)
{
    double begin_s = times_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    bool is_found = find_server(server, out);
    for (int i = 0; is_found && i < out->count; i++) {
        out->processes[i].cpu_ms = read_cpu_ms(out->processes[i].pid);
        out->total_ms += out->processes[i].cpu_ms + out->processes[i].children_ms;
    }
    server->own_cpu_ms += (times_read_clock_s(CLOCK_THREAD_CPUTIME_ID) - begin_s) * 1000.0;
    return is_found;
}

void server_cpu_clear(struct server_cpu *cpu)
{
    free(cpu->processes);
    *cpu = (struct server_cpu){0};
}

double server_busiest_ms(const struct server_cpu *before, const struct server_cpu *after)
{
    double most = 0;
    for (int i = 0; i < after->count; i++) {
        const struct server_process *now = &after->processes[i];
        const struct server_process *then = find_process(before, now->pid);
        double used = now->cpu_ms - (then != NULL ? then->cpu_ms : 0);
        most = used > most ? used : most;
    }
    return most;
}

/* Adds the numbers of KiB in the lines of a file that begin with one of the keys (NULL-ended).
 * Returns false if the file cannot be read. */
static bool add_kib(const char *path, const char *const *keys, double *sum)
{
    char line[256];
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        return false;
    }
    while (fgets(line, sizeof(line), in) != NULL) {
        for (const char *const *key = keys; *key != NULL; key++) {
            if (strncmp(line, *key, strlen(*key)) == 0) {
                *sum += (double)strtol(line + strlen(*key), NULL, 10);
            }
        }
    }
    bool is_read = !ferror(in);
    fclose(in);
    return is_read;
}

bool server_add_process_memory(pid_t pid, struct server_memory *out)
{
    static const char *const pss[] = {"Pss:", NULL};
    static const char *const private[] = {"Private_Clean:", "Private_Dirty:", NULL};
    static const char *const tables[] = {"VmPTE:", NULL};
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
    bool is_read = add_kib(path, pss, &out->pss_kib) && add_kib(path, private, &out->private_kib);
    if (!is_read && errno != ENOENT && errno != ESRCH) {
        fprintf(stderr, "load: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    out->count += add_kib(path, tables, &out->page_tables_kib) ? 1 : 0;
    return true;
}

bool server_read_memory(struct server *server, struct server_memory *out)
{
    static const char *const kernel[] = {"Slab:", "KernelStack:", "PageTables:", NULL};
    double begin_s = times_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    struct server_cpu all;
    *out = (struct server_memory){0};
    bool is_good = find_server(server, &all) && add_kib("/proc/meminfo", kernel, &out->kernel_kib);
    for (int i = 0; is_good && i < all.count; i++) {
        is_good = server_add_process_memory(all.processes[i].pid, out);
    }
    server_cpu_clear(&all);
    server->own_cpu_ms += (times_read_clock_s(CLOCK_THREAD_CPUTIME_ID) - begin_s) * 1000.0;
    return is_good;
}
