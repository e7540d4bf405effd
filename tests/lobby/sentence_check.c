#include "tests/lobby/sentence_check.h"

#include "lobby/protocol/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEMPLATE "daemon/screens/po/trickhouse.pot"
#define TEXT_BYTES 2048
#define CUT_BYTES 380 /* a text of this length may have been cut */

/* Appends the text between the quotes of a line of the translation template to `out`, with the
 * escapes of JSON resolved. */
static void append_quoted_text(const char *line, char *out, size_t size)
{
    const char *begin = strchr(line, '"');
    const char *end = strrchr(line, '"');
    char json[TEXT_BYTES];
    (void)snprintf(json, sizeof(json), "%.*s", (int)(end - begin + 1), begin);
    json_t *text = json_loads(json, JSON_DECODE_ANY, NULL);
    assert_non_null(text);
    strncat(out, json_string_value(text), size - strlen(out) - 1);
    json_decref(text);
}

/* Returns an object whose keys are the sentences of the translation template. */
static json_t *read_template_sentences(void)
{
    char path[512], line[TEXT_BYTES], sentence[TEXT_BYTES] = "";
    json_t *sentences = json_object();
    bool is_id = false;
    const char *folder = getenv("SOURCE_DIR");
    (void)snprintf(path, sizeof(path), "%s/" TEMPLATE, folder == NULL ? "." : folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        bool goes_on = line[0] == '"';
        if (!goes_on && sentence[0] != '\0') {
            (void)json_object_set_new(sentences, sentence, json_true());
            sentence[0] = '\0';
        }
        is_id = goes_on ? is_id : strncmp(line, "msgid", 5) == 0;
        if (is_id) {
            append_quoted_text(line, sentence, sizeof(sentence));
        }
    }
    fclose(file);
    return sentences;
}

static bool is_in_translation_template(const char *sentence)
{
    static json_t *sentences;
    if (sentences == NULL) {
        sentences = read_template_sentences();
    }
    return json_object_get(sentences, sentence) != NULL;
}

/* Returns whether a format has words to translate; "%s: %p" has none. */
static bool has_words(const char *format)
{
    for (const char *at = format; *at != '\0'; at++) {
        if (*at == '%') {
            at += strspn(at + 1, "%+-0 123456789.$lzj");
            at += at[1] == '\0' ? 0 : 1;
        } else if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')) {
            return true;
        }
    }
    return false;
}

static void check_format_is_in_template(const json_t *key, const char *text)
{
    const char *format = json_string_value(key);
    assert_non_null(format);
    if (has_words(format) && !is_in_translation_template(format)) {
        fail_msg("\"%s\": the translation template lacks \"%s\"", text, format);
    }
}

/* Checks that the translation template has this sentence and the sentences inside it, and that they
 * are not nested so deep that longer arguments could be too deep. */
static void check_sentence_is_in_template(const json_t *say, const char *text, int depth)
{
    const json_t *key = json_array_get(say, 0);
    assert_in_range(depth, 1, SENTENCE_DEPTH_MAX - 4);
    if (json_is_array(key)) {
        check_format_is_in_template(json_array_get(key, 0), text);
        check_format_is_in_template(json_array_get(key, 1), text);
    } else {
        check_format_is_in_template(key, text);
    }
    for (size_t i = 1; i < json_array_size(say); i++) {
        if (json_is_array(json_array_get(say, i))) {
            check_sentence_is_in_template(json_array_get(say, i), text, depth + 1);
        }
    }
}

static void check_sentence_is_translatable(json_t *say, const json_t *plain_text,
                                           bool is_typed_by_person)
{
    const char *text = json_string_value(plain_text);
    char worded[TEXT_BYTES];
    struct text out = text_init(worded, sizeof(worded));
    if (text == NULL || text[0] == '\0') {
        return;
    }
    if (!json_is_array(say)) {
        if (!is_typed_by_person && !is_in_translation_template(text)) {
            fail_msg("\"%s\" has no `say` and is not in the translation template", text);
        }
        return;
    }
    check_sentence_is_in_template(say, text, 1);
    assert_true(sentence_write(&sentence_english, say, &out));
    bool is_cut = strlen(text) >= CUT_BYTES && strncmp(worded, text, CUT_BYTES) == 0;
    if (!is_cut) {
        assert_string_equal(worded, text);
    }
}

/* Checks that the lines of an answer can be translated. A line without a blank is a name, a path or
 * a number. */
static void check_answer_lines_are_translatable(const json_t *answer)
{
    const json_t *lines = json_object_get(answer, "lines");
    const json_t *says = json_object_get(answer, "say");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        bool is_word = line != NULL && strchr(line, ' ') == NULL;
        check_sentence_is_translatable(json_array_get(says, i), json_array_get(lines, i), is_word);
    }
}

void sentence_check_message(const json_t *message)
{
    static const char *const keys[] = {"text", "why", "word"};
    const char *type = json_string_value(json_object_get(message, "t"));
    const char *kind = json_string_value(json_object_get(message, "kind"));
    bool is_chat = type != NULL && strcmp(type, "chat") == 0;
    const char *code = json_string_value(json_object_get(message, "code"));
    /* the text of a failed backup comes from the log, which is always in English */
    bool is_keepers = code != NULL && strcmp(code, "failed") == 0;
    bool is_typed_by_person =
        is_keepers ||
        (kind != NULL && (strcmp(kind, "motd") == 0 || (is_chat && strcmp(kind, "system") != 0)));
    if (type == NULL || strcmp(type, "post") == 0 || strcmp(type, "reload_refused") == 0) {
        return; /* only programs or the operator read these texts */
    }
    if (json_object_get(message, "lines") != NULL && !is_chat) {
        check_answer_lines_are_translatable(message);
        return;
    }
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        check_sentence_is_translatable(json_object_get(message, "say"),
                                       json_object_get(message, keys[i]), is_typed_by_person);
    }
}
