#include "daemon/screens/drawing/draw.h"
#include "tests/fuzz/fuzz.h"

/*
 * A terminal sends arbitrary bytes. Every key must be one that screens know, no pasted character
 * may be a control character, and the parser must be ready for the next key some seconds later.
 * Then the same bytes are the content of an answer of the terminal, of which nothing may become a
 * key, and of a paste, of which nothing but text may.
 */

#define MS_LATER 10000

static void check_key(const struct press *press)
{
    fuzz_assert(press->kind <= PRESS_WHEEL_DOWN);
    fuzz_assert(press->row >= 0 && press->column >= 0);
    if (press->kind == PRESS_CHAR || press->kind == PRESS_PASTED) {
        fuzz_assert(press->code < 0x80 || (press->code >= 0xA0 && press->code <= 0x10FFFF));
    }
    fuzz_assert(press->kind != PRESS_PASTED || press->code >= ' ');
}

/* Returns the number of keys that the bytes make. */
static size_t type_bytes(struct key_parser *parser, const uint8_t *bytes, size_t len)
{
    struct press press;
    size_t keys = 0;
    for (size_t i = 0; i < len; i++) {
        if (key_parser_take(parser, bytes[i], 0, &press)) {
            check_key(&press);
            keys++;
        }
    }
    return keys;
}

static void type_text(struct key_parser *parser, const char *text)
{
    fuzz_assert(type_bytes(parser, (const uint8_t *)text, strlen(text)) == 0);
}

static void check_parser_is_ready(struct key_parser *parser)
{
    struct press press;
    for (int64_t later_ms = MS_LATER; later_ms <= 2 * MS_LATER; later_ms += MS_LATER) {
        while (key_parser_expire(parser, later_ms, &press)) {
            check_key(&press);
        }
    }
    fuzz_assert(key_parser_due_ms(parser) == INT64_MAX);
    fuzz_assert(key_parser_take(parser, 'q', 0, &press));
    fuzz_assert(press.kind == PRESS_CHAR && press.code == 'q');
}

static void check_answer(const uint8_t *bytes, size_t len)
{
    struct key_parser parser = {0};
    type_text(&parser, "\033]");
    for (size_t i = 0; i < len; i++) {
        bool is_content = bytes[i] >= ' ' && bytes[i] != 0x9c;
        fuzz_assert(!is_content || type_bytes(&parser, bytes + i, 1) == 0);
    }
    type_text(&parser, "\033\\");
    fuzz_assert(key_parser_due_ms(&parser) == INT64_MAX);
}

static void check_paste(const uint8_t *bytes, size_t len)
{
    struct key_parser parser = {0};
    struct press press;
    type_text(&parser, KEY_PARSER_PASTE_BEGIN);
    for (size_t i = 0; i < len; i++) {
        bool is_key = bytes[i] != '\033' && key_parser_take(&parser, bytes[i], 0, &press);
        fuzz_assert(!is_key || press.kind == PRESS_PASTED);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct key_parser parser = {0};
    fuzz_assert(type_bytes(&parser, bytes, len) <= len);
    check_parser_is_ready(&parser);
    check_answer(bytes, len);
    check_paste(bytes, len);
    return 0;
}
