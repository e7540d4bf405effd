#pragma once

#include "daemon/base/bytes.h"

#include <stdint.h>

/*
 * The protocol for outside programs: a program sends one message a line, and the core takes one
 * message a packet (PROTOCOL.md, "Programs of other people"). No I/O here. The session has used
 * some request ids to sign in. The number of these is added to the ids in the program's requests,
 * and subtracted from the ids in the answers.
 *
 *     silent ──(its hello)──► greeted ──(the core's welcome)──► welcomed
 *
 * Pushes before that welcome belong to the session's own sign-in and are dropped.
 */
enum {
    API_LINE_MAX = 8192, /* longest line in bytes, without its newline; the core accepts requests of
                            the same length */
    API_IN_MAX = 2 * 65536,     /* bytes received and not yet processed */
    API_OUT_ENOUGH = 256 << 10, /* the session reads nothing more from the core while this many
                                   bytes of output are unsent */
    API_ID_MAX = INT32_MAX,     /* highest request id that a program may use */
};

enum api_phase {
    API_SILENT = 0,
    API_GREETED,
    API_WELCOMED,
};

struct api {
    int64_t ids_used; /* number of request ids that the session used before the program */
    enum api_phase phase;
    size_t unanswered; /* number of the program's requests that the core has not answered yet */
    bool has_bye;      /* the program has already been sent a `bye` */
    bool has_resync; /* the core was restarted and has lost the requests that it had not answered */
};

enum api_result {
    API_OK = 0,
    API_NONE,       /* no complete line has arrived */
    API_TOO_LONG,   /* the line, or the message made from it, is too long */
    API_NO_OBJECT,  /* the line is not a JSON object, or has too many values */
    API_NO_HELLO,   /* the first message is not hello */
    API_BAD_ID,     /* the id is not from 1 to API_ID_MAX */
    API_NOT_THEIRS, /* only a session may send this message */
};

/* Takes the next line from `in` and makes a packet for the core from it, which the caller frees.
 * Skips blank lines. If is_input_ended, an unfinished last line counts as a line. *packet is NULL
 * unless the result is API_OK. After the result API_TOO_LONG, or a result that follows it in the
 * enum, the caller must disconnect the program. */
enum api_result api_take_line(struct api *api, struct bytes *in, bool is_input_ended, char **packet,
                              size_t *len) MUST_CHECK;

/* Explains the error to the author of the program; NULL for API_OK and API_NONE. */
const char *api_explain_error(enum api_result result);

/* Adds the core's packet to `out` as a line, if the packet is for the program. Returns false if
 * `out` has no room: the caller must disconnect the program. */
bool api_pass_to_program(struct api *api, const char *packet, size_t len,
                         struct bytes *out) MUST_CHECK;

/* Adds a `bye` with the reason to `out`, unless the program has been sent one. */
void api_add_bye(struct api *api, const char *why, struct bytes *out);

/* True if the core has answered every request of the program. */
bool api_has_all_answers(const struct api *api);
