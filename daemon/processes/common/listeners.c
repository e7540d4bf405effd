#include "daemon/processes/common/common.h"

#include <unistd.h>

bool listeners_add(struct listeners *listeners, struct listener listener)
{
    if (listeners->count == LISTENERS_MAX) {
        return false;
    }
    listeners->list[listeners->count++] = listener;
    return true;
}

bool listeners_include(const struct listeners *listeners, bool is_telnet)
{
    for (size_t i = 0; i < listeners->count; i++) {
        if (listeners->list[i].is_telnet == is_telnet && !listeners->list[i].is_proxied) {
            return true;
        }
    }
    return false;
}

void listeners_close(struct listeners *listeners)
{
    for (size_t i = 0; i < listeners->count; i++) {
        close(listeners->list[i].socket);
    }
    listeners->count = 0;
}

void listeners_set_kept_across_exec(const struct listeners *listeners, bool is_kept)
{
    for (size_t i = 0; i < listeners->count; i++) {
        image_set_kept_across_exec(listeners->list[i].socket, is_kept);
    }
}

json_t *listeners_to_json(const struct listeners *listeners)
{
    json_t *array = json_array();
    for (size_t i = 0; i < listeners->count; i++) {
        const struct listener *listener = &listeners->list[i];
        (void)json_array_append_new(array, json_pack("{s:i, s:b, s:b}", "socket", listener->socket,
                                                     "is_telnet", listener->is_telnet, "is_proxied",
                                                     listener->is_proxied));
    }
    return array;
}

bool listeners_from_json(const json_t *array, struct listeners *listeners)
{
    size_t i;
    json_t *json;
    listeners->count = 0;
    json_array_foreach(array, i, json)
    {
        int socket;
        int is_telnet;
        if (json_unpack(json, "{s:i, s:b}", "socket", &socket, "is_telnet", &is_telnet) != 0 ||
            !listeners_add(listeners,
                           (struct listener){
                               .socket = socket,
                               .is_telnet = is_telnet != 0,
                               .is_proxied = json_is_true(json_object_get(json, "is_proxied")),
                           })) {
            return false;
        }
    }
    return true;
}
