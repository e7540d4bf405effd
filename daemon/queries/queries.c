#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table.h"
#include "games/game.h"
#include "games/text.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of a query. */

/* Reads the next word; NULL if there is none. */
static const char *query_take_next_word(struct query_run *run)
{
    return run->next_word < run->line.count ? run->line.words[run->next_word++] : NULL;
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

/* Reads the value of `--name N`, from 0 to max. Returns `value_if_absent` if there is no such
 * option. An invalid value fails the run. */
static int64_t query_read_option(struct query_run *run, const char *name, int64_t max,
                                 int64_t value_if_absent)
{
    size_t at = query_find_option(run, name);
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
    query_remove_words(run, at, 2);
    return number;
}

/* Reads a positive number, with or without "#". Anything else fails the run. */
static int64_t query_read_number(struct query_run *run, const char *word)
{
    int64_t number =
        word == NULL ? -1 : read_number(word[0] == '#' ? word + 1 : word, INT64_MAX / 2);
    if (number < 1) {
        query_fail_with_usage(run);
        return 0;
    }
    return number;
}

static int64_t query_get_int(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_integer(value) ? json_integer_value(value) : (int64_t)json_number_value(value);
}

/* Sends the requests of queries and receives the answers. */

/* Returns what follows the first word of a line; borrowed from it. */
static const char *query_line_skip_first_word(const char *line)
{
    line += strspn(line, " ");
    line += strcspn(line, " ");
    return line + strspn(line, " ");
}

static const char *get_moderation_command(const struct query_run *run)
{
    const char *line = query_line_skip_first_word(run->setup->line);
    return line[0] == '/' ? line + 1 : line;
}

/* If a moderation command must be confirmed and there is a terminal, runs the command on a screen
 * that asks for the confirmation. */
static bool handle_refusal(struct query_run *run, const json_t *answer)
{
    const char *code = json_string_value(json_object_get(answer, "code"));
    if (!run->query->takes_line || code == NULL || strcmp(code, "step_up") != 0) {
        return false;
    }
    if (run->setup->has_terminal) {
        snprintf(run->typed, sizeof run->typed, "/mod %s\n", get_moderation_command(run));
    } else {
        query_fail(run, QUERY_REFUSED,
                   _("This command must be confirmed by password or code, which needs a terminal: "
                     "ssh -t HOST mod ... With the same key, the next commands then need none for "
                     "a while."));
    }
    return true;
}

static void store_answer(void *context, bool is_ok, const json_t *answer)
{
    struct query_run *run = context;
    if (!is_ok && !handle_refusal(run, answer)) {
        char why[sizeof run->why];
        model_read_sentence(answer, "why", why, sizeof why);
        query_fail(run, QUERY_REFUSED,
                   why[0] == '\0' ? _("The house refuses that and does not say why.") : why);
        return;
    }
    run->answers[run->answered++] = json_deep_copy(answer);
}

/* Sends one request; takes over the reference to `fields`. */
static void query_send_request(struct query_run *run, const char *type, json_t *fields)
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

/* Requests one's own tables and the chat, for run->model. */
static void query_request_own_state(struct query_run *run)
{
    run->model = must_not_be_null(model_new());
    send_hello(run, apply_pushed_message);
}

/* Requests all people and tables of the house, for run->people and run->tables. */
static void query_request_lobby(struct query_run *run)
{
    run->people = json_object();
    run->tables = json_object();
    client_follow_lobby(run->client);
    send_hello(run, add_lobby_message);
}

/* A table of texts with headings; each column is as wide as its widest cell. */
#define QUERY_COLUMNS_MAX 12

struct query_column {
    const char *title; /* N_() */
    bool is_right;     /* cells are right-aligned, as numbers are */
};

struct query_table {
    const struct query_column *columns; /* borrowed: the caller owns the columns */
    size_t count;
    json_t *rows; /* one array of texts for each row */
};

/* Starts a table without rows. query_table_write frees it. */
static struct query_table query_table_new(const struct query_column *columns, size_t column_count)
{
    struct query_table table = {
        .columns = columns, .count = column_count, .rows = must_not_be_null(json_array())};
    return table;
}

/* Adds a row of cells, which are copied. Text that is not UTF-8 becomes "?". */
static void query_table_add_row(struct query_table *table, const char *const *cells)
{
    json_t *row = json_array();
    for (size_t i = 0; i < table->count; i++) {
        json_t *cell = json_string(cells[i]);
        (void)json_array_append_new(row, cell == NULL ? json_string("?") : cell);
    }
    (void)json_array_append_new(table->rows, row);
}

static const char *get_cell_text(const json_t *row, size_t column)
{
    return json_string_value(json_array_get(row, column));
}

static void write_blanks(int count, struct text *out)
{
    for (int i = 0; i < count; i++) {
        text_put_char(out, ' ');
    }
}

static void write_cell(const struct query_column *column, const char *cell, int width, bool is_last,
                       struct text *out)
{
    int blanks = width - draw_measure_text(cell);
    if (column->is_right) {
        write_blanks(blanks, out);
    }
    text_put(out, cell);
    if (!column->is_right && !is_last) {
        write_blanks(blanks, out);
    }
    text_put(out, is_last ? "" : "  ");
}

static int measure_column_width(const struct query_table *table, size_t column)
{
    int width = draw_measure_text(_(table->columns[column].title));
    for (size_t i = 0; i < json_array_size(table->rows); i++) {
        int wide = draw_measure_text(get_cell_text(json_array_get(table->rows, i), column));
        width = wide > width ? wide : width;
    }
    return width;
}

/* Writes the headings and rows; nothing if there are no rows. Frees the table. */
static void query_table_write(struct query_table *table, struct lines *lines)
{
    int widths[QUERY_COLUMNS_MAX] = {0};
    size_t rows = json_array_size(table->rows);
    for (size_t column = 0; column < table->count; column++) {
        widths[column] = measure_column_width(table, column);
    }
    for (size_t i = 0; rows > 0 && i <= rows; i++) {
        struct text out = TEXT_OF(LINES_LINE_MAX);
        const json_t *row = i == 0 ? NULL : json_array_get(table->rows, i - 1);
        for (size_t column = 0; column < table->count; column++) {
            const char *title = _(table->columns[column].title);
            write_cell(&table->columns[column], row == NULL ? title : get_cell_text(row, column),
                       widths[column], column + 1 == table->count, &out);
        }
        lines_put(lines, out.at);
    }
    json_decref(table->rows);
    table->rows = NULL;
}

/* Queries about the people and tables in the house now. */

#define CELL_BYTES 200

static void query_ask_lobby(struct query_run *run)
{
    if (query_expect_no_more_words(run)) {
        query_request_lobby(run);
    }
}

static const struct query_column person_columns[] = {
    {N_("Name"), false}, {N_("R"), true}, {N_("Where"), false}, {N_("Idle"), true}, {"", false},
};

/* Reads a person's row. False if the person is not listed: a guest who is connected only for this
 * query. */
static bool read_listed_person(const struct query_run *run, const json_t *row,
                               struct person_row *person)
{
    return person_row_read(row, person) &&
           (person->kind != PERSON_GUEST || strcmp(person->name, run->you) != 0);
}

static void query_write_who(struct query_run *run)
{
    struct query_table table = query_table_new(person_columns, ARRAY_LEN(person_columns));
    const char *name;
    json_t *row;
    json_object_foreach(run->people, name, row)
    {
        struct person_row person;
        if (read_listed_person(run, row, &person)) {
            query_table_add_row(
                &table,
                (const char *[]){
                    person.name,
                    words_write_rating(&theme_plain, &person.rating, &TEXT_OF(CELL_BYTES)),
                    person_write_location(person.table, person.is_seated, &TEXT_OF(CELL_BYTES)),
                    person.idle_s >= 60
                        ? words_write_duration(&theme_plain, person.idle_s, &TEXT_OF(CELL_BYTES))
                        : "",
                    person_label(person.kind, person.level, person.role)});
        }
    }
    if (json_array_size(table.rows) == 0) {
        lines_put(&run->out, _("Nobody is online."));
    }
    query_table_write(&table, &run->out);
}

static json_t *query_json_who(struct query_run *run)
{
    json_t *people = json_array();
    const char *name;
    json_t *row;
    json_object_foreach(run->people, name, row)
    {
        struct person_row person;
        if (read_listed_person(run, row, &person)) {
            (void)json_array_append_new(people, person_row_write(&person));
        }
    }
    return json_pack("{s:o}", "people", people);
}

static const struct query_column table_columns[] = {
    {N_("#"), true},      {N_("Game"), false}, {N_("Seats"), true}, {N_("Clock"), false},
    {N_("State"), false}, {N_("Host"), false}, {"", false},
};

static void add_table_row(const struct table_row *table, struct query_table *out)
{
    struct text id = TEXT_OF(CELL_BYTES), seats = TEXT_OF(CELL_BYTES);
    struct text clock = TEXT_OF(CELL_BYTES), marks = TEXT_OF(CELL_BYTES);
    text_put_number(&id, table->id);
    text_format(&seats, "%d/%d", table->seated, table->players);
    if (table->clock.kind == CLOCK_NONE) {
        text_put_char(&clock, '-');
    } else {
        clock_rule_write(&table->clock, &clock);
    }
    if (table->is_locked) {
        text_put(&marks, _("locked"));
    } else if (table->watchers > 0) {
        text_format(&marks, _("%lld watching"), (long long)table->watchers);
    }
    query_table_add_row(out,
                        (const char *[]){id.at, _(table->game->title), seats.at, clock.at,
                                         table_write_state(table->phase, table->halt, table->round,
                                                           table->rounds, &TEXT_OF(CELL_BYTES)),
                                         table->host, marks.at});
}

static void query_write_tables(struct query_run *run)
{
    struct query_table out = query_table_new(table_columns, ARRAY_LEN(table_columns));
    const char *id;
    json_t *row;
    json_object_foreach(run->tables, id, row)
    {
        struct table_row table;
        if (table_row_read(row, &table)) {
            add_table_row(&table, &out);
        }
    }
    if (json_array_size(out.rows) == 0) {
        lines_put(&run->out, _("No table is open."));
    }
    query_table_write(&out, &run->out);
}

static json_t *query_json_tables(struct query_run *run)
{
    json_t *tables = json_array();
    const char *id;
    json_t *row;
    json_object_foreach(run->tables, id, row)
    {
        struct table_row table;
        if (table_row_read(row, &table)) {
            (void)json_array_append_new(tables, table_row_write(&table));
        }
    }
    return json_pack("{s:o}", "tables", tables);
}

/* The query that shows a leaderboard. */

#define COUNT_MAX 50
#define COUNT_USUAL 20
#define NUMBER_BYTES 48

static void fail_for_unknown_game(struct query_run *run)
{
    struct text out = TEXT_OF(sizeof run->why);
    text_put(&out, _("These games have a leaderboard:"));
    for (uint8_t i = 0; game_at(i) != NULL; i++) {
        text_put(&out, i == 0 ? " " : ", ");
        text_put(&out, game_at(i)->id);
    }
    text_put_char(&out, '.');
    query_fail(run, QUERY_USAGE, out.at);
}

/* Reads --week, --month or --season. If several are given, the shortest span is used. */
static const char *read_time_span(struct query_run *run)
{
    static const char *const spans[] = {"season", "month", "week"};
    const char *span = "all";
    for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
        span = query_has_flag(run, spans[i]) ? spans[i] : span;
    }
    return span;
}

