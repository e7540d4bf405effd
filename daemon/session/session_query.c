#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/session/session.h"
#include "lobby/protocol/protocol.h"

#include <string.h>

enum {
    /* time to wait for an answer: ten times as long as the core takes to restart */
    ANSWER_TIMEOUT_MS = 30000,
    CAST_PIECE = 65536, /* bytes of a recording that are sent at a time */
};

/* Waits for the answers to the query. Returns false if the session must end first; `ending` then
 * holds the reason, if somebody can read it. */
static bool await_query_answer(struct session *session, const struct query_run *run)
{
    int64_t deadline_ms = clock_steady_ms() + ANSWER_TIMEOUT_MS;
    while (!query_is_answered(run)) {
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending = _("The house did not answer: please try again.");
            return false;
        }
        if (!session_run_loop_pass(session, left_ms, LISTEN_TO_CORE | LISTEN_TO_STOP) ||
            session->terminal.is_closed) {
            return false;
        }
    }
    return true;
}

/* Waits until all output has been sent, however slowly the client reads it. Returns false if the
 * session must end first. */
static bool send_all_output(struct session *session)
{
    session->transport->send(session);
    while (session->terminal.out.len > 0) {
        if (!session_run_loop_pass(session, session_time_to_judge_client(session),
                                   LISTEN_TO_STOP) ||
            session->terminal.is_closed) {
            return false;
        }
        size_t sent = session->transport->send(session);
        if (!session_is_client_alive(session, clock_steady_ms(), sent)) {
            return false;
        }
    }
    return true;
}

/* Runs a command line in plain mode, and ends the session when the command is done. Returns the
 * exit status. */
static int run_plain_command_line(struct session *session, const char *typed)
{
    session->terminal.lines.is_on = true;
    if (!session_open_screen(session)) {
        return QUERY_REFUSED;
    }
    /* messages that arrived before there was a screen are lost; a new hello makes the core repeat
     * them */
    client_send_hello(core_link_client(session->core), "trickhouse " TRICKHOUSE_VERSION);
    ui_mark_lines_from_ssh_command(session->ui);
    ui_handle_input(session->ui, (const uint8_t *)typed, strlen(typed), clock_unix_ms());
    ui_leave_after_typed_lines(session->ui);
    session_serve_screen(session);
    return ui_last_mod_command_succeeded(session->ui) ? QUERY_OK : QUERY_REFUSED;
}

static int print_query_answer(struct session *session, struct query_run *run)
{
    query_write_result(run, session->terminal.lines.is_piped ? "\n" : "\r\n",
                       &session->terminal.out);
    if (!send_all_output(session)) {
        return QUERY_REFUSED;
    }
    if (run->status != QUERY_OK) {
        session->ending = run->why;
    }
    return (int)run->status;
}

static int print_recording(struct session *session, struct query_run *run, struct replay_cast *cast)
{
    json_t *record = json_object_get(run->answers[0], "record");
    if (!replay_cast_load(cast, record)) {
        session->ending = _("This program does not have the rules of that game.");
        return QUERY_REFUSED;
    }
    while (replay_cast_append_next_line(cast, &session->terminal.out)) {
        if (session->terminal.out.len > CAST_PIECE && !send_all_output(session)) {
            return QUERY_REFUSED;
        }
    }
    return send_all_output(session) ? QUERY_OK : QUERY_REFUSED;
}

int session_serve_query(struct session *session, const char *line)
{
    struct query_run *run = must_allocate(sizeof(*run));
    /* never freed: `ending` may point into this memory until the session ends */
    session->query = run;
    const struct query_setup setup = {
        .line = line,
        .client = core_link_client(session->core),
        .you = session->login.you,
        .are_guests_welcome = session->config->ssh_verb_guests,
        .has_terminal = !session->terminal.lines.is_piped,
        .now_ms = clock_unix_ms(),
    };
    query_begin(run, &setup);
    if (run->is_json) {
        i18n_choose_language(I18N_ENGLISH); /* choose English, because programs read the answer and
                                               the refusals of a JSON query */
    }
    struct replay_cast *cast = run->wants_cast ? replay_cast_new(run->columns, run->rows) : NULL;
    bool may_type = run->query != NULL && run->query->takes_line;
    if (!may_type) {
        confine_after_screen_start(session->confinement); /* no screen will start: forbid the system
                                                 calls that only its start needs */
    }
    if (!await_query_answer(session, run)) {
        return QUERY_REFUSED;
    }
    if (run->typed[0] != '\0') {
        return run_plain_command_line(session, run->typed);
    }
    if (may_type) {
        confine_after_screen_start(session->confinement);
    }
    if (cast == NULL || run->status != QUERY_OK) {
        return print_query_answer(session, run);
    }
    int status = print_recording(session, run, cast);
    replay_cast_free(cast);
    return status;
}
