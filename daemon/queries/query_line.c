#include "daemon/queries/queries.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable_ascii(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)line[i] < ' ' || (unsigned char)line[i] > '~') {
            return false;
        }
    }
    return true;
}

enum query_line_result query_line_split_words(const char *line, struct query_line *out)
{
    size_t len = strnlen(line, QUERY_LINE_MAX + 1);
    out->count = 0;
    if (len > QUERY_LINE_MAX || !is_printable_ascii(line, len)) {
        return QUERY_LINE_BAD;
    }
    memcpy(out->text, line, len + 1);
    for (char *at = out->text; *(at += strspn(at, " ")) != '\0';) {
        if (out->count == QUERY_WORDS_MAX) {
            return QUERY_LINE_BAD;
        }
        out->words[out->count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return out->count == 0 ? QUERY_LINE_EMPTY : QUERY_LINE_OK;
}

void query_line_copy_first_word(const char *line, char *word, size_t size)
{
    line += strspn(line, " ");
    size_t len = strcspn(line, " ");
    word[0] = '\0';
    if (len < size) {
        memcpy(word, line, len);
        word[len] = '\0';
    }
}

const char *query_line_skip_first_word(const char *line)
{
    line += strspn(line, " ");
    line += strcspn(line, " ");
    return line + strspn(line, " ");
}
