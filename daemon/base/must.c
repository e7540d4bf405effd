#include "daemon/base/must.h"

#include <stdlib.h>
#include <string.h>

void *must(void *allocated)
{
    if (allocated == NULL) {
        abort();
    }
    return allocated;
}

void *must_new(size_t size)
{
    return must(calloc(1, size));
}

char *must_copy(const char *text)
{
    return text == NULL ? NULL : must(strdup(text));
}

char *must_text(json_t *message)
{
    char *text = must(json_dumps(must(message), JSON_COMPACT));
    json_decref(message);
    return text;
}
