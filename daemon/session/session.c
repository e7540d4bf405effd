#include "daemon/session/session_state.h"

#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "daemon/screens/replay/replay.h"
#include "lobby/protocol/protocol.h"

#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum keepalive_verdict keepalive_judge_connection(struct keepalive *keepalive, uint64_t heard_bytes,
                                                  int64_t now_ms)
{
    if (heard_bytes != keepalive->heard_bytes) {
        keepalive->heard_bytes = heard_bytes;
        keepalive->asked = 0;
        keepalive->due_ms = now_ms + keepalive->quiet_ms;
    }
    if (now_ms < keepalive->due_ms) {
        return KEEPALIVE_ALIVE;
    }
    if (keepalive->asked == keepalive->questions_max) {
        return KEEPALIVE_DEAD;
    }
    keepalive->asked++;
    keepalive->due_ms = now_ms + keepalive->quiet_ms;
    return KEEPALIVE_ASK;
}

void watchdog_arm(void)
{
    const struct itimerval one_second = {.it_value = {.tv_sec = 1}};
    setitimer(ITIMER_PROF, &one_second, NULL);
}

/* Returns the CPU time that this process has used. */
static int64_t watchdog_read_cpu_ms(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* Starts a new time window. CPU time that was used before it no longer counts. */
static void start_window(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms)
{
    watchdog->since_ms = now_ms;
    watchdog->cpu_since_ms = cpu_ms;
    watchdog->has_typed = false;
}

static int compute_allowed_cpu_percent(const struct watchdog *watchdog)
{
    bool is_more = watchdog->has_typed && watchdog->share_percent < WATCHDOG_TYPED_PERCENT;
    return is_more ? WATCHDOG_TYPED_PERCENT : watchdog->share_percent;
}

bool watchdog_is_limit_exceeded(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms)
{
    int64_t passed = now_ms - watchdog->since_ms;
    bool is_over = passed >= watchdog->window_ms;
    /* count an unfinished window as if the session used no more CPU time in the rest of it */
    int64_t span = is_over ? passed : watchdog->window_ms;
    bool is_greedy =
        (cpu_ms - watchdog->cpu_since_ms) * 100 > span * compute_allowed_cpu_percent(watchdog);
    if (is_over) {
        start_window(watchdog, now_ms, cpu_ms);
    }
    return is_greedy;
}

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

/* Returns the time in ms until session_is_client_alive must be called again; 0 or less: now. */
static int64_t session_time_to_judge_client(const struct session *session)
{
    int64_t left_ms = session->keepalive.due_ms - clock_steady_ms();
    bool is_blocked = session->transport->is_blocked(session);
    return is_blocked && left_ms > BLOCKED_MS ? BLOCKED_MS : left_ms;
}

/* Checks that the client reads and answers. Call it in each pass of the loop, with the number of
 * bytes sent in that pass. Returns false if the session must end: `exit` is set. */
static bool session_is_client_alive(struct session *session, int64_t now_ms, size_t sent_bytes)
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
    switch (keepalive_judge_connection(&session->keepalive, *session->heard_bytes, now_ms)) {
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

#define TYPE_SIZE 32 /* the types of messages are shorter */

static bool is_answer_type(const char *type)
{
    return strcmp(type, "ok") == 0 || strcmp(type, "no") == 0;
}

static void set_request_id(json_t *message, int64_t id)
{
    if (json_object_set_new(message, "id", json_integer(id)) != 0) {
        abort();
    }
}

/* True for messages that only a session may send: the core trusts their contents, but nobody has
 * verified what an outside program writes. */
static bool is_for_sessions_only(const json_t *message)
{
    return strcmp(json_read_type(message), "sign_in") == 0 ||
           strcmp(json_read_type(message), "key_check") == 0;
}

static const char *handle_hello(struct api *api, const json_t *message)
{
    bool is_hello = strcmp(json_read_type(message), "hello") == 0;
    if (is_hello) {
        api->phase = api->phase == API_SILENT ? API_GREETED : api->phase;
        api->has_resync = false;
    }
    return api->phase == API_SILENT ? API_NO_HELLO : NULL;
}

static const char *handle_request(struct api *api, json_t *message)
{
    int64_t id = 0;
    if (json_object_get(message, "id") == NULL) {
        return NULL; /* hello has no id; the core refuses other messages without an id */
    }
    if (!json_read_number(message, "id", 1, API_ID_MAX, &id)) {
        return API_BAD_ID;
    }
    set_request_id(message, id + api->ids_used);
    /* the core passes over requests before the next hello, and the program repeats them */
    api->unanswered += !api->has_resync;
    return NULL;
}

static const char *convert_line_to_packet(struct api *api, const char *line, size_t line_len,
                                          char **packet, size_t *len)
{
    if (line_len > API_LINE_MAX) {
        return API_TOO_LONG;
    }
    json_t *message = json_read_request(line, line_len);
    const char *why = message == NULL                 ? API_NO_OBJECT
                      : is_for_sessions_only(message) ? API_NOT_THEIRS
                                                      : handle_hello(api, message);
    if (why == NULL) {
        why = handle_request(api, message);
    }
    if (why == NULL) {
        *packet = must_format_json(json_incref(message));
        *len = strlen(*packet);
    }
    if (*packet != NULL && *len > REQUEST_BYTES_MAX) {
        free(*packet);
        *packet = NULL;
        why = API_TOO_LONG;
    }
    json_decref(message);
    return why;
}

static bool is_blank(const char *line, size_t len)
{
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t' || line[len - 1] == '\r')) {
        len--;
    }
    return len == 0;
}

const char *api_take_line(struct api *api, struct bytes *in, bool is_input_ended, char **packet,
                          size_t *len)
{
    const char *why = NULL;
    *packet = NULL;
    while (in->len > 0 && *packet == NULL && why == NULL) {
        const char *end = memchr(in->at, '\n', in->len);
        if (end == NULL && !is_input_ended) {
            return in->len > API_LINE_MAX ? API_TOO_LONG : NULL;
        }
        size_t line_len = end == NULL ? in->len : (size_t)(end - in->at);
        if (!is_blank(in->at, line_len)) {
            why = convert_line_to_packet(api, in->at, line_len, packet, len);
        }
        bytes_drop_first(in, end == NULL ? line_len : line_len + 1);
    }
    return why;
}

/* Notes what a message of the core says, and returns whether it is for the program: not those that
 * belong to the session's own sign-in, before the program's hello, and between that hello and the
 * welcome. */
static bool is_for_program(struct api *api, const char *type)
{
    static const char *const types[] = {"bye",    "house_away", "house_back",
                                        "resync", "welcome",    NULL};
    switch (text_find_word(types, type)) {
    case 0: /* bye */
        api->has_bye = true;
        return true;
    case 1:
    case 2: /* only screens say so: programs learn from `resync` what they must do */
        return false;
    case 3: /* resync */
        if (api->phase != API_SILENT) {
            api->has_resync = true;
            api->unanswered = 0;
        }
        return api->phase != API_SILENT;
    case 4: /* welcome */
        api->phase = api->phase == API_GREETED ? API_WELCOMED : api->phase;
        break;
    default:
        break;
    }
    return api->phase == API_WELCOMED;
}

static bool add_line(struct bytes *out, const char *text, size_t len)
{
    return bytes_add(out, text, len) && bytes_add(out, "\n", 1);
}

/* Programs get a game's history in place of its record, from which the house's own sessions make
 * one. */
static void replace_record_by_history(json_t *answer)
{
    json_t *record = json_object_get(answer, "record");
    json_t *history = record != NULL ? query_record_to_history(record) : NULL;
    if (history != NULL) {
        (void)json_object_set_new(answer, "history", history);
        (void)json_object_del(answer, "record");
    }
}

static bool pass_answer_to_program(struct api *api, json_t *message, struct bytes *out)
{
    int64_t id = 0;
    if (!json_read_number(message, "id", api->ids_used + 1, INT64_MAX, &id)) {
        /* this answers a request that the session itself sent before the program's first request; a
         * restarted core sends such an answer again */
        return true;
    }
    set_request_id(message, id - api->ids_used);
    api->unanswered -= api->unanswered > 0 ? 1 : 0;
    replace_record_by_history(message);
    char *text = must_format_json(json_incref(message));
    bool is_kept = add_line(out, text, strlen(text));
    free(text);
    return is_kept;
}

/* Reads the type of a packet of the core, which begins with it. Returns false if it does not. */
static bool read_packet_type(const char *packet, size_t len, char type[TYPE_SIZE])
{
    static const char before[] = "{\"t\":\"";
    const size_t start = sizeof(before) - 1;
    if (len <= start || memcmp(packet, before, start) != 0) {
        return false;
    }
    const char *end = memchr(packet + start, '"', len - start);
    size_t type_len = end == NULL ? TYPE_SIZE : (size_t)(end - packet) - start;
    if (type_len >= TYPE_SIZE) {
        return false;
    }
    memcpy(type, packet + start, type_len);
    type[type_len] = '\0';
    return true;
}

static bool pass_message_to_program(struct api *api, const char *packet, size_t len,
                                    struct bytes *out)
{
    json_t *message = json_read_object(packet, len);
    const char *type = json_read_type(message);
    bool is_kept = true;
    if (is_for_program(api, type)) {
        is_kept = is_answer_type(type) ? pass_answer_to_program(api, message, out)
                                       : add_line(out, packet, len);
    }
    json_decref(message);
    return is_kept;
}

bool api_pass_to_program(struct api *api, const char *packet, size_t len, struct bytes *out)
{
    char type[TYPE_SIZE];
    if (!read_packet_type(packet, len, type) || is_answer_type(type)) {
        return pass_message_to_program(api, packet, len, out);
    }
    /* only the id of an answer is changed: other messages need not be parsed */
    return !is_for_program(api, type) || add_line(out, packet, len);
}

void api_add_bye(struct api *api, const char *why, struct bytes *out)
{
    if (api->has_bye) {
        return;
    }
    api->has_bye = true;
    char *text = must_format_json(json_pack("{s:s, s:s}", "t", "bye", "why", why));
    bool is_said = add_line(out, text, strlen(text));
    (void)is_said; /* a program that reads so slowly would not read a goodbye either */
    free(text);
}

bool api_has_all_answers(const struct api *api)
{
    return api->phase == API_SILENT ||
           (api->phase == API_WELCOMED && api->unanswered == 0 && !api->has_resync);
}

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
    const char *why;
    if (terminal->in.len > 0) {
        session->watchdog.has_typed = true;
    }
    do {
        why = api_take_line(&session->api, &terminal->in, terminal->is_ended, &packet, &len);
        if (packet != NULL) {
            core_link_send(session->core, packet, len);
            free(packet);
        }
    } while (packet != NULL);
    if (why != NULL) {
        session->ending = _(why);
    } else if (terminal->is_overrun) {
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

/* Serves an outside program that speaks the protocol: lines from and to the program, packets from
 * and to the core, no screen. */
static int session_serve_api(struct session *session)
{
    /* no screen will start: forbid the system calls that only the start of a screen needs */
    confine_after_screen_start(session->confinement);
    if (session->login.is_guest && !session->config->ssh_api_guests) {
        session->ending = _("Programs need an account here: sign in by a key or a password.");
        return 1;
    }
    login_enter_house(&session->login, "program");
    session->api.ids_used = client_last_request_id(session->core->client);
    session->core->take = pass_packet_to_program;
    session->core->take_context = session;
    return serve_program(session);
}

enum {
    RELEASE_MS = 10000,  /* time from a frame to the release of unused memory */
    FIRST_FRAME_MS = 100 /* time that the first frame waits for what it shows of the house, instead
                            of being drawn twice in a moment */
};

/* Creates the screen for the person who signed in. Returns false, with `ending` set, if no screen
 * can be drawn on the terminal. */
static bool session_open_screen(struct session *session)
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
        .client = session->core->client,
        .now_ms = clock_unix_ms(),
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
        session->watchdog.has_typed = true;
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

/* Runs the screen until the person leaves or the session must end. */
static void session_serve_screen(struct session *session)
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
    client_send_hello(session->core->client, "trickhouse " TRICKHOUSE_VERSION);
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

/* Runs the query whose command line is `line`; returns the exit status. */
static int session_serve_query(struct session *session, const char *line)
{
    struct query_run *run = must_allocate(sizeof(*run));
    /* never freed: `ending` may point into this memory until the session ends */
    session->query = run;
    const struct query_setup setup = {
        .line = line,
        .client = session->core->client,
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

/* Ends a session in which nobody has signed in yet, since the house cannot say when it will answer.
 */
static void send_away(struct session *session)
{
    if (session->login.state == LOGIN_ASKING) {
        session->login.state = LOGIN_FAILED;
        session->login.is_core_gone = true;
        session->ending = _("The house cannot reach its data at the moment, and nobody can enter. "
                            "Please try again in a few minutes.");
        session->core->is_broken = true;
    }
}

/* Reads the core's `welcome` and, from the gate, that the house waits: the only pushes that matter
 * before there is a screen. */
static void read_first_pushes(void *context, const char *type, const json_t *message)
{
    struct session *session = context;
    if (strcmp(type, "house_away") == 0 && json_is_true(json_object_get(message, "waits"))) {
        send_away(session);
    }
    const char *name = json_string_value(json_object_get(message, "house"));
    if (strcmp(type, "welcome") == 0 && name != NULL) {
        const json_t *lengths = json_object_get(message, "password");
        const char *guests = json_string_value(json_object_get(message, "guests"));
        session->login.takes_no_guests = guests != NULL && strcmp(guests, "no") == 0;
        snprintf(session->login.house, sizeof(session->login.house), "%s", name);
        session->password_min = (uint32_t)json_integer_value(json_array_get(lengths, 0));
        session->password_max = (uint32_t)json_integer_value(json_array_get(lengths, 1));
    }
}

/* Chooses the language and the time zone of the account; if the account has none, those of the
 * client. Programs get English. */
static void choose_locale(const struct session *session)
{
    struct you_row you;
    struct settings_row settings;
    (void)you_row_read(session->login.you, &you);
    (void)settings_row_read(you.settings, &settings);
    if ((settings.language[0] == '\0' || !i18n_choose_language(settings.language)) &&
        session->terminal.language != NULL) {
        i18n_choose_language(session->terminal.language);
    }
    /* an unknown zone changes nothing */
    if (settings.timezone[0] == '\0' || zones_use(settings.timezone) == NULL) {
        (void)zones_use(session->terminal.timezone);
    }
}

/* Serves the connection to its end; returns the exit status that the client is sent. */
static int serve_connection(struct session *session)
{
    int64_t now_ms = clock_steady_ms();
    session->login.deadline_ms = now_ms + 1000 * (int64_t)session->config->door_login_s;
    int64_t quiet_ms = 1000 * (int64_t)session->config->connection_keepalive_s;
    session->keepalive = (struct keepalive){
        .quiet_ms = quiet_ms,
        .questions_max = (int)session->config->connection_keepalives,
        .due_ms = now_ms + quiet_ms,
    };
    session->watchdog = (struct watchdog){
        .window_ms = 1000 * (int64_t)session->config->connection_cpu_window_s,
        .share_percent = (int)session->config->connection_cpu_percent,
        .since_ms = now_ms,
        .cpu_since_ms = watchdog_read_cpu_ms(),
    };
    client_set_push_receiver(session->core->client, read_first_pushes, session);
    client_send_hello(session->core->client, "trickhouse " TRICKHOUSE_VERSION);
    if (!session->transport->enter(session)) {
        return 1;
    }
    if (session->use == USE_API) {
        return session_serve_api(session);
    }
    choose_locale(session);
    if (session->use == USE_QUERY) {
        return session_serve_query(session, session->command);
    }
    login_enter_house(&session->login, NULL);
    if (!session_open_screen(session)) {
        return 1;
    }
    session_serve_screen(session);
    return 0;
}
/* Redirects standard input and output to /dev/null and standard error to the log, because a session
 * must not share open files with the house's other processes. Exits on failure. */
static void redirect_standard_streams(const struct session_setup *setup)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        dup2(setup->log_fd, STDERR_FILENO) < 0) {
        _exit(SESSION_FAILED);
    }
}

/* Gives the session's descriptors their fixed numbers and closes all others. Exits on failure. */
static void renumber_descriptors(const struct session_setup *setup)
{
    const int from[] = {setup->peer_socket, setup->core_socket, setup->signed_in_fd};
    int above[ARRAY_LEN(from)];
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        above[i] = fcntl(from[i], F_DUPFD_CLOEXEC, FD_FREE);
    }
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        if (above[i] < 0 || dup2(above[i], FD_PEER + (int)i) < 0) {
            _exit(SESSION_FAILED);
        }
    }
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    fd_close_range(FD_STOP, ~0U, 0);
    int fd = signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0 || (fd != FD_STOP && (dup2(fd, FD_STOP) < 0 || close(fd) != 0))) {
        _exit(SESSION_FAILED);
    }
}

