#include "lobby/protocol/password_forms.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Adds the text, which must be allocated, unless it is in the list already. NULL, the form of bytes
 * that are no UTF-8, is not added. */
static void add_form(struct password_forms *forms, char *text)
{
    bool is_new = text != NULL;
    for (size_t i = 0; is_new && i < forms->count; i++) {
        is_new = strcmp(forms->texts[i], text) != 0;
    }
    if (is_new) {
        forms->texts[forms->count++] = text;
    } else if (text != NULL) {
        explicit_bzero(text, strlen(text));
        free(text);
    }
}

void password_forms_make(const char *typed, struct password_forms *forms)
{
    char *copy = strdup(typed);
    if (copy == NULL) {
        abort(); /* out of memory */
    }
    *forms = (struct password_forms){.count = 0};
    add_form(forms, (char *)utf8proc_NFC((const utf8proc_uint8_t *)typed));
    add_form(forms, copy);
    add_form(forms, (char *)utf8proc_NFD((const utf8proc_uint8_t *)typed));
}

void password_forms_clear(struct password_forms *forms)
{
    for (size_t i = 0; i < forms->count; i++) {
        explicit_bzero(forms->texts[i], strlen(forms->texts[i]));
        free(forms->texts[i]);
    }
    forms->count = 0;
}

bool password_compose(const char *typed, char *composed, size_t size)
{
    struct password_forms forms;
    composed[0] = '\0';
    if (typed == NULL) {
        return false;
    }
    password_forms_make(typed, &forms);
    size_t len = strlen(forms.texts[0]);
    bool fits = len < size;
    if (fits) {
        memcpy(composed, forms.texts[0], len + 1);
    }
    password_forms_clear(&forms);
    return fits;
}

bool password_read(const json_t *object, const char *key, char *text, size_t size)
{
    const char *typed = json_string_value(json_object_get(object, key));
    if (typed == NULL || strlen(typed) >= size) {
        return password_compose(typed, text, size);
    }
    memcpy(text, typed, strlen(typed) + 1);
    return true;
}
