#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/session/session.h"
#include "lobby/protocol/protocol.h"

#include <stdlib.h>

/* Passes a packet of the core to the program. Returns false if the program can be sent nothing more
 * now. */
static bool pass_packet_to_program(void *context, const char *packet, size_t len)
{
    struct session *session = context;
    struct bytes *out = &session->terminal.out;
    if (!api_pass_to_program(&session->api, packet, len, out)) {
        session->ending = _("Your program does not read what the house sends.");
        return false;
    }
    return out->len < API_OUT_ENOUGH;
}

/* Passes the program's lines to the core. Returns false if the program must be disconnected;
 * `ending` then holds the reason. */
static bool pass_lines_to_core(struct session *session)
{
    struct terminal *terminal = &session->terminal;
    char *packet;
    size_t len;
    enum api_result result;
    if (terminal->in.len > 0) {
        watchdog_note_typing(&session->watchdog);
    }
    while ((result = api_take_line(&session->api, &terminal->in, terminal->is_ended, &packet,
                                   &len)) == API_OK) {
        core_link_send(session->core, packet, len);
        free(packet);
    }
    session->ending = api_explain_error(result);
    if (session->ending == NULL && terminal->is_overrun) {
        session->ending = _("Your program writes faster than the house reads.");
    }
    return session->ending == NULL;
}

/* True if the program will send nothing more and the core has answered all its requests. */
static bool is_program_finished(struct session *session)
{
    const struct terminal *terminal = &session->terminal;
    if (!terminal->is_ended || session->api.has_bye) {
        return terminal->is_closed || session->api.has_bye;
    }
    if (session->api.has_resync) {
        session->ending = _("The house has restarted: please ask again.");
        return true;
    }
    return api_has_all_answers(&session->api);
}

static int serve_program(struct session *session)
{
    int listen_to = LISTEN_TO_CORE | LISTEN_TO_STOP;
    while (session_run_loop_pass(session, session_time_to_judge_client(session), listen_to) &&
           session->ending == NULL) {
        if (!pass_lines_to_core(session)) {
            return 1;
        }
        size_t sent = session->transport->send(session);
        if (is_program_finished(session) ||
            !session_is_client_alive(session, clock_steady_ms(), sent)) {
            return session->ending == NULL && !session->api.has_bye ? 0 : 1;
        }
        listen_to = session->terminal.out.len < API_OUT_ENOUGH ? LISTEN_TO_CORE | LISTEN_TO_STOP
                                                               : LISTEN_TO_STOP;
    }
    return 1;
}

int session_serve_api(struct session *session)
{
    /* no screen will start: forbid the system calls that only the start of a screen needs */
    confine_after_screen_start(session->confinement);
    if (session->login.is_guest && !session->config->ssh_api_guests) {
        session->ending = _("Programs need an account here: sign in by a key or a password.");
        return 1;
    }
    login_enter_house(&session->login, "program");
    session->api.ids_used = client_last_request_id(core_link_client(session->core));
    core_link_divert_packets(session->core, pass_packet_to_program, session);
    return serve_program(session);
}
