#include "daemon/processes/gate/gate.h"

void banned_nets_replace_from_message(struct banned_nets *banned, const json_t *message)
{
    banned->count = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(message, "nets")); i++) {
        json_t *text = json_array_get(json_object_get(message, "nets"), i);
        const char *net = json_string_value(text);
        if (net != NULL && banned->count < BANNED_NETS_MAX &&
            ip_net_parse(net, &banned->nets[banned->count])) {
            banned->count++;
        }
    }
}

int banned_nets_find(const struct banned_nets *banned, const struct limits_source *source)
{
    for (size_t i = 0; i < banned->count; i++) {
        if (ip_net_contains(&banned->nets[i], source->bytes)) {
            return (int)i;
        }
    }
    return -1;
}
