#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A text of limited length under construction, in memory that the caller owns. Writing past the end
 * is safe: the text is cut at a byte and is_cut stays set, so one check at the end is enough.
 * Always NUL-terminated.
 */
struct text {
    char *at;
    size_t len; /* length without the NUL */
    size_t cap; /* size of the buffer, NUL included, at least 1 */
    bool is_cut;
};

/* An empty text whose memory lasts until the end of the block: `struct text line = TEXT_OF(80);`,
 * or `&TEXT_OF(80)` for one call. */
#define TEXT_OF(bytes) ((struct text){.at = (char[bytes]){0}, .cap = sizeof(char[bytes])})

/* Starts an empty text in buffer[0..cap-1]; cap >= 1. The buffer must outlive the text. */
struct text text_init(char *buffer, size_t capacity);

void text_put(struct text *text, const char *string);
void text_put_bytes(struct text *text, const char *bytes, size_t len);
void text_put_char(struct text *text, char c);

/* Appends a decimal number, with '-' when it is negative. */
void text_put_number(struct text *text, int64_t number);

/* Appends two lower-case hex digits for each byte. */
void text_put_hex(struct text *text, const uint8_t *bytes, size_t len);

/* The index of a word in a NULL-ended list; -1 when the list does not have it or the word is
 * NULL. */
int text_find_word(const char *const *words, const char *word);

/* Appends a JSON string with its quotes. `string` is UTF-8; control characters are escaped. */
void text_put_json(struct text *text, const char *string);
