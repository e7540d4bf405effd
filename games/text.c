#include "games/text.h"

#include <assert.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

struct text text_init(char *buffer, size_t capacity)
{
    assert(capacity >= 1);
    buffer[0] = '\0';
    return (struct text){.at = buffer, .cap = capacity};
}

void text_put(struct text *text, const char *string)
{
    text_put_bytes(text, string, strlen(string));
}

void text_put_bytes(struct text *text, const char *bytes, size_t len)
{
    size_t room = text->cap - 1 - text->len;
    if (len > room) {
        len = room;
        text->is_cut = true;
    }
    memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
}

void text_put_char(struct text *text, char c)
{
    text_put_bytes(text, &c, 1);
}

void text_put_number(struct text *text, int64_t number)
{
    char digits[20]; /* 2^63 has 19 digits, plus the sign */
    size_t first = sizeof(digits);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        digits[--first] = '-';
    }
    text_put_bytes(text, digits + first, sizeof(digits) - first);
}

void text_put_hex(struct text *text, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        text_put_char(text, hex_digits[bytes[i] >> 4]);
        text_put_char(text, hex_digits[bytes[i] & 15]);
    }
}

static void text_put_json_char(struct text *text, char c)
{
    unsigned char byte = (unsigned char)c;
    if (c == '"' || c == '\\') {
        text_put_char(text, '\\');
        text_put_char(text, c);
    } else if (byte < 0x20) {
        text_put(text, "\\u00");
        text_put_hex(text, &byte, 1);
    } else {
        text_put_char(text, c);
    }
}

void text_put_json(struct text *text, const char *string)
{
    text_put_char(text, '"');
    for (const char *c = string; *c != '\0'; c++) {
        text_put_json_char(text, *c);
    }
    text_put_char(text, '"');
}

int text_find_word(const char *const *words, const char *word)
{
    size_t size = word == NULL ? 0 : strlen(word) + 1;
    for (int i = 0; size > 0 && words[i] != NULL; i++) {
        if (strlen(words[i]) + 1 == size && memcmp(words[i], word, size) == 0) {
            return i;
        }
    }
    return -1;
}