static void query_ask_top(struct query_run *run)
{
    bool is_bots = query_has_flag(run, "bots");
    int64_t count = query_read_option(run, "count", COUNT_MAX, COUNT_USUAL);
    int64_t from = query_read_option(run, "from", UINT32_MAX, 1);
    int64_t players = query_read_option(run, "players", SEATS_MAX, 0);
    const char *span = read_time_span(run);
    const char *word = query_take_next_word(run);
    int game = word == NULL ? -1 : option_find_game(word);
    if (game < 0) {
        fail_for_unknown_game(run);
    } else if (query_expect_no_more_words(run)) {
        run->number = game;
        query_send_request(run, "leaders",
                           json_pack("{s:s, s:I, s:I, s:b, s:I, s:s}", "game",
                                     game_at((uint8_t)game)->id, "offset",
                                     (json_int_t)(from < 1 ? 0 : from - 1), "count",
                                     (json_int_t)(count < 1 ? 1 : count), "bots", is_bots,
                                     "players", (json_int_t)players, "span", span));
    }
}

static const enum leader_column leader_columns[] = {
    LEADER_RANK,  LEADER_NAME, LEADER_RATING,   LEADER_GAMES, LEADER_WINS,
    LEADER_PLACE, LEADER_STAT, LEADER_FINISHED, LEADER_BEST,  LEADER_SEEN};

