#include "daemon/processes/processes.h"

#include "daemon/processes/gate/gate.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    OTHER_PROCESSES = 64,  /* processes of the house that are not sessions, and some more */
    SYSTEM_PROCESSES = 512 /* processes of the machine that do not belong to the house */
};

#define SENTENCE_SIZE 400

static uint64_t read_hard_limit(unsigned resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY ? limit.rlim_max
                                                                               : UINT64_MAX;
}

/* Returns the number in the file's first line; UINT64_MAX if there is none ("max"). */
static uint64_t read_number_from_file(const char *path)
{
    char line[32] = "";
    char *end = line;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return UINT64_MAX;
    }
    bool has_line = fgets(line, sizeof(line), file) != NULL;
    (void)fclose(file);
    uint64_t number = has_line ? strtoull(line, &end, 10) : 0;
    return end != line ? number : UINT64_MAX;
}

/* Returns pids.max of this process's control group (cgroups(7), version 2). The limits of the
 * groups above it are not read. */
static uint64_t read_unit_limit(void)
{
    char line[PATH_MAX] = "";
    char path[PATH_MAX + 64];
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file == NULL) {
        return UINT64_MAX;
    }
    bool has_line = fgets(line, sizeof(line), file) != NULL;
    (void)fclose(file);
    if (!has_line || strncmp(line, "0::", 3) != 0) {
        return UINT64_MAX;
    }
    line[strcspn(line, "\n")] = '\0';
    (void)snprintf(path, sizeof(path), "/sys/fs/cgroup%s/pids.max", line + 3);
    return read_number_from_file(path);
}

struct capacity_limits capacity_read_limits(void)
{
    return (struct capacity_limits){
        .descriptors = read_hard_limit(RLIMIT_NOFILE),
        .user_processes = geteuid() == 0 ? UINT64_MAX : read_hard_limit(RLIMIT_NPROC),
        .unit_processes = read_unit_limit(),
        .process_ids = read_number_from_file("/proc/sys/kernel/pid_max"),
    };
}

void capacity_report_shortages(const struct capacity_limits *limits, uint32_t sessions,
                               capacity_report *report, void *context)
{
    const uint64_t processes = (uint64_t)sessions + OTHER_PROCESSES;
    const struct {
        uint64_t allowed, needed;
        const char *what, *where;
    } rows[] = {
        {limits->descriptors, (uint64_t)sessions * GATE_DESCRIPTORS_EACH + GATE_DESCRIPTORS_SPARE,
         "open files in a process", "LimitNOFILE= of the unit or `ulimit -Hn`"},
        {limits->user_processes, processes, "processes of the house's user",
         "LimitNPROC= of the unit or `ulimit -Hu`"},
        {limits->unit_processes, processes, "processes in the house's control group",
         "TasksMax= of the unit"},
        {limits->process_ids, processes + SYSTEM_PROCESSES, "process ids on the machine",
         "the sysctl kernel.pid_max"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char sentence[SENTENCE_SIZE];
        if (rows[i].allowed >= rows[i].needed) {
            continue;
        }
        (void)snprintf(sentence, sizeof(sentence),
                       "%" PRIu32 " sessions need %" PRIu64 " %s, but %" PRIu64
                       " are allowed: raise %s, or lower [limits] sessions",
                       sessions, rows[i].needed, rows[i].what, rows[i].allowed, rows[i].where);
        report(context, sentence);
    }
}
