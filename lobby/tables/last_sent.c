#include "lobby/tables/last_sent.h"

#include "lobby/house/memory.h"

#include <stdlib.h>
#include <string.h>

bool last_sent_replace(char **kept, json_t *message)
{
    char *text = memory_require(json_dumps(message, JSON_COMPACT));
    json_decref(message);
    if (*kept != NULL && strcmp(*kept, text) == 0) {
        free(text);
        return false;
    }
    free(*kept);
    *kept = text;
    return true;
}