static struct query_table make_leaders_table(const char *first_heading)
{
    static struct query_column columns[ARRAY_LEN(leader_columns)];
    for (size_t i = 0; i < ARRAY_LEN(leader_columns); i++) {
        columns[i] = (struct query_column){
            .title = leader_columns[i] == LEADER_NAME
                         ? first_heading
                         : leader_column_heading(leader_columns[i], true),
            .is_right = leader_columns[i] != LEADER_NAME && leader_columns[i] != LEADER_RATING,
        };
    }
    return query_table_new(columns, ARRAY_LEN(columns));
}

static void add_leader_row(const struct leader_row *row, int64_t now_ms, struct query_table *table)
{
    char cells[ARRAY_LEN(leader_columns)][NUMBER_BYTES];
    const char *texts[ARRAY_LEN(leader_columns)];
    for (size_t i = 0; i < ARRAY_LEN(leader_columns); i++) {
        struct text text = text_init(cells[i], NUMBER_BYTES);
        texts[i] = leader_write_cell(&theme_plain, row, leader_columns[i], now_ms, &text);
    }
    query_table_add_row(table, texts);
}

/* Writes a player's standings, one row for each game of the profile; nothing if there are none. */
static void query_top_write_standings(const json_t *games, int64_t now_ms, struct lines *lines)
{
    struct query_table table = make_leaders_table(N_("Game"));
    for (size_t i = 0; i < json_array_size(games); i++) {
        struct leader_row row;
        struct standing_row standing;
        if (leader_read_standing(json_array_get(games, i), &row, &standing)) {
            add_leader_row(&row, now_ms, &table);
        }
    }
    query_table_write(&table, lines);
}

