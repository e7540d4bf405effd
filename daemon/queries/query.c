#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Splits a line into words, which point into *out; *out must not move. False if the line is too
 * long, has too many words, or contains more than printable ASCII. */
static bool split_words(const char *line, struct query_line *out)
{
    size_t len = strnlen(line, QUERY_LINE_MAX + 1);
    bool is_good = len <= QUERY_LINE_MAX;
    for (size_t i = 0; is_good && i < len; i++) {
        is_good = line[i] >= ' ' && line[i] <= '~';
    }
    out->count = 0;
    if (!is_good) {
        return false;
    }
    memcpy(out->text, line, len + 1);
    for (char *at = out->text; *(at += strspn(at, " ")) != '\0';) {
        if (out->count == QUERY_WORDS_MAX) {
            return false;
        }
        out->words[out->count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return true;
}

static const struct query queries[] = {
#define QUERY(word, words, text, whom, how)                                                        \
    {.name = #word,                                                                                \
     .args = (words),                                                                              \
     .help = (text),                                                                               \
     .who = (whom),                                                                                \
     .write = query_write_##word,                                                                  \
     how},
#define ASKS(what) .ask = query_ask_##what,
#define JSON(word) .to_json = query_json_##word,
#define REFUSED(word) .refused = query_refused_##word,
#define TAKES_LINE .takes_line = true
#include "daemon/queries/queries.def"
};

const struct query *query_at(size_t index)
{
    return index < ARRAY_LEN(queries) ? &queries[index] : NULL;
}

const struct query *query_find(const char *line)
{
    line += strspn(line, " ");
    size_t len = strcspn(line, " ");
    for (size_t i = 0; i < ARRAY_LEN(queries); i++) {
        if (strlen(queries[i].name) == len && strncmp(queries[i].name, line, len) == 0) {
            return &queries[i];
        }
    }
    return NULL;
}

/* Writes how the query is typed: "games USER [--count N] [--json]". */
static void query_write_usage(const struct query *query, struct text *out)
{
    text_put(out, query->name);
    text_put(out, query->args[0] == '\0' ? "" : " ");
    text_put(out, _(query->args));
    text_put(out, query->to_json == NULL ? "" : " [--json]");
}

void query_fail(struct query_run *run, enum query_status status, const char *why)
{
    if (run->status == QUERY_OK) {
        run->status = status;
        snprintf(run->why, sizeof run->why, "%s", why);
    }
}

void query_fail_with_usage(struct query_run *run)
{
    char why[sizeof run->why];
    struct text out = TEXT_OF(sizeof run->why);
    query_write_usage(run->query, &out);
    snprintf(why, sizeof why, _("Usage: %s"), out.at);
    query_fail(run, QUERY_USAGE, why);
}

const char *query_take_next_word(struct query_run *run)
{
    return run->next_word < run->line.count ? run->line.words[run->next_word++] : NULL;
}

static void remove_words(struct query_run *run, size_t first, size_t count)
{
    run->line.count -= count;
    memmove(&run->line.words[first], &run->line.words[first + count],
            (run->line.count - first) * sizeof(run->line.words[0]));
}

/* Returns the index of the word `--name`, or the number of words if the option is missing. */
static size_t find_option_index(const struct query_run *run, const char *name)
{
    size_t at = 0;
    while (at < run->line.count && (strncmp(run->line.words[at], "--", 2) != 0 ||
                                    strcmp(run->line.words[at] + 2, name) != 0)) {
        at++;
    }
    return at;
}

bool query_has_flag(struct query_run *run, const char *name)
{
    size_t at = find_option_index(run, name);
    if (at == run->line.count) {
        return false;
    }
    remove_words(run, at, 1);
    return true;
}

/* Reads a decimal number; returns -1 if the word is not a number or exceeds `max`. */
static int64_t read_number(const char *word, int64_t max)
{
    int64_t number = 0;
    for (size_t i = 0; word[i] != '\0'; i++) {
        if (word[i] < '0' || word[i] > '9' || number > max / 10) {
            return -1;
        }
        number = number * 10 + (word[i] - '0');
    }
    return word[0] == '\0' || number > max ? -1 : number;
}

int64_t query_read_option(struct query_run *run, const char *name, int64_t max,
                          int64_t value_if_absent)
{
    size_t at = find_option_index(run, name);
    if (at == run->line.count) {
        return value_if_absent;
    }
    int64_t number =
        at + 1 < run->line.count ? read_number(run->line.words[at + 1], max) : (int64_t)-1;
    if (number < 0) {
        char why[sizeof run->why];
        snprintf(why, sizeof why, _("--%s takes a number, at most %lld."), name, (long long)max);
        query_fail(run, QUERY_USAGE, why);
        return value_if_absent;
    }
    remove_words(run, at, 2);
    return number;
}

bool query_expect_no_more_words(struct query_run *run)
{
    if (run->next_word < run->line.count) {
        query_fail_with_usage(run);
    }
    return run->status == QUERY_OK;
}

int64_t query_read_number(struct query_run *run, const char *word)
{
    int64_t number =
        word == NULL ? -1 : read_number(word[0] == '#' ? word + 1 : word, INT64_MAX / 2);
    if (number < 1) {
        query_fail_with_usage(run);
        return 0;
    }
    return number;
}

const char *query_get_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text == NULL ? "" : text;
}

int64_t query_get_int(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_integer(value) ? json_integer_value(value) : (int64_t)json_number_value(value);
}

static bool asker_may_run_query(struct query_run *run, const struct query_setup *setup)
{
    struct you_row row;
    (void)you_row_read(setup->you, &row);
    run->is_guest = row.kind == PERSON_GUEST;
    run->role = row.role;
    memcpy(run->you, row.name, sizeof run->you);
    if (setup->you == NULL) {
        query_fail(
            run, QUERY_REFUSED,
            _("You have not signed in: give your password or your key. Without an account, "
              "connect without a command to make one, or ask as guest: ssh guest@HOST help"));
    } else if (run->is_guest && run->query->who == QUERY_FOR_PEOPLE) {
        query_fail(run, QUERY_REFUSED,
                   _("Only people with an account may use this query: sign in with yours."));
    } else if (run->is_guest && !setup->are_guests_welcome) {
        query_fail(run, QUERY_REFUSED,
                   _("This house answers only people with an account: sign in."));
    }
    return run->status == QUERY_OK;
}

/* Finds the query and splits the line into words, unless the query takes the whole line. */
static bool parse_query_line(struct query_run *run, const struct query_setup *setup)
{
    const struct query *query = query_find(setup->line);
    if (query == NULL) {
        query_fail(run, QUERY_REFUSED,
                   _("Trickhouse has no such command: \"help\" lists all commands; without a "
                     "command you enter the house."));
        return false;
    }
    run->query = query;
    run->next_word = 1;
    if (!query->takes_line && !split_words(setup->line, &run->line)) {
        query_fail_with_usage(run);
        return false;
    }
    return true;
}

void query_begin(struct query_run *run, const struct query_setup *setup)
{
    *run = (struct query_run){.setup = setup, .client = setup->client, .now_ms = setup->now_ms};
    lines_init(&run->out, 1 << 20);
    if (!parse_query_line(run, setup) || !asker_may_run_query(run, setup)) {
        return;
    }
    run->is_json = query_has_flag(run, "json");
    if (run->is_json && run->query->to_json == NULL) {
        query_fail_with_usage(run);
    } else if (run->query->ask != NULL) {
        run->query->ask(run);
    } else {
        (void)query_expect_no_more_words(run);
    }
}

bool query_is_answered(const struct query_run *run)
{
    bool is_heard = run->answered == run->asked && !run->awaits_state;
    return run->status != QUERY_OK || is_heard;
}

static void write_json(json_t *value, const char *line_end, struct bytes *out)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(6));
    bool is_put = text != NULL && bytes_add(out, text, strlen(text)) &&
                  bytes_add(out, line_end, strlen(line_end));
    (void)is_put; /* cannot fail: `out` is larger than any answer */
    free(text);
    json_decref(value);
}

