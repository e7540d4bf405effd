#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t draw_random_number(void)
{
    uint32_t dice = 0;
    if (getrandom(&dice, sizeof(dice), GRND_NONBLOCK) != (ssize_t)sizeof(dice)) {
        dice = 0; /* without randomness, refuse this connection if some connections are refused at
                     random now */
    }
    return dice;
}

static enum limits_verdict decide_admission_of_source(struct gate *gate,
                                                      const struct limits_source *source)
{
    enum limits_verdict verdict =
        limits_take_token(gate->rate, &gate->config, source, clock_steady_ms());
    if (verdict != LIMITS_ADMIT) {
        return verdict;
    }
    struct limits_counts counts = sessions_count_from_source(&gate->sessions, source);
    return limits_judge_connection(&gate->config, &counts, draw_random_number());
}

static const enum gate_refusal refusal_of_verdict[] = {
    [LIMITS_UNAUTH] = GATE_REFUSAL_UNAUTH,
    [LIMITS_SOURCE_UNAUTH] = GATE_REFUSAL_SOURCE_UNAUTH,
    [LIMITS_SOURCE_FULL] = GATE_REFUSAL_SOURCE_FULL,
    [LIMITS_SOURCE_RATE] = GATE_REFUSAL_SOURCE_RATE,
    [LIMITS_SOURCE_BLOCKED] = GATE_REFUSAL_SOURCE_BLOCKED,
    [LIMITS_NET_UNAUTH] = GATE_REFUSAL_NET_UNAUTH,
    [LIMITS_NET_FULL] = GATE_REFUSAL_NET_FULL,
    [LIMITS_NET_RATE] = GATE_REFUSAL_NET_RATE,
    [LIMITS_NET_BLOCKED] = GATE_REFUSAL_NET_BLOCKED,
};

const char *gate_refusal_word(enum gate_refusal refusal)
{
    static const char *const words[] = {
#define REFUSAL(name, word) [GATE_REFUSAL_##name] = (word),
#include "daemon/processes/gate/refusals.def"
    };
    return words[refusal];
}

void gate_admit_refuse(struct gate *gate, int client_fd, const char *address,
                       enum gate_refusal refusal, const char *text_for_client)
{
    int64_t now_ms = clock_steady_ms();
    const char *reason = gate_refusal_word(refusal);
    metrics_add(&gate->metrics, METRIC_connections_refused, reason, NULL, 1);
    gate->refused++;
    if (now_ms - gate->refusal_logged_ms >= 1000) {
        log_pairs(LOG_LEVEL_WARN, 0, "refuse",
                  LOG_PAIRS("address", address, "why", reason, "count", LOG_NUMBER(gate->refused)));
        gate->refusal_logged_ms = now_ms;
        gate->refused = 0;
    }
    ssize_t sent =
        send(client_fd, text_for_client, strlen(text_for_client), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* the text is a courtesy: if it cannot be sent, the connection is refused without
                   it */
    close(client_fd);
}

/* True if another connection from the source's banned network is already signing in. */
static bool has_sign_in_from_same_banned_net(const struct gate *gate,
                                             const struct limits_source *source)
{
    int net = banned_nets_find(&gate->core.banned, source);
    const struct sessions_entry *session;
    if (net < 0) {
        return false;
    }
    LIST_FOREACH(session, &gate->sessions.unauth_list, of_unauth)
    {
        if (banned_nets_find(&gate->core.banned, &session->source) == net) {
            return true;
        }
    }
    return false;
}

void gate_admit_client(struct gate *gate, const struct gate_client *client)
{
    int64_t now_ms = clock_steady_ms();
    struct sessions_entry session = {
        .conn = gate->next_conn,
        .opened_ms = now_ms,
        .log.since_ms = now_ms,
        .cpu.since_ms = now_ms,
        .is_telnet = client->is_telnet,
        .source = limits_source_of_address(&client->address),
    };
    listen_write_address(&client->address, session.address);

    if (sessions_is_full(&gate->sessions)) {
        gate_admit_refuse(gate, client->socket, session.address, GATE_REFUSAL_FULL,
                          "Trickhouse is full, please come back later.\r\n");
        return;
    }
    if (has_sign_in_from_same_banned_net(gate, &session.source)) {
        gate_admit_refuse(gate, client->socket, session.address, GATE_REFUSAL_BANNED,
                          "Your network is banned here. Only one person at a time may sign in or "
                          "appeal: please wait.\r\n");
        return;
    }
    enum limits_verdict verdict = decide_admission_of_source(gate, &session.source);
    if (verdict != LIMITS_ADMIT) {
        gate_admit_refuse(gate, client->socket, session.address, refusal_of_verdict[verdict],
                          "Too many connections, please wait a moment.\r\n");
        return;
    }
    if (!gate_fork_session(gate, client, &session)) {
        log_failure("cannot start a session");
        gate_admit_refuse(gate, client->socket, session.address, GATE_REFUSAL_NO_PROCESS,
                          "Trickhouse is out of resources, please come back later.\r\n");
        gate_set_listening(gate, false);
        return;
    }
    gate->next_conn++;
    struct sessions_entry *added = sessions_add(&gate->sessions, &session);
    (void)gate_watch_session(gate, added); /* gate_watch_descriptor has logged the error */
    const char *transport = client->is_telnet ? "telnet" : "ssh";
    metrics_add(&gate->metrics, METRIC_connections, transport, NULL, 1);
    log_pairs(LOG_LEVEL_INFO, session.conn, "open",
              LOG_PAIRS("transport", transport, "address", session.address));
}