/* Writes the number of players on the leaderboard, or how to get on it. */
static void write_number_of_leaders(const struct game_def *game, const json_t *answer,
                                    struct lines *out)
{
    int64_t total = query_get_int(answer, "total");
    if (total == 0) {
        lines_format(out,
                     _("%s: nobody is listed yet. A game between accounts, with a clock and the "
                       "usual rules, is rated."),
                     _(game->title));
        return;
    }
    lines_format(out,
                 ngettext("%s: %lld player is listed.", "%s: %lld players are listed.",
                          (unsigned long)total),
                 _(game->title), (long long)total);
    if (json_is_true(json_object_get(answer, "is_young"))) {
        lines_put(out,
                  _("Nobody has played enough games yet: everybody with a rated game is listed."));
    }
}

static void query_write_top(struct query_run *run)
{
    const json_t *answer = run->answers[0];
    const struct game_def *game = game_at((uint8_t)run->number);
    write_number_of_leaders(game, answer, &run->out);
    struct query_table table = make_leaders_table(N_("Player"));
    const json_t *own = json_object_get(answer, "me");
    struct leader_row row, me;
    bool has_me = json_is_object(own) && leader_row_read(own, &me);
    size_t i;
    json_t *object;
    json_array_foreach(json_object_get(answer, "rows"), i, object)
    {
        if (leader_row_read(object, &row)) {
            add_leader_row(&row, run->now_ms, &table);
            has_me = has_me && strcmp(row.name, me.name) != 0;
        }
    }
    if (has_me) { /* the asker is on the list, but not among the rows received */
        add_leader_row(&me, run->now_ms, &table);
    }
    query_table_write(&table, &run->out);
    if (query_get_int(answer, "total") > 0) {
        lines_format(&run->out,
                     _("Stat: %s. Ends: games played to the end. ?: the rating is provisional."),
                     _(game->stat.title));
    }
}

static json_t *query_json_top(struct query_run *run)
{
    const json_t *answer = run->answers[0];
    return json_pack("{s:s, s:O, s:O, s:O, s:O}", "game", game_at((uint8_t)run->number)->id,
                     "total", json_object_get(answer, "total"), "is_young",
                     json_object_get(answer, "is_young"), "rows", json_object_get(answer, "rows"),
                     "me", json_object_get(answer, "me"));
}

/* The query that lists the games and messages which wait for a person. */

#define ENTRY_BYTES 200

static const struct query_column inbox_columns[] = {
    {N_("Table"), true}, {N_("Game"), false}, {N_("Your turn"), false}, {N_("Time left"), false}};

static void query_ask_inbox(struct query_run *run)
{
    if (query_expect_no_more_words(run)) {
        query_request_own_state(run);
        query_send_request(run, "tells_read",
                           NULL); /* marks the messages as read once they have been delivered */
    }
}

