#include "lobby/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

bool password_compose(const char *typed, char *composed, size_t size)
{
    char *form = typed == NULL ? NULL : (char *)utf8proc_NFC((const utf8proc_uint8_t *)typed);
    const char *text = form != NULL ? form : typed; /* bytes that are no UTF-8 stay as they are */
    size_t len = text == NULL ? size : strlen(text);
    bool fits = len < size;
    composed[0] = '\0';
    if (fits) {
        memcpy(composed, text, len + 1);
    }
    if (form != NULL) {
        explicit_bzero(form, strlen(form));
        free(form);
    }
    return fits;
}

bool password_read(const json_t *object, const char *key, char *composed, size_t size)
{
    return password_compose(json_string_value(json_object_get(object, key)), composed, size);
}
