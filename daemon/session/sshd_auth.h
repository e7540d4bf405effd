#ifndef DAEMON_SESSION_SSHD_AUTH_H
#define DAEMON_SESSION_SSHD_AUTH_H

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <stdbool.h>

struct door;
struct sshd_channel;

/*
 * Signing in over SSH: `none` for the user "guest", public keys, keyboard-interactive. Whatever the
 * name, known or not, the same methods and prompts are offered; the core alone knows more.
 *
 *     asking ──(key or answer the core accepts)──► in
 *        └──(6 wrong tries, 20 key probes, 100 requests, no core)──► over
 *
 * libssh takes the answer to a request only from inside its callback, so the callbacks wait there
 * for the core (door.h bounds that, and nothing else is to be done meanwhile).
 */
enum sshd_auth_state {
    SSHD_AUTH_ASKING = 0,
    SSHD_AUTH_IN, /* the door holds who it is */
    SSHD_AUTH_OVER,
};

struct sshd_auth {
    struct door *door;
    struct sshd_channel *channel;
    enum sshd_auth_state state;
    int requests, wrong_tries, key_probes;
    bool is_visitor;
    bool is_core_gone; /* over because no answer came: not the client's fault */
    bool is_prompted;  /* an answer is due, for: */
    char user[65];
    char house[65]; /* its name, for the greeting; "": not known (set by the caller, any time) */
    char note[160]; /* said above the next prompt: why the last answer did not do */
    struct ssh_server_callbacks_struct callbacks;
};

/* Sets the session's callbacks: auth, and opening `channel` afterwards. All is borrowed, and `auth`
 * must stay where it is. */
void sshd_auth_init(struct sshd_auth *auth, ssh_session session, struct door *door,
                    struct sshd_channel *channel);

#endif