static bool is_message_to_asker(const struct query_run *run, const struct chat_line *line)
{
    return line->kind == CHAT_DIRECT && strcmp(line->from, run->you) != 0;
}

static void write_tables_of_asker(struct query_run *run)
{
    struct query_table table = query_table_new(inbox_columns, ARRAY_LEN(inbox_columns));
    size_t waiting = 0;
    for (int i = 0; i < run->model->mine_count; i++) {
        const struct mine_row *row = &run->model->mine[i];
        struct text left = TEXT_OF(ENTRY_BYTES), id = TEXT_OF(ENTRY_BYTES);
        if (row->is_turn && row->due_ms > run->now_ms) {
            words_write_duration(&theme_plain, (row->due_ms - run->now_ms) / 1000, &left);
        }
        waiting += row->is_turn;
        text_format(&id, "#%lld", (long long)row->table);
        query_table_add_row(&table, (const char *[]){id.at, _(row->game->title),
                                                     row->is_turn ? _("yes") : _("no"), left.at});
    }
    if (waiting == 0) {
        lines_put(&run->out, _("No game waits for your move."));
    } else {
        lines_format(
            &run->out,
            ngettext("%zu game waits for your move.", "%zu games wait for your move.", waiting),
            waiting);
    }
    query_table_write(&table, &run->out);
}

static void query_write_inbox(struct query_run *run)
{
    const struct chat_log *log = &run->model->chat[CHAT_LOBBY];
    size_t count = 0;
    write_tables_of_asker(run);
    for (int i = 0; i < log->count; i++) {
        const struct chat_line *line = &log->lines[i];
        if (is_message_to_asker(run, line)) {
            lines_format(&run->out, _("%s, %s told you: %s"),
                         words_write_day_and_time(line->at_ms, &TEXT_OF(ENTRY_BYTES)), line->from,
                         line->text);
            count++;
        }
    }
    if (count == 0) {
        lines_put(&run->out, _("Nobody has told you anything."));
    }
}

static json_t *query_json_inbox(struct query_run *run)
{
    const struct chat_log *log = &run->model->chat[CHAT_LOBBY];
    json_t *messages = json_array();
    for (int i = 0; i < log->count; i++) {
        const struct chat_line *line = &log->lines[i];
        if (is_message_to_asker(run, line)) {
            (void)json_array_append_new(messages,
                                        json_pack("{s:s, s:s, s:I}", "from", line->from, "text",
                                                  line->text, "at", (json_int_t)line->at_ms));
        }
    }
    return json_pack(
        "{s:o, s:o}", "tables",
        row_list_write(&mine_row_def, run->model->mine, (size_t)run->model->mine_count), "tells",
        messages);
}

/* The query that carries out moderation commands, written as in the lobby (PROTOCOL.md). */

/* True if the text is not empty, not too long, and contains no control character. */
static bool is_one_line(const char *line)
{
    for (const char *at = line; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7F) {
            return false;
        }
    }
    return line[0] != '\0' && strlen(line) <= QUERY_LINE_MAX;
}

static void query_ask_mod(struct query_run *run)
{
    const char *line = get_moderation_command(run);
    if (strcmp(line, "help") == 0) {
        return;
    }
    /* json_string refuses text that is not UTF-8 */
    json_t *text = is_one_line(line) ? json_string(line) : NULL;
    if (text == NULL) {
        query_fail_with_usage(run);
    } else {
        query_send_request(run, "mod", json_pack("{s:o, s:s}", "line", text, "via", "exec"));
    }
}

static void query_write_mod(struct query_run *run)
{
    if (run->asked == 0) {
        usage_put_mod_commands(rank_of_role(run->role), &run->out);
        return;
    }
    json_t *lines = core_text_translate_lines(run->answers[0]);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        lines_put(&run->out, json_string_value(line));
    }
    json_decref(lines);
}

/* Queries about the games that a person has played. */

#define COUNT_FINGER 5

#define OPPONENTS_COLUMNS 24

/* The columns of a list of finished games. */
static const enum played_column game_columns[] = {PLAYED_NUMBER,   PLAYED_DAY,   PLAYED_GAME,
                                                  PLAYED_PLACE,    PLAYED_SCORE, PLAYED_CHANGE,
                                                  PLAYED_OPPONENTS};

