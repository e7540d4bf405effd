#pragma once

#include "daemon/base/bytes.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The protocol for outside programs: one message a line there, one a packet here (PROTOCOL.md,
 * "Programs of other people"). Knows no socket. The session has signed in by requests of its own,
 * so a program's ids are raised by as many on their way to the core, and lowered on their way back.
 *
 *     silent ──(its hello)──► greeted ──(the core's welcome)──► welcomed
 *
 * What the core pushes before that welcome belongs to the session's own beginning and is dropped.
 */
enum {
    API_LINE_MAX = 8192,        /* bytes, without the end of line: as the core takes it */
    API_IN_MAX = 2 * 65536,     /* what may have come and not be taken yet */
    API_OUT_ENOUGH = 256 << 10, /* with so much unread, nothing more is taken from the core */
    API_ID_MAX = INT32_MAX,     /* a program's ids */
};

enum api_phase {
    API_SILENT = 0,
    API_GREETED,
    API_WELCOMED,
};

struct api {
    int64_t ids_used; /* by the session before the program */
    enum api_phase phase;
    size_t unanswered; /* requests */
    bool has_bye;      /* the program has been told that it is over */
    bool has_resync;   /* the core knows nothing of what is unanswered */
};

enum api_result {
    API_OK = 0,
    API_NONE,       /* there is no whole line yet */
    API_TOO_LONG,   /* a line, or the message made of it, is longer than may be */
    API_NO_OBJECT,  /* a line that is no JSON object, or holds too much */
    API_NO_HELLO,   /* the first message is another */
    API_BAD_ID,     /* not from 1 to API_ID_MAX */
    API_NOT_THEIRS, /* says who somebody is, for which the core takes a session's word */
};

/* Takes the next line out of `in` and makes the core's packet of it, which the caller frees; blank
 * lines are passed over. With is_ended, what is left counts as a line. *packet is NULL unless
 * API_OK. After any result from API_TOO_LONG on, the program has to go. */
enum api_result api_take_line(struct api *api, struct bytes *in, bool is_ended, char **packet,
                              size_t *len) MUST_CHECK;

/* Why, for the program's author; NULL for API_OK and API_NONE. */
const char *api_reason(enum api_result result);

/* Adds the core's packet to `out` as a line, if it is for the program. False when it does not fit:
 * give up the connection. */
bool api_pass_on(struct api *api, const char *packet, size_t len, struct bytes *out) MUST_CHECK;

/* Adds `bye` with the reason, unless the core has said it. */
void api_say_bye(struct api *api, const char *why, struct bytes *out);

/* True when nothing more will come of what the program has said. */
bool api_is_settled(const struct api *api);
