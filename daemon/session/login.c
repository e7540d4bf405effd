#include "daemon/base/i18n.h"
#include "daemon/screens/model/model.h"
#include "daemon/session/session_state.h"
#include "lobby/protocol/protocol.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    PACKETS_PER_PASS = 64
};

/* Sends what waits, as far as the socket has room. */
static void send_waiting_packets(struct core_link *link)
{
    enum packet_result result = packet_queue_send(&link->waiting, link->socket);
    link->is_broken |= result == PACKET_CLOSED || result == PACKET_BAD;
}

void core_link_send(struct core_link *link, const char *packet, size_t len)
{
    bool is_first = link->waiting.count == 0;
    link->is_broken |= link->waiting.count == CORE_LINK_QUEUE_MAX;
    if (link->is_broken) {
        return;
    }
    packet_queue_add(&link->waiting, packet, len, -1);
    if (is_first) {
        send_waiting_packets(link);
    }
}

static void send_packet(void *context, const char *json, size_t len)
{
    core_link_send(context, json, len);
}

struct core_link *core_link_new(int socket)
{
    struct core_link *link = must_allocate(sizeof(*link));
    link->buffer = must_not_be_null(malloc(PACKET_MAX));
    link->socket = socket;
    link->client = client_new(send_packet, link);
    return link;
}

short core_link_get_poll_events(const struct core_link *link)
{
    return link->waiting.count == 0 ? POLLIN : POLLIN | POLLOUT;
}

/* Receives one packet. Returns false if no packet was waiting, or if no more should be read. */
static bool receive_packet(struct core_link *link)
{
    size_t len = 0;
    enum packet_result result = packet_receive(link->socket, link->buffer, &len, NULL);
    if (result == PACKET_OK && link->take != NULL) {
        return link->take(link->take_context, link->buffer, len);
    }
    if (result == PACKET_OK) {
        if (client_receive_packet(link->client, link->buffer, len) == CLIENT_OK) {
            return true;
        }
        link->is_broken = true;
    } else if (result != PACKET_AGAIN) {
        link->is_broken = true;
    }
    return false;
}

bool core_link_exchange_packets(struct core_link *link)
{
    send_waiting_packets(link);
    for (int i = 0; i < PACKETS_PER_PASS && !link->is_broken && receive_packet(link); i++) {
    }
    return !link->is_broken;
}

enum core_link_wait {
    CORE_LINK_DONE = 0,
    CORE_LINK_LATE,   /* the deadline has passed */
    CORE_LINK_HUNGUP, /* the client has closed its connection, or stop_fd is readable */
    CORE_LINK_BROKEN,
};

/* Serves the link until the callback of an answer sets *is_done. Reads no more packets than needed.
 * Watches the client's connection `peer_fd`, but only to notice that it is closed. deadline_ms is
 * monotonic. */
static enum core_link_wait core_link_wait(struct core_link *link, const bool *is_done, int peer_fd,
                                          int stop_fd, int64_t deadline_ms)
{
    for (;;) {
        send_waiting_packets(link);
        while (!*is_done && !link->is_broken && receive_packet(link)) {
        }
        if (*is_done) {
            return CORE_LINK_DONE;
        }
        if (link->is_broken) {
            return CORE_LINK_BROKEN;
        }
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            return CORE_LINK_LATE;
        }
        struct pollfd fds[] = {
            {.fd = link->socket, .events = core_link_get_poll_events(link)},
            {.fd = peer_fd, .events = POLLRDHUP},
            {.fd = stop_fd, .events = POLLIN},
        };
        if (poll(fds, ARRAY_LEN(fds), (int)left_ms) > 0 &&
            (fds[1].revents != 0 || fds[2].revents != 0)) {
            return CORE_LINK_HUNGUP;
        }
    }
}

enum {
    NAME_BYTES_MAX = 64, /* size that is large enough for the name of every account */
    /* width of the notes: the size of the terminal is not yet known, and even narrow terminals have
     * 80 columns */
    NOTE_COLUMNS = 78
};

/* what a banned person types is an appeal if it begins with this word */
static const char appeal_word[] = "appeal ";