static void write_game_list(const json_t *rows, const char *player_name, struct lines *lines)
{
    struct query_column columns[ARRAY_LEN(game_columns)];
    for (size_t i = 0; i < ARRAY_LEN(game_columns); i++) {
        columns[i] = (struct query_column){played_headings[game_columns[i]].title,
                                           played_headings[game_columns[i]].is_right_aligned};
    }
    struct query_table table = query_table_new(columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        struct played played;
        char texts[ARRAY_LEN(game_columns)][CELL_BYTES];
        const char *cells[ARRAY_LEN(game_columns)];
        if (!played_read_game(json_array_get(rows, i), player_name, OPPONENTS_COLUMNS, &played)) {
            continue;
        }
        for (size_t j = 0; j < ARRAY_LEN(game_columns); j++) {
            struct text cell = text_init(texts[j], CELL_BYTES);
            cells[j] = played_write_cell(&played, game_columns[j], &cell);
        }
        query_table_add_row(&table, cells);
    }
    query_table_write(&table, lines);
}

static void request_games_of_player(struct query_run *run, const char *name, int64_t count)
{
    query_send_request(
        run, "games",
        json_pack("{s:s, s:I}", "name", name, "count", (json_int_t)(count < 1 ? 1 : count)));
}

static void query_ask_games(struct query_run *run)
{
    int64_t count = query_read_option(run, "count", COUNT_MAX, COUNT_USUAL);
    const char *name = query_take_next_word(run);
    if (name == NULL) {
        query_fail_with_usage(run);
    } else if (query_expect_no_more_words(run)) {
        request_games_of_player(run, name, count);
    }
}

static void query_write_games(struct query_run *run)
{
    const json_t *rows = json_object_get(run->answers[0], "rows");
    if (json_array_size(rows) == 0) {
        lines_put(&run->out, _("No finished games yet."));
    }
    write_game_list(rows, run->line.words[1], &run->out);
}

static json_t *query_json_games(struct query_run *run)
{
    return json_pack("{s:O}", "rows", json_object_get(run->answers[0], "rows"));
}

static void query_ask_finger(struct query_run *run)
{
    const char *name = query_take_next_word(run);
    if (name == NULL) {
        query_fail_with_usage(run);
    } else if (query_expect_no_more_words(run)) {
        request_games_of_player(run, name, COUNT_FINGER);
        query_send_request(run, "profile", json_pack("{s:s}", "name", name));
        query_send_request(run, "people", json_pack("{s:s, s:i}", "start", name, "count", 1));
    }
}

/* Reads the row of the person who is asked about; false if they are not in the house. */
static bool read_person(const struct query_run *run, struct person_row *person)
{
    const json_t *first = json_array_get(json_object_get(run->answers[2], "people"), 0);
    return person_row_read(first, person) && strcmp(person->name, run->line.words[1]) == 0;
}

static void query_write_finger(struct query_run *run)
{
    const char *name = run->line.words[1];
    struct person_row person;
    const json_t *rows = json_object_get(run->answers[0], "rows");
    if (!read_person(run, &person)) {
        lines_format(&run->out, _("%s is not online."), name);
    } else {
        const char *kind = person_label(person.kind, person.level, person.role);
        lines_format(&run->out, _("%s%s%s is online: %s, rating %s."), name,
                     kind[0] == '\0' ? "" : ", ", kind,
                     person_write_location(person.table, person.is_seated, &TEXT_OF(CELL_BYTES)),
                     words_write_rating(&theme_plain, &person.rating, &TEXT_OF(CELL_BYTES)));
    }
    query_top_write_standings(json_object_get(run->answers[1], "games"), run->now_ms, &run->out);
    if (json_array_size(rows) == 0) {
        lines_put(&run->out, _("No finished games yet."));
    }
    write_game_list(rows, name, &run->out);
}

static json_t *query_json_finger(struct query_run *run)
{
    const char *name = run->line.words[1];
    struct person_row person;
    struct profile_row profile;
    bool is_whole = profile_row_read(run->answers[1], &profile);
    return json_pack("{s:s, s:o?, s:o?, s:O, s:O}", "name", name, "person",
                     read_person(run, &person) ? person_row_write(&person) : NULL, "profile",
                     is_whole ? profile_row_write(&profile) : NULL, "ratings",
                     json_object_get(run->answers[1], "games"), "games",
                     json_object_get(run->answers[0], "rows"));
}