/* Sets how this process handles signals. SIGTERM is read from a descriptor. SIGINT is blocked:
 * Ctrl-C at the house's own terminal is meant for the gate. The watchdog's signal keeps its default
 * action, which ends the process. */
static void set_up_signals(void)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Separates this process's table of descriptors from the gate's, and reports it. A process must
 * call this before it opens or closes any descriptor. Exits on failure. */
static void separation_begin(int signed_in_fd)
{
    const char done = SEPARATION_DONE;
    if (!fd_close_range(SEPARATION_FDS, ~0U, CLOSE_RANGE_UNSHARE) ||
        write(signed_in_fd, &done, 1) != 1) {
        _exit(SESSION_FAILED);
    }
}

void session_run(const struct session_setup *setup)
{
    separation_begin(setup->signed_in_fd);
    process_set_name_in(&setup->command_line, "session");
    set_up_signals();
    redirect_standard_streams(setup);
    confine_files(setup->confinement);
    renumber_descriptors(setup);
    if (!display_reopen_file(setup->warm->display)) {
        _exit(SESSION_FAILED);
    }
    watchdog_arm();

    const int on = 1;
    /* send each typed key's echo at once */
    setsockopt(FD_PEER, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    struct session session = {
        .confinement = setup->confinement,
        .config = setup->config,
        .display = setup->warm->display,
        .conn = setup->conn,
        .transport = setup->is_telnet ? &session_telnet : &session_ssh,
        .core = core_link_new(FD_CORE),
        .login = {.peer_fd = FD_PEER,
                  .stop_fd = FD_STOP,
                  .tries_max = (int)setup->config->door_tries,
                  .is_query_only = !setup->is_telnet}, /* an SSH client asks for a shell, a command
                                                          or a subsystem only after signing in */
    };
    session.login.link = session.core;
    terminal_init(&session.terminal, (size_t)setup->config->connection_input_kib << 10);
    if (!session.transport->begin(&session, setup)) {
        _exit(SESSION_FAILED);
    }
    confine_session(setup->confinement); /* no byte from the client has been read yet */
    int exit_status = serve_connection(&session);
    if (!session.is_peer_gone) {
        session.transport->leave(&session, exit_status);
    }
    _exit((int)session.exit);
}

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
