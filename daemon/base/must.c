#include "daemon/base/must.h"

#include <stdlib.h>
#include <string.h>

void *must_exist(void *allocated)
{
    if (allocated == NULL) {
        abort();
    }
    return allocated;
}

void *must_allocate(size_t size)
{
    return must_exist(calloc(1, size));
}

char *must_copy_text(const char *text)
{
    return text == NULL ? NULL : must_exist(strdup(text));
}

char *must_write_json(json_t *message)
{
    char *text = must_exist(json_dumps(must_exist(message), JSON_COMPACT));
    json_decref(message);
    return text;
}