/* Queries that replay a finished game, or verify it against its seed. */

#define LINE_BYTES 400
#define HISTORY_MAX (4 << 20)
#define CAST_ROWS 24
#define CAST_SIDE_MAX 1000
#define WHOLE (-1) /* value of run->step if the whole game was requested */

static void query_ask_record(struct query_run *run)
{
    run->number = query_read_number(run, query_take_next_word(run));
    if (query_expect_no_more_words(run)) {
        query_send_request(run, "record", json_pack("{s:I}", "game_id", (json_int_t)run->number));
    }
}

static json_t *get_game_record_from_answer(const struct query_run *run)
{
    return json_object_get(run->answers[0], "record");
}

static struct words make_table_words(const struct replay_game *game)
{
    struct words words = {
        .theme = &theme_plain,
        .game = game->record.source.game,
        .config = &game->record.source.config,
        .players = game->record.source.config.players,
        .you = SPECTATOR,
    };
    for (uint8_t seat = 0; seat < words.players; seat++) {
        words.names[seat] = replay_game_seat_name(game, seat);
    }
    return words;
}

static void write_void_notice(struct lines *lines, const struct record *record)
{
    if (record->is_void) {
        lines_put(lines, _("The game was declared void after its end: it counts for nobody."));
    }
}

static void write_game_heading(struct query_run *run, const struct replay_game *game)
{
    lines_format(&run->out, _("Game %lld: %s, %s."), (long long)run->number,
                 _(game->record.source.game->title),
                 words_write_day(game->record.at_ms, &TEXT_OF(LINE_BYTES)));
    write_void_notice(&run->out, &game->record);
}

static void write_game_at_step(const struct replay_game *game, struct lines *lines)
{
    struct words words = make_table_words(game);
    lines_format(lines, _("Step %u of %u."), game->step, game->record.source.move_count);
    game_print_story_lines(&game->story, 0, game->story.count, &words, lines);
    game_print_headline(&game->view, &words, lines);
    game_print_seats(&game->view, &words, lines);
    game_print_trick(&game->view, &words, lines);
}

static void write_every_move(struct replay_game *game, struct lines *lines)
{
    struct words words = make_table_words(game);
    game_print_headline(&game->view, &words, lines);
    game_print_seats(&game->view, &words, lines);
    game_print_story_lines(&game->story, 0, game->story.count, &words, lines);
    while (game->step < game->record.source.move_count) {
        struct game_view before = game->view;
        replay_game_go_to(game, game->step + 1);
        words = make_table_words(game);
        replay_print_step(game, &before, &words, lines);
    }
    game_print_seats(&game->view, &words, lines);
}

static void query_ask_replay(struct query_run *run)
{
    run->wants_cast = query_has_flag(run, "cast");
    run->columns = (int)query_read_option(run, "columns", CAST_SIDE_MAX, QUERY_COLUMNS);
    run->rows = (int)query_read_option(run, "rows", CAST_SIDE_MAX, CAST_ROWS);
    if (run->wants_cast && run->is_json) {
        query_fail_with_usage(run);
        return;
    }
    run->step = query_read_option(run, "step", UINT32_MAX, WHOLE);
    query_ask_record(run);
}

static void query_write_replay(struct query_run *run)
{
    struct replay_game game = {0};
    if (!replay_game_init(&game, get_game_record_from_answer(run))) {
        query_fail(run, QUERY_REFUSED, _("This program does not have the rules of that game."));
        return;
    }
    if (run->step > (int64_t)game.record.source.move_count) {
        char why[LINE_BYTES];
        snprintf(why, sizeof why, _("The last step of that game is %u."),
                 game.record.source.move_count);
        query_fail(run, QUERY_REFUSED, why);
    } else if (run->step == WHOLE) {
        write_game_heading(run, &game);
        write_every_move(&game, &run->out);
    } else {
        write_game_heading(run, &game);
        replay_game_go_to(&game, (uint32_t)run->step);
        write_game_at_step(&game, &run->out);
    }
    replay_game_clear(&game);
}

static void append_history_bytes(void *context, const char *bytes, size_t len)
{
    bool is_added = bytes_add(context, bytes, len);
    (void)is_added; /* A truncated history is invalid JSON, so its reader notices the error. */
}

