#pragma once

#include "daemon/session/door.h"

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <stdbool.h>

struct sshd_channel;

/*
 * Signing in over SSH: `none` for the user "guest", public keys, keyboard-interactive. Whatever the
 * name, known or not, the same methods and prompts are offered; the core alone knows more. Too many
 * key probes or requests shut the door.
 *
 * libssh takes the answer to a request only from inside its callback, so the callbacks wait there
 * for the core (door.h bounds that, and nothing else is to be done meanwhile).
 */
struct sshd_auth {
    struct door *door;
    struct sshd_channel *channel;
    int key_probes_max, requests_max; /* of any kind: some cost the client nothing */
    int requests, key_probes;
    bool is_prompted; /* an answer is due, for: */
    char user[65];
    char note[DOOR_NOTE_MAX]; /* said above the next prompt: why the last answer did not do */
    struct ssh_server_callbacks_struct callbacks;
};

/* Sets the session's callbacks: auth, and opening `channel` afterwards. All is borrowed, and `auth`
 * must stay where it is. The caller then sets the maxima, before anything has come. */
void sshd_auth_init(struct sshd_auth *auth, ssh_session session, struct door *door,
                    struct sshd_channel *channel);
