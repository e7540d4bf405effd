#pragma once

#include "daemon/base/bytes.h"

#include <stdint.h>

/*
 * The server's side of telnet (RFC 854, 855), without any I/O: bytes from the client go in; typed
 * characters and the bytes to send back come out. Supports BINARY (RFC 856), ECHO (857), SUPPRESS
 * GO AHEAD (858), NAWS (1073), TERMINAL-TYPE (1091) with MTTS, and NEW-ENVIRON (1572) for the
 * variable TZ, and refuses every other option.
 */
enum {
    TELNET_REPLIES_MAX = 64, /* default of replies_max: most replies sent to one client */
    TELNET_SUB_MAX = 64, /* longest subnegotiation in bytes, with the byte of its option's code */
    TELNET_DISCARDED_MAX = 4096, /* default of discarded_max: the most bytes of over-long
                                    subnegotiations that a client may send in a whole connection */
};

/*
 * The state of one direction of one option (RFC 1143). The server asks about each option
 * once, at the beginning. The only option that it withdraws and offers again is its own echo, so
 * that a client that echoes what is typed does not show passwords.
 *
 *     NO ──(we ask)──▶ ASKED ──(agreed)──▶ YES ──(we withdraw it)──▶ LEAVING
 *      ▲ ▲               │ (refused)        │                            │
 *      │ └───────────────┘                  │                            │
 *      ├────────(the client withdraws)──────┴───────(acknowledged)───────┘
 *      └──(the client asks for a supported option)──▶ YES
 *
 * While an answer about our echo is outstanding, a further change of the echo waits for that answer
 * (RFC 1143's queue bit).
 */
enum telnet_side {
    TELNET_NO = 0,
    TELNET_ASKED,
    TELNET_YES,
    TELNET_LEAVING,
};

enum telnet_result {
    TELNET_OK = 0,
    TELNET_TOO_MUCH, /* a limit was exceeded: close the connection */
};

struct telnet_option {
    uint8_t ours, theirs; /* state of the option on our side (WILL) and on the client's side (DO);
                             enum telnet_side */
};

struct telnet {
    /* What the client has sent or agreed to. The caller may read these members. */
    struct telnet_option binary, echo, go_ahead, terminal, window, environ;
    bool has_size;
    bool is_resized; /* set whenever the client sends a window size; the caller clears it */
    int columns, rows;
    bool has_terminal;         /* the client will send no further terminal name */
    char zone[TELNET_SUB_MAX]; /* the client's variable TZ, unchecked; "": it has sent none */
    uint32_t abilities; /* capability bits that the client sent by MTTS; UTF-8 if it sent none */

    /* Limits, which the caller may change after telnet_begin_negotiation. */
    int replies_max;
    size_t discarded_max;

    /* The members below are private to telnet.c. */
    bool wants_echo; /* we want to echo; if the client cannot be asked now, it is asked later */
    uint8_t state, verb;
    bool was_cr;
    bool is_sub_lost; /* the current subnegotiation is too long or malformed, and is skipped */
    uint8_t names;    /* number of terminal names received */
    char first[TELNET_SUB_MAX], second[TELNET_SUB_MAX];
    uint8_t sub[TELNET_SUB_MAX];
    size_t sub_len;
    size_t discarded;
    int replies;
};

/* Starts a negotiation: offers WILL ECHO, SGA, BINARY and asks for DO SGA, BINARY, NAWS, TTYPE,
 * NEW-ENVIRON. */
void telnet_begin_negotiation(struct telnet *telnet, struct bytes *out);

/* Handles input from the client. Adds typed characters to `typed`, and discards those for which
 * `typed` has no room. Enter, sent as CR, CR NUL or CR LF, becomes one CR; interrupt and break
 * become Ctrl-C; erase character and erase line become Delete and Ctrl-U. Adds replies to `out`. */
enum telnet_result telnet_receive(struct telnet *telnet, const uint8_t *bytes, size_t len,
                                  struct bytes *typed, struct bytes *out) MUST_CHECK;

/* Adds text for the terminal to `out`, encoded for the connection: IAC is doubled; CR becomes CR
 * NUL unless LF follows or BINARY was agreed. The result is at most twice as long as the text.
 * Returns false if `out` has no room. */
bool telnet_encode(const struct telnet *telnet, const char *text, size_t len,
                   struct bytes *out) MUST_CHECK;

/* Asks whether the client is still there (DO TIMING-MARK, RFC 860). Every client answers, even one
 * that does not know the option. We do not reply to that answer. Returns false if `out` has no
 * room. */
bool telnet_ask_if_client_is_alive(struct bytes *out) MUST_CHECK;

/* Offers that the server echoes what is typed, or withdraws that offer. A client that agrees no
 * longer shows what is typed. Returns false if `out` has no room. */
bool telnet_set_echo(struct telnet *telnet, bool is_on, struct bytes *out) MUST_CHECK;

/* True once the client has answered every offer that a screen depends on. */
bool telnet_is_negotiated(const struct telnet *telnet);

/* Returns the name of the client's terminal in lower case; NULL if the client sent none. The name
 * is not checked: it may contain any bytes. */
const char *telnet_terminal_name(const struct telnet *telnet);

/* False if the client says that it does not show UTF-8 (MTTS without bit 4). */
bool telnet_client_shows_utf8(const struct telnet *telnet);

/* True if the client says that a screen reader is in use (MTTS bit 64). */
bool telnet_client_uses_screen_reader(const struct telnet *telnet);
