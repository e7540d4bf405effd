#include "daemon/processes/crew_image.h"

#include "daemon/base/fd.h"
#include "daemon/processes/common/image.h"

#include <signal.h>
#include <sodium.h>
#include <string.h>

/* The names of members in the image. A newer program reads the image of an older one, so the
 * meaning of a name never changes. */

static json_t *member_to_json(const struct crew_member *member)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "name", member->name, "pid", (int)member->pid,
                     "group", (int)member->group, "core_end", member->core_end, "own_end",
                     member->own_end);
}

json_t *crew_image_of(const struct crew *crew)
{
    json_t *members = json_array();
    for (unsigned i = 0; i < crew->count; i++) {
        (void)json_array_append_new(members, member_to_json(&crew->members[i]));
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:o, s:o}", "control", crew->control, "settings",
                     crew->settings, "port_ssh", crew->ports.ssh, "port_telnet", crew->ports.telnet,
                     "answers_key", image_bytes(crew->answers_key, sizeof crew->answers_key),
                     "members", members);
}

/* Finds the first process with this name that has not been restored yet. */
static struct crew_member *find_place(struct crew *crew, const char *name)
{
    for (unsigned i = 0; i < crew->count; i++) {
        struct crew_member *member = &crew->members[i];
        if (!member->is_resumed && strcmp(member->name, name) == 0) {
            return member;
        }
    }
    return NULL;
}

static bool take_member(struct crew *crew, json_t *json)
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
    struct crew_member *member = find_place(crew, name);
    if (member == NULL) {
        fd_close(core_end);
        fd_close(own_end);
        if (pid > 0) {
            kill(pid, SIGTERM);
        }
        return true;
    }
    member->is_resumed = true;
    member->is_ready = true;
    member->pid = pid;
    member->group = group;
    member->core_end = core_end;
    member->own_end = own_end;
    return true;
}

bool crew_image_take(struct crew *crew, json_t *json)
{
    json_t *members;
    int port_ssh;
    int port_telnet;
    if (json_unpack(json, "{s:i, s:i, s:i, s:i, s:o}", "control", &crew->control, "settings",
                    &crew->settings, "port_ssh", &port_ssh, "port_telnet", &port_telnet, "members",
                    &members) != 0) {
        return false;
    }
    crew->ports = (struct ports){.ssh = (uint16_t)port_ssh, .telnet = (uint16_t)port_telnet};
    if (!image_take_bytes(json_object_get(json, "answers_key"), crew->answers_key,
                          sizeof crew->answers_key)) {
        randombytes_buf(crew->answers_key,
                        sizeof crew->answers_key); /* the image of an older program has no key */
    }
    size_t i;
    json_t *member;
    json_array_foreach(members, i, member)
    {
        if (!take_member(crew, member)) {
            return false;
        }
    }
    crew_image_let_pass(crew, false);
    return true;
}

void crew_image_let_pass(const struct crew *crew, bool is_passing)
{
    image_let_pass(crew->control, is_passing);
    image_let_pass(crew->settings, is_passing);
    for (unsigned i = 0; i < crew->count; i++) {
        image_let_pass(crew->members[i].core_end, is_passing);
        image_let_pass(crew->members[i].own_end, is_passing);
    }
}
