#include "daemon/screens/model/model.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <string.h>

#define LINE_BYTES 2048

static const char *translate_sentence(const char *sentence)
{
    return i18n_translate(sentence);
}

static const char *translate_plural(const char *sentence, const char *plural_sentence,
                                    unsigned long count)
{
    return ngettext(sentence, plural_sentence, count);
}

static const struct sentence_language language_in_force = {translate_sentence, translate_plural};

static void write_translated_sentence(json_t *say, const json_t *english, char *out, size_t size)
{
    struct text text = text_init(out, size);
    if (json_is_array(say) && sentence_write(&language_in_force, say, &text)) {
        return;
    }
    const char *words = json_string_value(english);
    (void)snprintf(out, size, "%s", words == NULL ? "" : i18n_translate(words));
}

void core_text_translate(const json_t *message, const char *key, char *out, size_t size)
{
    write_translated_sentence(json_object_get(message, "say"), json_object_get(message, key), out,
                              size);
}

json_t *core_text_translate_lines(const json_t *answer)
{
    const json_t *lines = json_object_get(answer, "lines");
    const json_t *says = json_object_get(answer, "say");
    json_t *worded = json_array();
    for (size_t i = 0; i < json_array_size(lines); i++) {
        char line[LINE_BYTES];
        write_translated_sentence(json_array_get(says, i), json_array_get(lines, i), line,
                                  sizeof line);
        json_t *text = json_stringn_nocheck(line, strlen(line));
        (void)json_array_append_new(worded, text);
    }
    return worded;
}