struct answer {
    bool is_done, is_ok;
    json_t *message; /* the core's answer; owned */
};

static void store_answer(void *context, bool is_ok, const json_t *message)
{
    struct answer *answer = context;
    answer->is_done = true;
    answer->is_ok = is_ok;
    answer->message = json_deep_copy(message);
}

static bool member_equals(const json_t *message, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(message, key));
    return text != NULL && strcmp(text, value) == 0;
}

/* Stores the ban from the answer. The code `unknown` means that the ban has ended in the
 * meantime. */
static void store_ban_from_answer(struct login *login, const json_t *message)
{
    login->is_banned = member_equals(message, "code", "banned") ||
                       (login->is_banned && !member_equals(message, "code", "unknown"));
}

static enum login_result read_refusal(struct login *login, const json_t *message)
{
    store_ban_from_answer(login, message);
    if (member_equals(message, "code", "wait")) {
        json_int_t seconds = json_integer_value(json_object_get(message, "wait_s"));
        login->wait_seconds = seconds < 1 ? 1 : seconds > 3600 ? 3600 : (int32_t)seconds;
        return LOGIN_WAIT;
    }
    if (member_equals(message, "code", "busy")) {
        return LOGIN_BUSY;
    }
    const char *why = json_string_value(json_object_get(message, "why"));
    if (why == NULL || member_equals(message, "code", "denied")) {
        return LOGIN_DENIED;
    }
    model_read_sentence(message, "why", login->why, sizeof(login->why));
    return LOGIN_REFUSED;
}

static enum login_result end_login_without_core(struct login *login)
{
    login->state = LOGIN_FAILED;
    login->is_core_gone = true;
    return LOGIN_NO_CORE;
}

static enum login_result read_acceptance(struct login *login, const json_t *message)
{
    if (member_equals(message, "result", "in")) {
        json_t *you = json_object_get(message, "you");
        json_decref(login->you);
        login->is_guest = member_equals(you, "kind", "guest");
        login->you = json_is_object(you) ? json_incref(you) : NULL;
        return login->you == NULL ? end_login_without_core(login) : LOGIN_IN;
    }
    if (member_equals(message, "result", "visitor")) {
        const char *name = json_string_value(json_object_get(message, "name"));
        snprintf(login->suggested, sizeof(login->suggested), "%s", name == NULL ? "" : name);
        return LOGIN_UNREGISTERED;
    }
    bool is_known =
        member_equals(message, "result", "known") || member_equals(message, "result", "new");
    return is_known ? LOGIN_KNOWN : LOGIN_DENIED;
}

static enum login_result ask_core(struct login *login, const char *type, json_t *fields)
{
    struct answer answer = {0};
    if (!client_send_request(login->link->client, type, fields, store_answer, &answer)) {
        return end_login_without_core(login);
    }
    /* After a failed wait the link's client still points to `answer`, which is on this function's
     * stack. That is safe: LOGIN_NO_CORE ends the connection before the link is served again. */
    if (core_link_wait(login->link, &answer.is_done, login->peer_fd, login->stop_fd,
                       login->deadline_ms) != CORE_LINK_DONE) {
        return end_login_without_core(login);
    }
    enum login_result result =
        answer.is_ok ? read_acceptance(login, answer.message) : read_refusal(login, answer.message);
    json_decref(answer.message);
    return result;
}

/* Records the result of an attempt to sign in, and counts wrong tries. */
static enum login_result store_result(struct login *login, enum login_result result)
{
    if (result == LOGIN_IN || result == LOGIN_UNREGISTERED) {
        login->state = LOGIN_SIGNED_IN;
        login->is_unregistered = result == LOGIN_UNREGISTERED;
    } else if (result != LOGIN_NO_CORE && ++login->wrong_tries >= login->tries_max) {
        login->state = LOGIN_FAILED;
    }
    return result;
}

static json_t *make_json_of_name(const char *name)
{
    json_t *text = strlen(name) <= NAME_BYTES_MAX ? json_string(name) : NULL;
    return text != NULL
               ? text
               : json_string(
                     ""); /* jansson accepts only UTF-8: a name that is not UTF-8 is sent as "" */
}

