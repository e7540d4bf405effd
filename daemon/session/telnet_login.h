#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>

struct door;

/*
 * Signing in where the client does not do it: name and password on plain lines, edited and echoed
 * here or by the client. Asks for both whatever the name, known or not.
 *
 *     name ──guest──▶ (the door)
 *      ▲ │ ──new────▶ (the door: a visitor)
 *      │ └──(a name)──▶ password ──▶ (the door)
 *      └────(Enter alone, refused)──────┘
 *
 * Who turns out to be banned is asked for an appeal from then on, and for nothing else.
 */
enum {
    TELNET_LOGIN_LINE_MAX = 400 /* bytes; what is typed beyond is not taken */
};

struct telnet_login {
    struct door *door; /* borrowed */
    bool is_at_password;
    bool is_at_appeal;
    bool is_echoed; /* what is typed is shown by us; yours to set */
    bool has_left;  /* Ctrl-C or Ctrl-D */
    char name[TELNET_LOGIN_LINE_MAX + 1];
    char line[TELNET_LOGIN_LINE_MAX + 1]; /* may be a password */
    size_t len;
};

/* Begins in place, with the first question. `out` is for the terminal; is_echoed: what is typed is
 * edited and shown by us, not by the client. */
void telnet_login_begin(struct telnet_login *login, struct door *door, bool is_echoed,
                        struct bytes *out);

/* Takes what was typed, until the door is no longer asking or the person has left: what is left in
 * `typed` then is for the screen. Waits for the core (door.h). */
void telnet_login_take(struct telnet_login *login, struct bytes *typed, struct bytes *out);
