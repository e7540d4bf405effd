#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>

/*
 * Makes keys of the bytes that a terminal sends: text in UTF-8, and control sequences (ECMA-48, and
 * what xterm, PuTTY, rxvt, the Linux console and kitty send beyond it). It does not depend on the
 * terminal's description, because many terminals send other keys than their description says, and
 * answers to questions that an earlier program has asked. A sequence without a meaning here is
 * dropped whole, however its bytes are spread over packets: its letters are never keys.
 *
 *     TEXT ──ESC──▶ ESCAPE ──[──▶ CSI ──(last byte)──▶ TEXT
 *      ▲              │ │ └──O──▶ SS3 ──(last byte)──▶ TEXT
 *      │              │ └─P X ] ^ _──▶ STRING ──(BEL, ESC \)──▶ TEXT
 *      └──(Alt + key)─┘
 *
 * Bytes between the marks of a paste are pasted characters (PRESS_PASTED), never keys.
 */
#define KEY_PARSER_PASTE_BEGIN "\033[200~"
#define KEY_PARSER_PASTE_END "\033[201~"
#define KEY_PARSER_BYTES_MAX 32

/* How long the parser waits for the next byte, in ms. */
#define KEY_PARSER_ESCAPE_MS 50  /* after an Esc, which may be a key of its own */
#define KEY_PARSER_REST_MS 1000  /* inside a sequence, whose rest is then dropped */
#define KEY_PARSER_PASTE_MS 5000 /* inside a paste, which has then lost its end */

/* Zero at first. The members are private. */
struct key_parser {
    uint8_t state;
    uint8_t
        escapes; /* number of Esc bytes before the sequence, 2: with the Alt key; 0: in a string */
    uint8_t len;
    char bytes[KEY_PARSER_BYTES_MAX]; /* the unfinished character or sequence; NUL-terminated */
    bool was_cr;
    bool is_pasting;
    bool is_after_break; /* the paste has had a line break since its last character */
    int64_t last_ms;     /* when the last byte came */
};

/* Takes a byte that came at the time now_ms. Returns true if it completes a key, which is then in
 * *press. CR LF is one Enter. */
bool key_parser_take(struct key_parser *parser, uint8_t byte, int64_t now_ms, struct press *press);

/* Returns the time until which the parser waits for the next byte; INT64_MAX: it does not wait. */
int64_t key_parser_due_ms(const struct key_parser *parser);

/* Ends the wait if no byte came until now_ms. Returns true if a lone Esc is now a key. Call it
 * until it returns false, and only when no byte is known to be on its way. */
bool key_parser_expire(struct key_parser *parser, int64_t now_ms, struct press *press);
