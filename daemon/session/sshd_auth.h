#pragma once

#include "daemon/session/login.h"

#include <libssh/callbacks.h>
#include <libssh/libssh.h>

struct sshd_channel;

/*
 * Signing in over SSH: by `none` for the user "guest", by public keys, or by keyboard-interactive.
 * Known and unknown names are offered the same methods and prompts; only the core knows which names
 * exist. A client that tries too many keys or sends too many requests is disconnected. libssh
 * accepts the answer to a request only inside its callback, so the callbacks wait for the core;
 * login.h limits that time.
 */
struct sshd_auth {
    struct login *login;
    struct sshd_channel *channel;
    int key_probes_max, requests_max; /* limits on the keys that a client tries and on all its
                                         requests, some of which cost the client nothing */
    int requests, key_probes;
    bool is_prompted; /* libssh waits for the answer to a prompt */
    char user[65];
    char note[LOGIN_NOTE_MAX]; /* shown above the next prompt: the reason why the last answer was
                                  refused */
    struct ssh_server_callbacks_struct callbacks;
};

/* Sets the SSH session's callbacks for signing in and, after that, for opening `channel`. All
 * arguments are borrowed, and `auth` must not move. Set the limits before any input is read. */
void sshd_auth_init(struct sshd_auth *auth, ssh_session session, struct login *login,
                    struct sshd_channel *channel);
