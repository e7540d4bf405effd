#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <libssh/server.h>
#include <stdio.h>
#include <string.h>

/* room for the greeting and the longest reason that the core gives */
#define INSTRUCTION_BYTES 2048

/* Counts a request of the client. Returns true if the client may still sign in. */
static bool may_still_sign_in(struct sshd_auth *auth)
{
    auth->is_prompted = false; /* any new request ends a conversation by keyboard-interactive */
    if (++auth->requests > auth->requests_max) {
        auth->login->state = LOGIN_FAILED;
    }
    return auth->login->state == LOGIN_ASKING;
}

static int translate_to_ssh_result(enum login_result result)
{
    bool is_in = result == LOGIN_IN || result == LOGIN_UNREGISTERED;
    return is_in ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

/* Stores the reason why a guest or the key of an account was refused. The reason is shown above the
 * next prompt. */
static int store_refusal(struct sshd_auth *auth, enum login_result result)
{
    if (result == LOGIN_REFUSED) {
        login_write_refusal_note(auth->login, result, auth->note);
    }
    return translate_to_ssh_result(result);
}

static int authenticate_guest(UNUSED ssh_session session, const char *user, void *userdata)
{
    struct sshd_auth *auth = userdata;
    if (!may_still_sign_in(auth) || strcmp(user, "guest") != 0) {
        return SSH_AUTH_DENIED; /* the client only asks which methods of signing in there are */
    }
    return store_refusal(auth, login_as_guest(auth->login));
}

static int check_offered_key(struct sshd_auth *auth, const char *user, const char *type,
                             const char *fingerprint)
{
    if (++auth->key_probes > auth->key_probes_max) {
        auth->login->state = LOGIN_FAILED;
        return SSH_AUTH_DENIED;
    }
    enum login_result result = login_check_key(auth->login, user, type, fingerprint);
    return result == LOGIN_KNOWN ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

/* Checks a key, or accepts one whose signature is verified. libssh calls this with a key that has
 * no signature, or with one whose signature it has verified; it refuses bad signatures itself. */
static int authenticate_key(UNUSED ssh_session session, const char *user,
                            struct ssh_key_struct *key, char state, void *userdata)
{
    struct sshd_auth *auth = userdata;
    if (!may_still_sign_in(auth) || auth->login->is_banned || !sshd_key_is_accepted(key)) {
        return SSH_AUTH_DENIED;
    }
    unsigned char *hash = NULL;
    size_t len = 0;
    const char *type = ssh_key_type_to_char(ssh_key_type(key));
    if (type == NULL ||
        ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &len) != SSH_OK) {
        return SSH_AUTH_DENIED;
    }
    char *fingerprint = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, len);
    ssh_clean_pubkey_hash(&hash);
    int result = SSH_AUTH_DENIED;
    if (fingerprint != NULL && state == SSH_PUBLICKEY_STATE_NONE) {
        result = check_offered_key(auth, user, type, fingerprint);
    } else if (fingerprint != NULL && state == SSH_PUBLICKEY_STATE_VALID) {
        result = store_refusal(auth, login_by_key(auth->login, user, type, fingerprint));
    }
    ssh_string_free_char(fingerprint);
    return result;
}

/* Writes the text above a prompt: greeting and question together as the "instruction" of
 * keyboard-interactive. The text ends with a newline, because dropbear's client adds none. */
static void write_prompt_instruction(const struct sshd_auth *auth, char *instruction, size_t size)
{
    const struct login *login = auth->login;
    char greeting[128], note[LOGIN_NOTE_MAX];
    snprintf(greeting, sizeof(greeting), _("Welcome to %s."),
             login->house[0] == '\0' ? "Trickhouse" : login->house);
    if (login->is_banned) {
        login_write_ban_note(login, note);
        snprintf(instruction, size, "%s\n%s", greeting, auth->note[0] == '\0' ? note : auth->note);
        return;
    }
    snprintf(instruction, size, "%s\n%s%s\n", greeting, auth->note,
             login->takes_no_guests ? _("Type your password. New here? Just press Enter.")
                                    : _("Type your password. New here? Just press Enter.\n"
                                        "Only looking? Connect as \"guest\"."));
}

