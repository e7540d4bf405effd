#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <limits.h>
#include <poll.h>

enum {
    BLOCKED_MS = 5000 /* how often a client is judged that does not take its output */
};

static void end_session_for_cpu_use(struct session *session)
{
    session->ending = _("This connection kept the house too busy. Please connect again.");
    session->exit = SESSION_GREEDY;
}

bool session_is_within_sign_in_cpu_limit(struct session *session)
{
    if (watchdog_read_cpu_ms() > SESSION_SIGN_IN_CPU_MS) {
        end_session_for_cpu_use(session);
    }
    return session->exit != SESSION_GREEDY;
}

bool session_run_loop_pass(struct session *session, int64_t timeout_ms, int listen_to)
{
    struct pollfd fds[] = {
        {.fd = FD_PEER, .events = session->transport->events(session)},
        {.fd = (listen_to & LISTEN_TO_STOP) != 0 ? FD_STOP : -1, .events = POLLIN},
        {.fd = (listen_to & LISTEN_TO_CORE) != 0 ? FD_CORE : -1,
         .events = core_link_get_poll_events(session->core)},
    };
    int64_t wait_ms = timeout_ms < 0 ? 0 : timeout_ms > INT_MAX ? INT_MAX : timeout_ms;
    if (poll(fds, ARRAY_LEN(fds), (int)wait_ms) < 0) {
        return true; /* a signal interrupted the call */
    }
    watchdog_arm();
    if (session->ui != NULL) {
        ui_tick(session->ui, clock_unix_ms()); /* set the screen's time first: the input that the
                                                  screen then handles carries no time */
    }
    if (watchdog_is_limit_exceeded(&session->watchdog, clock_steady_ms(), watchdog_read_cpu_ms())) {
        end_session_for_cpu_use(session);
        return false;
    }
    if (fds[1].revents != 0) {
        session->ending = _("This entrance closes. Please connect again in a moment.");
        return false;
    }
    enum login_state login_before = session->login.state;
    if (!session->transport->take(session, fds[0].revents != 0)) {
        session->is_peer_gone = session->ending == NULL;
        return false;
    }
    /* what follows a sign-in is for the screen, which comes later */
    bool is_for_now = session->login.state == login_before;
    if (fds[2].revents != 0 && is_for_now && !core_link_exchange_packets(session->core)) {
        /* if there is a screen, it has already said goodbye */
        bool is_explained = session->ui != NULL ? ui_is_done(session->ui) : session->ending != NULL;
        if (!is_explained) {
            session->ending = _("The house has ended this connection. Please connect again.");
        }
        return false;
    }
    return true;
}

int64_t session_time_to_judge_client(const struct session *session)
{
    int64_t left_ms = session->keepalive.due_ms - clock_steady_ms();
    bool is_blocked = session->transport->is_blocked(session);
    return is_blocked && left_ms > BLOCKED_MS ? BLOCKED_MS : left_ms;
}

bool session_is_client_alive(struct session *session, int64_t now_ms, size_t sent_bytes)
{
    if (!session->transport->is_blocked(session)) {
        session->blocked_since_ms = 0;
    } else if (session->blocked_since_ms == 0 || sent_bytes > 0) {
        session->blocked_since_ms = now_ms;
    } else if (now_ms - session->blocked_since_ms >=
               1000 * (int64_t)session->config->connection_stall_s) {
        session->exit = SESSION_STALLED;
        session->is_peer_gone = true;
        return false;
    }
    switch (keepalive_judge_connection(&session->keepalive, session->transport->heard(session),
                                       now_ms)) {
    case KEEPALIVE_ALIVE:
        break;
    case KEEPALIVE_ASK:
        session->transport->ask(session);
        break;
    case KEEPALIVE_DEAD:
        session->exit = SESSION_SILENT;
        session->is_peer_gone = true;
        return false;
    }
    return true;
}
