#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <unistd.h>

static void set_exit_reason(struct session *session)
{
    if (session->exit != SESSION_ENDED) {
        return;
    }
    if (session->login.wrong_tries > 0) {
        session->exit = SESSION_AUTH_FAILED;
    } else if (session->is_peer_gone || session->is_peer_at_fault) {
        session->exit = SESSION_NO_AUTH;
    }
}

bool session_sign_in(struct session *session)
{
    struct login *login = &session->login;
    while (login->state == LOGIN_ASKING) {
        int64_t left_ms = login->deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending = _("Signing in took too long. Please try again.");
            session->exit = SESSION_GRACE;
            return false;
        }
        if (!session_run_loop_pass(session, left_ms, LISTEN_TO_STOP | LISTEN_TO_CORE)) {
            set_exit_reason(session);
            return false;
        }
        if (!session_is_within_sign_in_cpu_limit(session)) {
            return false;
        }
    }
    if (login->state == LOGIN_FAILED) {
        session->exit = login->is_core_gone ? SESSION_FAILED : SESSION_AUTH_FAILED;
        if (session->ending == NULL) {
            session->ending = _("Signing in has failed. Please try again later.");
        }
        return false;
    }
    ssize_t told = write(FD_SIGNED_IN, "i", 1);
    close(FD_SIGNED_IN);
    /* writing fails if the gate has exited; then nobody could hand this connection to the next
     * core */
    return told == 1;
}
