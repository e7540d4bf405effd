#pragma once

#include "daemon/base/bytes.h"
#include "daemon/screens/drawing/key_parser.h"

struct login;

/*
 * Signing in over telnet: asks for a name and a password in plain lines, edited and echoed here or
 * by the client. Known and unknown names get the same questions.
 *
 *     name ──guest──▶ (the core)
 *      ▲ │ ──new────▶ (the core: unregistered)
 *      │ └──(a name)──▶ password ──▶ (the core)
 *      └────(only Enter, or refused)────┘
 *
 * Somebody found to be banned is from then on asked only for an appeal.
 */
enum {
    TELNET_LOGIN_LINE_MAX = 400 /* longest line in bytes; further input is refused */
};

struct telnet_login {
    struct login *sign_in; /* borrowed */
    bool is_at_password;
    bool is_at_appeal;
    bool is_echoed; /* the server, not the client, edits and shows what is typed; the caller may
                       change this */
    bool has_left;  /* the person has typed Ctrl-C or Ctrl-D */
    struct key_parser keys;
    char name[TELNET_LOGIN_LINE_MAX + 1];
    char line[TELNET_LOGIN_LINE_MAX + 1]; /* the current line, which may be a password */
    size_t len;
};

/* Asks the first question. `out` is shown on the terminal. If is_echoed, the server edits and shows
 * what is typed; otherwise the client does. */
void telnet_login_begin(struct telnet_login *login, struct login *sign_in, bool is_echoed,
                        struct bytes *out);

/* Handles input typed at now_ms until the person has signed in, has been refused for good, or has
 * left. The rest of `typed` is then meant for the screen. Waits for the core's answers (login.h).
 */
void telnet_login_handle(struct telnet_login *login, struct bytes *typed, int64_t now_ms,
                         struct bytes *out);