/* Asks for the password of the user named in the message, and stores the name, since the client's
 * answer does not repeat it. Returns 0 if libssh has sent the question. */
static int ask_for_password(struct sshd_auth *auth, ssh_message message)
{
    const char *user = ssh_message_auth_user(message);
    if (user == NULL || strlen(user) >= sizeof(auth->user)) {
        return 1;
    }
    memcpy(auth->user, user, strlen(user) + 1);
    auth->is_prompted = true;

    char question[64], instruction[INSTRUCTION_BYTES];
    snprintf(question, sizeof(question), "%s ",
             auth->login->is_banned ? login_appeal_question() : _("Password:"));
    write_prompt_instruction(auth, instruction, sizeof(instruction));
    auth->note[0] = '\0';
    const char *prompts[] = {question};
    char echo[] = {auth->login->is_banned ? 1 : 0};
    return ssh_message_auth_interactive_request(message, "", instruction, 1, prompts, echo) ==
                   SSH_OK
               ? 0
               : 1;
}

static int check_password_answer(struct sshd_auth *auth, ssh_session session, ssh_message message)
{
    if (ssh_userauth_kbdint_getnanswers(session) != 1) {
        return 1;
    }
    const char *answer = ssh_userauth_kbdint_getanswer(session, 0);
    if (answer == NULL) {
        return 1;
    }
    enum login_result result = login_by_password(auth->login, auth->user, answer);
    if (translate_to_ssh_result(result) != SSH_AUTH_SUCCESS) {
        login_write_refusal_note(auth->login, result, auth->note);
        return 1;
    }
    ssh_message_auth_reply_success(message, 0);
    return 0;
}

/* Handles the requests that no other callback handles: keyboard-interactive, and requests that are
 * refused. Returns 1 to let libssh refuse the request. */
static int handle_other_request(ssh_session session, ssh_message message, void *userdata)
{
    struct sshd_auth *auth = userdata;
    if (ssh_message_type(message) == SSH_REQUEST_SERVICE) {
        const char *service = ssh_message_service_service(message);
        if (service == NULL || strcmp(service, "ssh-userauth") != 0) {
            auth->login->state = LOGIN_FAILED;
        }
        /* accept any service: refusing it would only end the connection later */
        return 1;
    }
    if (ssh_message_type(message) != SSH_REQUEST_AUTH) {
        return 1;
    }
    bool was_prompted = auth->is_prompted;
    if (!may_still_sign_in(auth) || ssh_message_subtype(message) != SSH_AUTH_METHOD_INTERACTIVE) {
        return 1;
    }
    if (ssh_message_auth_kbdint_is_response(message) == 0) {
        return ask_for_password(auth, message);
    }
    return was_prompted ? check_password_answer(auth, session, message) : 1;
}

/* Refuses gssapi-with-mic, which libssh processes although it is not offered. */
static ssh_string refuse_gssapi_mechanisms(UNUSED ssh_session session, UNUSED const char *user,
                                           UNUSED int count, UNUSED ssh_string *oids,
                                           UNUSED void *userdata)
{
    return NULL;
}

static ssh_channel open_channel(UNUSED ssh_session session, void *userdata)
{
    struct sshd_auth *auth = userdata;
    return auth->login->state == LOGIN_SIGNED_IN ? sshd_channel_open(auth->channel) : NULL;
}

void sshd_auth_init(struct sshd_auth *auth, ssh_session session, struct login *login,
                    struct sshd_channel *channel)
{
    *auth = (struct sshd_auth){.login = login, .channel = channel};
    auth->callbacks = (struct ssh_server_callbacks_struct){
        .userdata = auth,
        .auth_none_function = authenticate_guest,
        .auth_pubkey_function = authenticate_key,
        .channel_open_request_session_function = open_channel,
        .gssapi_select_oid_function = refuse_gssapi_mechanisms,
    };
    ssh_callbacks_init(&auth->callbacks);
    ssh_set_server_callbacks(session, &auth->callbacks);
    ssh_set_message_callback(session, handle_other_request, auth);
}
