#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The server's side of telnet (RFC 854, 855), as pure arithmetic: bytes from the client go in, what
 * was typed and what is to be sent back come out. It knows BINARY (RFC 856), ECHO (857), SUPPRESS
 * GO AHEAD (858), NAWS (1073), TERMINAL-TYPE (1091) with MTTS, and refuses everything else.
 */
enum {
    TELNET_REPLIES_MAX = 64,     /* more answers than this no client needs: a default */
    TELNET_SUB_MAX = 64,         /* of one subnegotiation, its option included */
    TELNET_DISCARDED_MAX = 4096, /* bytes beyond that, in a whole connection: a default */
};

/*
 * One direction of one option (RFC 1143). We ask once, at the beginning; only our echo is taken
 * back and offered anew, to hide passwords from people whose client echoes.
 *
 *     NO ──(we ask)──▶ ASKED ──(agreed)──▶ YES ──(we take it back)──▶ LEAVING
 *      ▲ ▲               │ (refused)        │                            │
 *      │ └───────────────┘                  │                            │
 *      ├──────────────(taken back)──────────┴────────(understood)────────┘
 *      └──(the client asks for what we know)──▶ YES
 *
 * What we want of our echo meanwhile (RFC 1143's queue bit) is done once an answer has come.
 */
enum telnet_side {
    TELNET_NO = 0,
    TELNET_ASKED,
    TELNET_YES,
    TELNET_LEAVING,
};

enum telnet_result {
    TELNET_OK = 0,
    TELNET_TOO_MUCH, /* a limit above was passed: close the connection */
};

struct telnet_option {
    uint8_t ours, theirs; /* enum telnet_side: WILL and DO, as we see it */
};

struct telnet {
    /* What the client has said; yours to read. */
    struct telnet_option binary, echo, go_ahead, terminal, window;
    bool has_size;
    bool is_resized; /* set with every NAWS; the reader clears it */
    int columns, rows;
    bool has_terminal;  /* it has named its terminal for good */
    uint32_t abilities; /* MTTS bits, 0 without */

    /* Yours to change after telnet_begin. */
    int replies_max;
    size_t discarded_max;

    /* Its own. */
    bool wants_echo; /* ours, as soon as it can be had */
    uint8_t state, verb;
    bool was_cr;
    bool is_sub_lost; /* the present subnegotiation is too long or none: it is passed over */
    uint8_t names;    /* terminal names heard */
    char first[TELNET_SUB_MAX], second[TELNET_SUB_MAX];
    uint8_t sub[TELNET_SUB_MAX];
    size_t sub_len;
    size_t discarded;
    int replies;
};

/* Begins in place, and offers: WILL ECHO, SGA, BINARY; DO SGA, BINARY, NAWS, TTYPE. */
void telnet_begin(struct telnet *telnet, struct bytes *out);

/* Takes what has come. What was typed is added to `typed` (what it has no room for is lost): Enter,
 * whether it came as CR, CR NUL or CR LF, is one CR; interrupt and break are Ctrl-C, erase
 * character and erase line Delete and Ctrl-U. Answers are added to `out`. */
enum telnet_result telnet_receive(struct telnet *telnet, const uint8_t *bytes, size_t len,
                                  struct bytes *typed, struct bytes *out) MUST_CHECK;

/* Adds text for the terminal as the connection wants it: IAC doubled, and CR as CR NUL unless LF
 * follows or BINARY was agreed. At most twice the length. False when `out` has no room. */
bool telnet_encode(const struct telnet *telnet, const char *text, size_t len,
                   struct bytes *out) MUST_CHECK;

/* Asks what every client answers with or without knowing it (DO TIMING-MARK, RFC 860): whether it
 * is still there. The answer is not replied to. False when `out` has no room. */
bool telnet_ask(struct bytes *out) MUST_CHECK;

/* Offers to echo, or takes that back: a client that agrees shows nothing of what is typed. False
 * when `out` has no room. */
bool telnet_set_echo(struct telnet *telnet, bool is_on, struct bytes *out) MUST_CHECK;

/* True once the client has answered all that was offered it and that a screen needs to know. */
bool telnet_is_settled(const struct telnet *telnet);

/* The terminal's name in small letters, as the client gave it (any bytes); NULL for none. */
const char *telnet_terminal(const struct telnet *telnet);

/* MTTS bit 64: what is shown is read aloud. */
bool telnet_is_read_aloud(const struct telnet *telnet);