void query_write_result(struct query_run *run, const char *line_end, struct bytes *out)
{
    const struct lines_look look = {.width = QUERY_COLUMNS, .end = line_end};
    json_t *value = run->status == QUERY_OK && run->is_json ? run->query->to_json(run) : NULL;
    if (run->status == QUERY_OK && !run->is_json) {
        run->query->write(run);
    }
    if (value != NULL) {
        write_json(value, line_end, out);
    } else if (!lines_write(&run->out, &look, out) || run->out.is_cut) {
        query_fail(run, QUERY_REFUSED, _("The answer was too long and is incomplete."));
    }
}

/* Sends the requests of queries and receives the answers. */

static void store_answer(void *context, bool is_ok, const json_t *answer)
{
    struct query_run *run = context;
    bool is_seen_to = !is_ok && run->query->refused != NULL &&
                      run->query->refused(run, query_get_text(answer, "code"));
    if (!is_ok && !is_seen_to) {
        char why[sizeof run->why];
        model_read_sentence(answer, "why", why, sizeof why);
        query_fail(run, QUERY_REFUSED,
                   why[0] == '\0' ? _("The house refuses that and does not say why.") : why);
        return;
    }
    run->answers[run->answered++] = json_deep_copy(answer);
}

void query_send_request(struct query_run *run, const char *type, json_t *fields)
{
    run->asked++;
    if (!client_send_request(run->client, type, fields, store_answer, run)) {
        abort(); /* The client accepts 64 requests at once, and a query sends at most three. */
    }
}

