#include "daemon/verbs/verb_line.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)line[i] < ' ' || (unsigned char)line[i] > '~') {
            return false;
        }
    }
    return true;
}

enum verb_line_result verb_line_read(const char *line, struct verb_line *out)
{
    size_t len = strnlen(line, VERB_LINE_MAX + 1);
    out->count = 0;
    if (len > VERB_LINE_MAX || !is_printable(line, len)) {
        return VERB_LINE_BAD;
    }
    memcpy(out->text, line, len + 1);
    for (char *at = out->text; *(at += strspn(at, " ")) != '\0';) {
        if (out->count == VERB_WORDS_MAX) {
            return VERB_LINE_BAD;
        }
        out->words[out->count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return out->count == 0 ? VERB_LINE_EMPTY : VERB_LINE_OK;
}

void verb_line_first(const char *line, char *word, size_t size)
{
    line += strspn(line, " ");
    size_t len = strcspn(line, " ");
    word[0] = '\0';
    if (len < size) {
        memcpy(word, line, len);
        word[len] = '\0';
    }
}

const char *verb_line_rest(const char *line)
{
    line += strspn(line, " ");
    line += strcspn(line, " ");
    return line + strspn(line, " ");
}