static json_t *make_json_of_ssh_key(const char *type, const char *fingerprint)
{
    return json_pack("{s:s, s:s}", "type", type, "fingerprint", fingerprint);
}

enum login_result login_check_key(struct login *login, const char *name, const char *type,
                                  const char *fingerprint)
{
    return ask_core(login, "key_check",
                    json_pack("{s:o, s:o}", "name", make_json_of_name(name), "key",
                              make_json_of_ssh_key(type, fingerprint)));
}

/* Asks the core to sign the client in; takes over the reference to `fields`. */
static enum login_result send_sign_in_request(struct login *login, const char *method,
                                              json_t *fields)
{
    if (json_object_set_new(fields, "method", json_string(method)) != 0 ||
        json_object_set_new(fields, "asks", json_boolean(login->is_query_only)) != 0) {
        abort();
    }
    return store_result(login, ask_core(login, "sign_in", fields));
}

void login_enter_house(const struct login *login, const char *enter_as)
{
    json_t *fields = enter_as == NULL ? NULL : json_pack("{s:s}", "as", enter_as);
    if (login->is_query_only &&
        !client_send_request(login->link->client, "come_in", fields, NULL, NULL)) {
        abort(); /* cannot fail: the link's client queues up to 64 requests */
    }
}

enum login_result login_by_key(struct login *login, const char *name, const char *type,
                               const char *fingerprint)
{
    json_t *fields = json_pack("{s:o, s:o}", "name", make_json_of_name(name), "key",
                               make_json_of_ssh_key(type, fingerprint));
    enum login_result result = send_sign_in_request(login, "key", fields);
    login->has_key = result == LOGIN_UNREGISTERED;
    return result;
}

enum login_result login_by_password(struct login *login, const char *name, const char *password)
{
    if (login->is_banned && strncasecmp(password, appeal_word, strlen(appeal_word)) != 0) {
        /* A client may send a stored password by itself: staff must not read that password as an
         * appeal. */
        (void)snprintf(login->why, sizeof(login->why), "%s",
                       _("Nothing was sent. To appeal, type the word appeal and then your reason, "
                         "as in: appeal It was my brother."));
        return store_result(login, LOGIN_REFUSED);
    }
    json_t *text = json_string(password);
    if (text == NULL) {
        /* the password is wrong: every account's password is UTF-8 */
        return store_result(login, LOGIN_DENIED);
    }
    return send_sign_in_request(
        login, "password",
        json_pack("{s:o, s:o}", "name", make_json_of_name(name), "password", text));
}

enum login_result login_as_guest(struct login *login)
{
    return send_sign_in_request(login, "guest", json_object());
}

const char *login_appeal_question(void)
{
    return _("Type appeal and your reason:");
}

/* Breaks a text at blanks into lines, each of which ends with '\n'. */
static void wrap_note(const char *text, char note[LOGIN_NOTE_MAX])
{
    const struct lines_look look = {.width = NOTE_COLUMNS, .end = "\n"};
    struct lines lines;
    struct bytes out;
    lines_init(&lines, LINES_LINE_MAX);
    bytes_init(&out, LOGIN_NOTE_MAX - 1);
    lines_put(&lines, text);
    bool is_whole = lines_write(&lines, &look, &out);
    (void)is_whole; /* the note may have been truncated */
    (void)snprintf(note, LOGIN_NOTE_MAX, "%.*s", (int)out.len, out.len == 0 ? "" : out.at);
    bytes_clear(&out);
    lines_clear(&lines);
}

void login_write_refusal_note(const struct login *login, enum login_result result,
                              char note[LOGIN_NOTE_MAX])
{
    const char *text = _("That was not right.");
    char wait[128];
    if (result == LOGIN_WAIT) {
        snprintf(wait, sizeof(wait),
                 _("Too many wrong passwords for this name: wait %d s before the next."),
                 (int)login->wait_seconds);
        text = wait;
    } else if (result == LOGIN_BUSY) {
        text = _("The house is busy with sign-ins: please try again in a moment.");
    } else if (result == LOGIN_REFUSED) {
        text = login->why;
    }
    wrap_note(text, note);
}
