#include "fake_core.h"

#include "daemon/base/base.h"

#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    PEERS_MAX = 1024
};

struct fake_core {
    int log_fd;
    bool is_restarted;
    size_t count;
    struct pollfd peers[PEERS_MAX]; /* sockets of the core's peers; the first is the gate's */
    json_int_t conns[PEERS_MAX];
};

/* Sends a message. Does not fail if the peer has left: the next read from the peer notices that. */
static void send_message(int socket, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    enum packet_result result =
        text == NULL ? PACKET_BAD : packet_send(socket, text, strlen(text), -1);
    if (result != PACKET_OK && result != PACKET_CLOSED) {
        _exit(3);
    }
    free(text);
    json_decref(message);
}

static const char *get_string_or_empty(const json_t *message, const char *key)
{
    const char *text = json_string_value(json_object_get(message, key));
    return text == NULL ? "" : text;
}

static json_t *make_sign_in_answer(const char *name, const char *kind)
{
    return json_pack("{s:s, s:s, s:{s:s, s:s}}", "t", "ok", "result", "in", "you", "name", name,
                     "kind", kind);
}

static json_t *make_unregistered_answer(const char *name)
{
    return json_pack("{s:s, s:s, s:s}", "t", "ok", "result", "visitor", "name", name);
}

static json_t *make_answer_to_sign_in(const json_t *message)
{
    const char *name = get_string_or_empty(message, "name"),
               *password = get_string_or_empty(message, "password");
    const char *method = get_string_or_empty(message, "method");
    if (strcmp(method, "guest") == 0) {
        return make_sign_in_answer("guest-7", "guest");
    }
    if (strcmp(method, "key") == 0) {
        return strcmp(name, "mira") == 0 ? make_sign_in_answer("mira", "player")
                                         : make_unregistered_answer(name);
    }
    if (password[0] == '\0') {
        return make_unregistered_answer("");
    }
    if (strcmp(name, "mira") == 0 && strcmp(password, "correct horse") == 0) {
        return make_sign_in_answer("mira", "player");
    }
    if (strcmp(password, "again") == 0) {
        return json_pack("{s:s, s:s, s:i}", "t", "no", "code", "wait", "wait_s", 4);
    }
    return json_pack("{s:s, s:s}", "t", "no", "code", "denied");
}

static json_t *make_answer_to_key_check(const json_t *message)
{
    const char *name = get_string_or_empty(message, "name");
    if (strcmp(name, "taken") == 0) {
        return json_pack("{s:s, s:s}", "t", "no", "code", "denied");
    }
    if (strcmp(name, "mira") == 0) {
        return json_pack("{s:s, s:s, s:s}", "t", "ok", "result", "known", "name", "mira");
    }
    return json_pack("{s:s, s:s}", "t", "ok", "result", "new");
}

static void answer_session_message(int socket, const json_t *message)
{
    json_t *answer = NULL;
    if (strcmp(get_string_or_empty(message, "t"), "hello") == 0) {
        send_message(socket, json_pack("{s:s, s:i}", "t", "welcome", "protocol", 3));
        send_message(socket, json_pack("{s:s, s:s}", "t", "notice", "text", "hello hello"));
        return;
    }
    if (strcmp(get_string_or_empty(message, "t"), "key_check") == 0) {
        answer = make_answer_to_key_check(message);
    } else if (strcmp(get_string_or_empty(message, "t"), "sign_in") == 0) {
        answer = make_answer_to_sign_in(message);
    } else {
        answer = json_pack("{s:s}", "t", "ok");
    }
    json_object_set(answer, "id", json_object_get(message, "id"));
    send_message(socket, answer);
}

static void answer_gate_message(struct fake_core *fake_core, const json_t *message, int passed_fd)
{
    if (strcmp(get_string_or_empty(message, "t"), "hello") == 0) {
        send_message(fake_core->peers[0].fd,
                     json_pack("{s:s, s:i}", "t", "welcome", "protocol", 3));
    } else if (strcmp(get_string_or_empty(message, "t"), "connection") == 0) {
        if (passed_fd < 0 || fake_core->count == PEERS_MAX) {
            _exit(4);
        }
        fake_core->conns[fake_core->count] = json_integer_value(json_object_get(message, "conn"));
        fake_core->peers[fake_core->count++] = (struct pollfd){.fd = passed_fd, .events = POLLIN};
        if (fake_core->is_restarted) {
            send_message(passed_fd, json_pack("{s:s}", "t", "resync"));
        }
    }
}

static void disconnect_peer(struct fake_core *fake_core, size_t peer_index)
{
    close(fake_core->peers[peer_index].fd);
    fake_core->count--;
    fake_core->peers[peer_index] = fake_core->peers[fake_core->count];
    fake_core->conns[peer_index] = fake_core->conns[fake_core->count];
}

static void receive_and_answer_message(struct fake_core *fake_core, size_t peer_index)
{
    char buffer[PACKET_MAX];
    size_t len = 0;
    int passed_fd = -1;
    enum packet_result result =
        packet_receive(fake_core->peers[peer_index].fd, buffer, &len, &passed_fd);
    if (result == PACKET_AGAIN) {
        return;
    }
    if (result != PACKET_OK && peer_index == 0) {
        _exit(0); /* the gate has closed its end */
    }
    if (result != PACKET_OK) {
        disconnect_peer(fake_core, peer_index);
        return;
    }
    json_t *message = json_loadb(buffer, len, 0, NULL);
    char who[32] = "gate";
    if (peer_index > 0) {
        snprintf(who, sizeof(who), "%lld", (long long)fake_core->conns[peer_index]);
    }
    bool is_in = json_is_true(json_object_get(message, "signed_in"));
    dprintf(fake_core->log_fd, "%s %s%s\n", who, get_string_or_empty(message, "t"),
            is_in ? ", signed in" : "");
    if (peer_index == 0) {
        answer_gate_message(fake_core, message, passed_fd);
    } else {
        answer_session_message(fake_core->peers[peer_index].fd, message);
    }
    json_decref(message);
}

pid_t fake_core_start(int core_end, int log_fd, int is_restarted)
{
    pid_t pid = fork();
    if (pid != 0) {
        return pid;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* so a failed test leaves no process behind */
    struct fake_core fake_core = {
        .log_fd = log_fd,
        .is_restarted = is_restarted != 0,
        .count = 1,
        .peers = {{.fd = core_end, .events = POLLIN}},
    };
    if (fake_core.is_restarted) {
        send_message(core_end, json_pack("{s:s}", "t", "resync"));
    }
    while (poll(fake_core.peers, (nfds_t)fake_core.count, -1) >= 0) {
        for (size_t i = fake_core.count; i-- > 0;) {
            if (fake_core.peers[i].revents != 0) {
                receive_and_answer_message(&fake_core, i);
            }
        }
    }
    _exit(5);
}
