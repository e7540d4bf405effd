#include "daemon/session/session_state.h"

#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "lobby/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>

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

static enum api_result handle_hello(struct api *api, const json_t *message)
{
    bool is_hello = strcmp(json_read_type(message), "hello") == 0;
    if (api->phase == API_SILENT && !is_hello) {
        return API_NO_HELLO;
    }
    if (is_hello) {
        api->phase = api->phase == API_SILENT ? API_GREETED : api->phase;
        api->has_resync = false;
    }
    return API_OK;
}

static enum api_result handle_request(struct api *api, json_t *message)
{
    int64_t id = 0;
    if (json_object_get(message, "id") == NULL) {
        return API_OK; /* hello has no id; the core refuses other messages without an id */
    }
    if (!json_read_number(message, "id", 1, API_ID_MAX, &id)) {
        return API_BAD_ID;
    }
    set_request_id(message, id + api->ids_used);
    /* the core passes over requests before the next hello, and the program repeats them */
    api->unanswered += !api->has_resync;
    return API_OK;
}

static enum api_result convert_line_to_packet(struct api *api, const char *line, size_t line_len,
                                              char **packet, size_t *len)
{
    if (line_len > API_LINE_MAX) {
        return API_TOO_LONG;
    }
    json_t *message = json_read_request(line, line_len);
    enum api_result result = message == NULL                 ? API_NO_OBJECT
                             : is_for_sessions_only(message) ? API_NOT_THEIRS
                                                             : handle_hello(api, message);
    if (result == API_OK) {
        result = handle_request(api, message);
    }
    if (result == API_OK) {
        *packet = must_format_json(json_incref(message));
        *len = strlen(*packet);
        if (*len > REQUEST_BYTES_MAX) {
            free(*packet);
            *packet = NULL;
            result = API_TOO_LONG;
        }
    }
    json_decref(message);
    return result;
}

static bool is_blank(const char *line, size_t len)
{
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t' || line[len - 1] == '\r')) {
        len--;
    }
    return len == 0;
}

enum api_result api_take_line(struct api *api, struct bytes *in, bool is_input_ended, char **packet,
                              size_t *len)
{
    *packet = NULL;
    while (in->len > 0) {
        const char *end = memchr(in->at, '\n', in->len);
        if (end == NULL && !is_input_ended) {
            return in->len > API_LINE_MAX ? API_TOO_LONG : API_NONE;
        }
        size_t line_len = end == NULL ? in->len : (size_t)(end - in->at);
        bool is_passed_over = is_blank(in->at, line_len);
        enum api_result result =
            is_passed_over ? API_OK : convert_line_to_packet(api, in->at, line_len, packet, len);
        bytes_drop_first(in, end == NULL ? line_len : line_len + 1);
        if (!is_passed_over) {
            return result;
        }
    }
    return API_NONE;
}

const char *api_explain_error(enum api_result result)
{
    static const char *const reasons[] = {
        [API_OK] = NULL,
        [API_TOO_LONG] = N_("A line may have at most 8,192 bytes."),
        [API_NO_OBJECT] = N_("Each line must be one JSON object with at most 256 values."),
        [API_NO_HELLO] = N_("The first message has to be \"hello\"."),
        [API_BAD_ID] = N_("An id is a whole number from 1 to 2147483647."),
        [API_NOT_THEIRS] = N_("Sign in through ssh before the first line: ssh -s NAME@HOST api"),
    };
    return reasons[result] != NULL ? _(reasons[result]) : NULL;
}

/* The functions below handle a message of the core. They return true if the message is passed on to
 * the program. */

/* Only screens say that the house is away: programs learn from `resync` what they must do. */
static bool handle_news_of_absence(UNUSED struct api *api)
{
    return false;
}

static bool handle_bye(struct api *api)
{
    api->has_bye = true;
    return true;
}

static bool handle_welcome(struct api *api)
{
    api->phase = api->phase == API_GREETED ? API_WELCOMED : api->phase;
    return api->phase == API_WELCOMED;
}

static bool handle_resync(struct api *api)
{
    if (api->phase == API_SILENT) {
        return false;
    }
    api->has_resync = true;
    api->unanswered = 0;
    return true;
}

static const struct {
    const char *type;
    bool (*note)(struct api *api);
} notes[] = {
    {"bye", handle_bye},
    {"house_away", handle_news_of_absence},
    {"house_back", handle_news_of_absence},
    {"resync", handle_resync},
    {"welcome", handle_welcome},
};

/* False for messages that belong to the session's own sign-in: those before the program's hello,
 * and those between that hello and the welcome. */
static bool is_for_program(struct api *api, const char *type)
{
    for (size_t i = 0; i < ARRAY_LEN(notes); i++) {
        if (strcmp(notes[i].type, type) == 0) {
            return notes[i].note(api);
        }
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
    enum api_result result;
    if (terminal->in.len > 0) {
        session->watchdog.has_typed = true;
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
    session->api.ids_used = client_last_request_id(session->core->client);
    session->core->take = pass_packet_to_program;
    session->core->take_context = session;
    return serve_program(session);
}
