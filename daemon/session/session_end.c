#include "daemon/session/session_state.h"

#include "daemon/base/base.h"

#include <stdio.h>

enum {
    CLOSE_TIMEOUT_MS = 500, /* time that a client has to close its connection */
    /* time that the client's ssh has to close the connection after a query: it may still be writing
     * the answer to a pipe, and it loses the rest of the answer when we disconnect */
    READ_TIMEOUT_MS = 30000
};

void session_print_end_reason(struct session *session)
{
    char line[512];
    if (session->use == USE_API) {
        if (session->ending != NULL) {
            api_add_bye(&session->api, session->ending, &session->terminal.out);
        }
        return;
    }
    if (session->ui != NULL) {
        ui_restore_terminal(session->ui, &session->terminal.out);
    }
    if (session->ending != NULL) {
        int len = snprintf(line, sizeof(line), "%s%s", session->ending,
                           session->terminal.lines.is_piped ? "\n" : "\r\n");
        bool is_said = bytes_add(&session->terminal.out, line, (size_t)len);
        (void)is_said; /* a client that has so much output waiting would not read the message */
        terminal_convert_output(&session->terminal);
    }
}

void session_send_pending_output(struct session *session)
{
    const struct transport *transport = session->transport;
    int64_t deadline_ms = clock_steady_ms() + CLOSE_TIMEOUT_MS;
    transport->send(session);
    while (transport->is_blocked(session) && clock_steady_ms() < deadline_ms &&
           session_run_loop_pass(session, deadline_ms - clock_steady_ms(), 0)) {
        transport->send(session);
    }
}

void session_await_client_close(struct session *session)
{
    bool is_answer = session->use == USE_QUERY;
    int64_t deadline_ms = clock_steady_ms() + (is_answer ? READ_TIMEOUT_MS : CLOSE_TIMEOUT_MS);
    while (clock_steady_ms() < deadline_ms &&
           session_run_loop_pass(session, deadline_ms - clock_steady_ms(),
                                 is_answer ? LISTEN_TO_STOP : 0)) {
    }
}
