#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/session/session.h"

enum {
    RELEASE_MS = 10000,  /* time from a frame to the release of unused memory */
    FIRST_FRAME_MS = 100 /* time that the first frame waits for what it shows of the house, instead
                            of being drawn twice in a moment */
};

bool session_open_screen(struct session *session)
{
    struct ui_lines *lines = &session->terminal.lines;
    lines->is_on = lines->is_on || terminal_name_is_dumb(session->terminal.name);
    const struct ui_setup setup = {
        .term = session->terminal.name,
        .columns = session->terminal.size.columns,
        .rows = session->terminal.size.rows,
        .is_ascii = session->terminal.is_ascii,
        .is_unregistered = session->login.is_unregistered,
        .suggested_name = session->login.suggested,
        .has_key = session->login.has_key,
        .is_telnet = session->transport == &session_telnet,
        .password_min = session->password_min,
        .password_max = session->password_max,
        .you = session->login.you,
        .house = session->login.house[0] == '\0' ? NULL : session->login.house,
        .lines = *lines,
        .prepared = session->display,
        .client = core_link_client(session->core),
    };
    session->terminal.is_resized = false;
    session->terminal.has_new_lines = false;
    session->ui = ui_new(&setup);
    if (session->ui == NULL) {
        session->ending = _("The house has no description of any terminal. Please tell its host.");
        return false;
    }
    session->first_frame_ms = clock_unix_ms() + FIRST_FRAME_MS;
    confine_after_screen_start(session->confinement);
    return true;
}

static void handle_input(struct session *session)
{
    struct terminal *terminal = &session->terminal;
    if (terminal->is_resized) {
        terminal->is_resized = false;
        ui_resize(session->ui, terminal->size.columns, terminal->size.rows);
    }
    if (terminal->has_new_lines) {
        terminal->has_new_lines = false;
        ui_set_line_mode(session->ui, &terminal->lines);
    }
    ui_handle_input(session->ui, (const uint8_t *)terminal->in.at, terminal->in.len,
                    clock_unix_ms());
    if (terminal->in.len > 0) {
        bytes_drop_first(&terminal->in, terminal->in.len);
        watchdog_note_typing(&session->watchdog);
    }
    if (terminal->is_ended) {
        ui_note_end_of_input(session->ui, clock_unix_ms());
    }
    if (session->transport->hide != NULL) {
        session->transport->hide(session, ui_is_typing_hidden(session->ui));
    }
}

/* Returns the time in ms for which the first frame still waits. */
static int64_t compute_wait_for_first_frame(const struct session *session, int64_t now_ms)
{
    bool is_waiting = session->first_frame_ms > now_ms && ui_awaits_first_content(session->ui);
    return is_waiting ? session->first_frame_ms - now_ms : 0;
}

/* Draws the screen once all earlier output has been sent. Returns the number of bytes sent. */
static size_t draw_screen_if_due(struct session *session)
{
    int64_t now_ms = clock_unix_ms();
    if (!session->transport->is_blocked(session) && ui_wants_paint(session->ui, now_ms) &&
        compute_wait_for_first_frame(session, now_ms) == 0) {
        session->first_frame_ms = 0;
        if (session->release_due_ms == 0) {
            session->release_due_ms = clock_steady_ms() + RELEASE_MS;
        }
        ui_paint(session->ui, now_ms, &session->terminal.out);
    }
    return session->transport->send(session);
}

/* Returns the time in ms until the screen changes by itself; INT64_MAX: it does not. While output
 * is blocked, nothing is drawn, so no change is expected. */
static int64_t compute_time_to_next_change(const struct session *session)
{
    if (session->transport->is_blocked(session)) {
        return INT64_MAX;
    }
    int64_t now_ms = clock_unix_ms();
    int64_t first_ms = compute_wait_for_first_frame(session, now_ms);
    if (first_ms > 0) {
        return first_ms;
    }
    int wanted_ms = ui_poll_timeout_ms(session->ui, now_ms);
    return wanted_ms < 0 ? INT64_MAX : wanted_ms;
}

/* Returns how long the session may wait for input, in ms. */
static int64_t compute_time_to_next_work(const struct session *session)
{
    int64_t time_ms = compute_time_to_next_change(session);
    int64_t keys_ms = ui_keys_due_ms(session->ui) - clock_unix_ms();
    int64_t judge_ms = session_time_to_judge_client(session);
    int64_t release_ms =
        session->release_due_ms == 0 ? INT64_MAX : session->release_due_ms - clock_steady_ms();
    time_ms = keys_ms < time_ms ? keys_ms : time_ms;
    time_ms = judge_ms < time_ms ? judge_ms : time_ms;
    return release_ms < time_ms ? release_ms : time_ms;
}

/* Gives memory that is no longer used back to the system, some time after a frame was drawn: a game
 * needs much more memory than the lobby. */
static void release_spare_memory(struct session *session)
{
    if (session->release_due_ms != 0 && clock_steady_ms() >= session->release_due_ms) {
        session->release_due_ms = 0;
        heap_release_free_memory();
        spare_stack_release();
    }
}

void session_serve_screen(struct session *session)
{
    int64_t timeout_ms = 0;
    while (session_run_loop_pass(session, timeout_ms, LISTEN_TO_CORE | LISTEN_TO_STOP) &&
           !session->terminal.is_closed) {
        handle_input(session);
        size_t sent = draw_screen_if_due(session);
        if (ui_is_done(session->ui) || !session_is_client_alive(session, clock_steady_ms(), sent)) {
            return;
        }
        release_spare_memory(session);
        timeout_ms = compute_time_to_next_work(session);
    }
}
