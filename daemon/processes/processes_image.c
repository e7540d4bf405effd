#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"

#include <signal.h>
#include <sodium.h>
#include <string.h>

/* The names of members in the image. A newer program reads the image of an older one, so the
 * meaning of a name never changes. */

static json_t *process_to_json(const struct process *process)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "name", process->name, "pid", (int)process->pid,
                     "group", (int)process->group, "core_end", process->core_end, "own_end",
                     process->own_end);
}

json_t *processes_image_make(const struct processes *processes)
{
    json_t *members = json_array();
    for (unsigned i = 0; i < processes->count; i++) {
        (void)json_array_append_new(members, process_to_json(&processes->list[i]));
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "control", processes->control,
                     "bridge_listener", processes->bridge_listener, "settings", processes->settings,
                     "port_ssh", processes->ports.ssh, "port_telnet", processes->ports.telnet,
                     "answers_key",
                     image_bytes_to_json(processes->answers_key, sizeof processes->answers_key),
                     "members", members, "listeners", listeners_to_json(&processes->listeners));
}

/* Finds the first process with this name that has not been restored yet. */
static struct process *find_unrestored_process(struct processes *processes, const char *name)
{
    for (unsigned i = 0; i < processes->count; i++) {
        struct process *process = &processes->list[i];
        if (!process->is_resumed && strcmp(process->name, name) == 0) {
            return process;
        }
    }
    return NULL;
}

static bool restore_process(struct processes *processes, json_t *json)
{
    const char *name;
    int pid;
    int group;
    int core_end;
    int own_end;
    if (json_unpack(json, "{s:s, s:i, s:i, s:i, s:i}", "name", &name, "pid", &pid, "group", &group,
                    "core_end", &core_end, "own_end", &own_end) != 0) {
        return false;
    }
    struct process *process = find_unrestored_process(processes, name);
    if (process == NULL) {
        fd_close(core_end);
        fd_close(own_end);
        if (pid > 0) {
            kill(pid, SIGTERM);
        }
        return true;
    }
    process->is_resumed = true;
    process->is_ready = true;
    process->pid = pid;
    process->group = group;
    process->core_end = core_end;
    process->own_end = own_end;
    return true;
}

bool processes_image_restore(struct processes *processes, json_t *json)
{
    json_t *members;
    int port_ssh;
    int port_telnet;
    /* the image of an older program has no bridge */
    if (json_unpack(json, "{s:i, s:i, s:i, s:i, s:o, s?i}", "control", &processes->control,
                    "settings", &processes->settings, "port_ssh", &port_ssh, "port_telnet",
                    &port_telnet, "members", &members, "bridge_listener",
                    &processes->bridge_listener) != 0 ||
        !listeners_from_json(json_object_get(json, "listeners"), &processes->listeners)) {
        return false;
    }
    processes->ports = (struct ports){.ssh = (uint16_t)port_ssh, .telnet = (uint16_t)port_telnet};
    if (!image_bytes_from_json(json_object_get(json, "answers_key"), processes->answers_key,
                               sizeof processes->answers_key)) {
        randombytes_buf(
            processes->answers_key,
            sizeof processes
                ->answers_key); /* the image of an older program does not contain the core's key */
    }
    for (size_t i = 0; i < json_array_size(members); i++) {
        json_t *process = json_array_get(members, i);
        if (!restore_process(processes, process)) {
            return false;
        }
    }
    processes_image_set_kept_across_exec(processes, false);
    return true;
}

void processes_image_set_kept_across_exec(const struct processes *processes, bool is_kept)
{
    image_set_kept_across_exec(processes->control, is_kept);
    image_set_kept_across_exec(processes->settings, is_kept);
    image_set_kept_across_exec(processes->bridge_listener, is_kept);
    listeners_set_kept_across_exec(&processes->listeners, is_kept);
    for (unsigned i = 0; i < processes->count; i++) {
        image_set_kept_across_exec(processes->list[i].core_end, is_kept);
        image_set_kept_across_exec(processes->list[i].own_end, is_kept);
    }
}
