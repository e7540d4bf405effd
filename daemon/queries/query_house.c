#include "daemon/queries/queries.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table.h"
#include "games/game.h"
#include "games/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct query_table query_table_new(const struct query_column *columns, size_t column_count)
{
    struct query_table table = {.columns = columns, .count = column_count, .rows = json_array()};
    if (table.rows == NULL) {
        abort();
    }
    return table;
}

void query_table_add_row(struct query_table *table, const char *const *cells)
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

void query_table_write(struct query_table *table, struct lines *lines)
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

#define CELL_BYTES 80

void query_ask_lobby(struct query_run *run)
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

void query_write_who(struct query_run *run)
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

json_t *query_json_who(struct query_run *run)
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

void query_write_tables(struct query_run *run)
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

json_t *query_json_tables(struct query_run *run)
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

void query_ask_top(struct query_run *run)
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

static const enum leader_column shown[] = {
    LEADER_RANK,  LEADER_NAME, LEADER_RATING,   LEADER_GAMES, LEADER_WINS,
    LEADER_PLACE, LEADER_STAT, LEADER_FINISHED, LEADER_BEST,  LEADER_SEEN};

static struct query_table make_leaders_table(const char *first_heading)
{
    static struct query_column columns[ARRAY_LEN(shown)];
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        columns[i] = (struct query_column){
            .title =
                shown[i] == LEADER_NAME ? first_heading : leader_column_heading(shown[i], true),
            .is_right = shown[i] != LEADER_NAME && shown[i] != LEADER_RATING,
        };
    }
    return query_table_new(columns, ARRAY_LEN(columns));
}

static void add_leader_row(const struct leader_row *row, int64_t now_ms, struct query_table *table)
{
    char cells[ARRAY_LEN(shown)][NUMBER_BYTES];
    const char *texts[ARRAY_LEN(shown)];
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        struct text text = text_init(cells[i], NUMBER_BYTES);
        texts[i] = leader_write_cell(&theme_plain, row, shown[i], now_ms, &text);
    }
    query_table_add_row(table, texts);
}

void query_top_write_standings(const json_t *games, int64_t now_ms, struct lines *lines)
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

void query_write_top(struct query_run *run)
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

json_t *query_json_top(struct query_run *run)
{
    const json_t *answer = run->answers[0];
    return json_pack("{s:s, s:O, s:O, s:O, s:O}", "game", game_at((uint8_t)run->number)->id,
                     "total", json_object_get(answer, "total"), "is_young",
                     json_object_get(answer, "is_young"), "rows", json_object_get(answer, "rows"),
                     "me", json_object_get(answer, "me"));
}

/* The query that lists the games and messages which wait for a person. */

#define ENTRY_BYTES 200

static const struct query_column columns[] = {
    {N_("Table"), true}, {N_("Game"), false}, {N_("Your turn"), false}, {N_("Time left"), false}};

void query_ask_inbox(struct query_run *run)
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
    struct query_table table = query_table_new(columns, ARRAY_LEN(columns));
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

void query_write_inbox(struct query_run *run)
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

json_t *query_json_inbox(struct query_run *run)
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

void query_ask_mod(struct query_run *run)
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

/* If the command must be confirmed and there is a terminal, runs the command on a screen that asks
 * for the confirmation. */
bool query_refused_mod(struct query_run *run, const char *refusal_code)
{
    if (strcmp(refusal_code, "step_up") != 0) {
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

void query_write_mod(struct query_run *run)
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