/* Sends the request after whose answer all that the core sends after `welcome` has arrived. */
static void await_rest(struct query_run *run)
{
    if (run->awaits_state) {
        run->awaits_state = false;
        query_send_request(run, "ping", NULL);
    }
}

static void apply_pushed_message(void *context, const char *type, const json_t *message)
{
    struct query_run *run = context;
    model_apply_pushed_message(run->model, type, message, run->now_ms);
    if (strcmp(type, "mine") == 0) {
        await_rest(run);
    }
}

/* Writes a name or a number of a row, by which an object of rows has it. */
static void write_row_key(const json_t *value, char out[ROW_NAME_SIZE])
{
    if (json_is_integer(value)) {
        snprintf(out, ROW_NAME_SIZE, "%lld", (long long)json_integer_value(value));
    } else {
        drawable_copy_text(value, out, ROW_NAME_SIZE);
    }
}

static void add_rows(json_t *object, const json_t *rows, const char *key)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        char name[ROW_NAME_SIZE];
        json_t *row = json_array_get(rows, i);
        write_row_key(json_object_get(row, key), name);
        if (json_object_set(object, name, row) != 0) {
            abort();
        }
    }
}

static void delete_rows(json_t *object, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        char name[ROW_NAME_SIZE];
        write_row_key(json_array_get(names, i), name);
        (void)json_object_del(object, name); /* the row may not have been sent yet */
    }
}

static void add_lobby_message(void *context, const char *type, const json_t *message)
{
    struct query_run *run = context;
    if (strcmp(type, "lobby") == 0) {
        if (json_is_true(json_object_get(message, "reset"))) {
            json_object_clear(run->people);
            json_object_clear(run->tables);
        }
        delete_rows(run->people, json_object_get(message, "gone_people"));
        delete_rows(run->tables, json_object_get(message, "gone_tables"));
        add_rows(run->people, json_object_get(message, "people"), "name");
        add_rows(run->tables, json_object_get(message, "tables"), "id");
        await_rest(run);
    }
}

static void send_hello(struct query_run *run, client_push *push)
{
    client_set_push_receiver(run->client, push, run);
    run->awaits_state = true;
    client_send_hello(run->client, "trickhouse " TRICKHOUSE_VERSION);
}

void query_request_own_state(struct query_run *run)
{
    run->model = model_new();
    if (run->model == NULL) {
        abort();
    }
    send_hello(run, apply_pushed_message);
}

void query_request_lobby(struct query_run *run)
{
    run->people = json_object();
    run->tables = json_object();
    client_follow_lobby(run->client);
    send_hello(run, add_lobby_message);
}

/* Prints the list of queries. */

void query_write_help(struct query_run *run)
{
    lines_put(&run->out,
              _("ssh HOST             enters the house: the lobby, the tables, everything."));
    lines_put(&run->out, _("ssh HOST QUERY       prints one answer:"));
    const struct query *query;
    for (size_t i = 0; (query = query_at(i)) != NULL; i++) {
        struct text text = TEXT_OF(LINES_LINE_MAX);
        if (run->is_guest && query->who == QUERY_FOR_PEOPLE) {
            continue;
        }
        text_put(&text, "  ");
        query_write_usage(query, &text);
        text_put(&text, ": ");
        text_put(&text, _(query->help));
        lines_put(&run->out, text.at);
    }
    lines_put(&run->out, _("--json: the answer is one line of JSON."));
    lines_put(&run->out,
              _("Exit status: 0 answered, 1 refused or not found, 2 not a valid query."));
    lines_put(&run->out,
              _("ssh -s HOST api      for programs that play: the protocol, one message a line."));
}
