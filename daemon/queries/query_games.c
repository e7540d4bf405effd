#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* Queries about the games that a person has played. */

#define CELL_BYTES 200
#define COUNT_MAX 50
#define COUNT_USUAL 20
#define COUNT_FINGER 5

#define OPPONENTS_COLUMNS 24

/* The columns of a list of finished games. */
static const enum played_column shown[] = {PLAYED_NUMBER,   PLAYED_DAY,   PLAYED_GAME,
                                           PLAYED_PLACE,    PLAYED_SCORE, PLAYED_CHANGE,
                                           PLAYED_OPPONENTS};

static void write_game_list(const json_t *rows, const char *player_name, struct lines *lines)
{
    struct query_column columns[ARRAY_LEN(shown)];
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        columns[i] = (struct query_column){played_headings[shown[i]].title,
                                           played_headings[shown[i]].is_right_aligned};
    }
    struct query_table table = query_table_new(columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        struct played played;
        char texts[ARRAY_LEN(shown)][CELL_BYTES];
        const char *cells[ARRAY_LEN(shown)];
        if (!played_read_game(json_array_get(rows, i), player_name, OPPONENTS_COLUMNS, &played)) {
            continue;
        }
        for (size_t j = 0; j < ARRAY_LEN(shown); j++) {
            struct text cell = text_init(texts[j], CELL_BYTES);
            cells[j] = played_write_cell(&played, shown[j], &cell);
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

void query_ask_games(struct query_run *run)
{
    int64_t count = query_read_option(run, "count", COUNT_MAX, COUNT_USUAL);
    const char *name = query_take_next_word(run);
    if (name == NULL) {
        query_fail_with_usage(run);
    } else if (query_expect_no_more_words(run)) {
        request_games_of_player(run, name, count);
    }
}

void query_write_games(struct query_run *run)
{
    const json_t *rows = json_object_get(run->answers[0], "rows");
    if (json_array_size(rows) == 0) {
        lines_put(&run->out, _("No finished games yet."));
    }
    write_game_list(rows, run->line.words[1], &run->out);
}

json_t *query_json_games(struct query_run *run)
{
    return json_pack("{s:O}", "rows", json_object_get(run->answers[0], "rows"));
}

void query_ask_finger(struct query_run *run)
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

void query_write_finger(struct query_run *run)
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

json_t *query_json_finger(struct query_run *run)
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

void query_ask_record(struct query_run *run)
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

void query_ask_replay(struct query_run *run)
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

void query_write_replay(struct query_run *run)
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

json_t *query_json_replay(struct query_run *run)
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
json_t *query_json_verify(struct query_run *run)
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

void query_write_verify(struct query_run *run)
{
    json_decref(query_json_verify(run));
}
