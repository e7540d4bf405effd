#include "daemon/base/base.h"

#include <stdlib.h>
#include <string.h>

void *must_not_be_null(void *allocated)
{
    if (allocated == NULL) {
        abort();
    }
    return allocated;
}

void *must_allocate(size_t size)
{
    return must_not_be_null(calloc(1, size));
}

char *must_copy_text(const char *text)
{
    return text == NULL ? NULL : must_not_be_null(strdup(text));
}

char *must_format_json(json_t *message)
{
    char *text = must_not_be_null(json_dumps(must_not_be_null(message), JSON_COMPACT));
    json_decref(message);
    return text;
}