json_t *query_record_to_history(json_t *record_json)
{
    struct record record;
    struct bytes text;
    json_t *history = NULL;
    bytes_init(&text, HISTORY_MAX);
    if (record_from_json(record_json, &record)) {
        if (history_write(&record.source, append_history_bytes, &text) == HISTORY_OK) {
            history = json_loadb(text.at, text.len, 0, NULL);
        }
        if (history != NULL && record.is_void) {
            (void)json_object_set_new(history, "void", json_true());
        }
        record_clear(&record);
    }
    bytes_clear(&text);
    return history;
}

static json_t *query_json_replay(struct query_run *run)
{
    json_t *history = query_record_to_history(get_game_record_from_answer(run));
    if (history == NULL) {
        query_fail(run, QUERY_REFUSED, _("This program does not have the rules of that game."));
    }
    return history;
}

/* Replays the game up to the first illegal move, and returns the number of moves before it.
 * *is_over tells whether those moves end the game. */
static uint32_t count_legal_moves(const struct history_source *source, bool *is_over)
{
    struct game_state state;
    uint32_t step = 0;
    *is_over = false;
    if (game_start(source->game, &source->config, source->seed, &state, NULL) != GAME_OK) {
        return 0;
    }
    while (step < source->move_count && game_apply(source->game, &state, source->moves[step].seat,
                                                   source->moves[step].move, NULL) == GAME_OK) {
        step++;
    }
    *is_over = game_seats_to_act(&state) == 0;
    return step;
}

/* True if the record matches its seed and the rules; otherwise `why` says what is wrong. */
static bool check_game_record(const struct record *record, char *why, size_t size)
{
    const struct history_source *source = &record->source;
    uint8_t promised[crypto_hash_sha256_BYTES];
    bool is_over;
    (void)crypto_hash_sha256(promised, source->seed, sizeof source->seed);
    uint32_t steps = count_legal_moves(source, &is_over);
    if (memcmp(promised, source->commitment, sizeof promised) != 0) {
        snprintf(why, size, "%s", _("the commitment does not belong to the seed"));
    } else if (steps < source->move_count) {
        snprintf(why, size, _("move %u is against the rules"), steps + 1);
    } else if (!is_over) {
        snprintf(why, size, "%s", _("the game is not over after its last move"));
    } else {
        return true;
    }
    return false;
}

/* Verifies the game and writes the result; also returns it as JSON. */
static json_t *query_json_verify(struct query_run *run)
{
    struct record record;
    char why[LINE_BYTES] = "";
    if (!record_from_json(get_game_record_from_answer(run), &record)) {
        query_fail(run, QUERY_REFUSED, _("This program does not have the rules of that game."));
        return NULL;
    }
    bool holds = check_game_record(&record, why, sizeof why);
    if (holds) {
        lines_format(&run->out,
                     _("Game %lld is correct: its seed was promised before the first card, and all "
                       "%u moves follow the rules."),
                     (long long)run->number, record.source.move_count);
    } else {
        char line[LINE_BYTES + 64];
        snprintf(line, sizeof line, _("Game %lld is not correct: %s."), (long long)run->number,
                 why);
        query_fail(run, QUERY_REFUSED, line);
    }
    write_void_notice(&run->out, &record);
    json_t *json = json_pack("{s:I, s:b, s:I, s:s, s:b}", "game_id", (json_int_t)run->number,
                             "holds", holds, "moves", (json_int_t)record.source.move_count, "why",
                             why, "is_void", (int)record.is_void);
    record_clear(&record);
    return json;
}

static void query_write_verify(struct query_run *run)
{
    json_decref(query_json_verify(run));
}

/* Prints the list of queries. */

static void query_write_help(struct query_run *run)
{
    lines_put(&run->out,
              _("ssh HOST             enters the house: the lobby, the tables, everything."));
    lines_put(&run->out, _("ssh HOST QUERY       prints one answer:"));
    for (const struct query *query = query_list; query->name != NULL; query++) {
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

const struct query query_list[] = {
#define QUERY(word, words, text, whom, how)                                                        \
    {.name = #word,                                                                                \
     .args = (words),                                                                              \
     .help = (text),                                                                               \
     .who = (whom),                                                                                \
     .write = query_write_##word,                                                                  \
     how},
#define ASKS(what) .ask = query_ask_##what,
#define JSON(word) .to_json = query_json_##word,
#define ASKS_NOTHING
#define TAKES_LINE .takes_line = true
#include "daemon/queries/queries.def"
    {.name = NULL},
};
