#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "lobby/protocol/protocol.h"

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
        columns[i] = (struct query_column){played_column_heading(shown[i]),
                                           played_column_is_right_aligned(shown[i])};
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

static void send_request_for_games(struct query_run *run)
{
    int64_t count = query_read_option(run, "count", COUNT_MAX, COUNT_USUAL);
    const char *name = query_take_next_word(run);
    if (name == NULL) {
        query_fail_with_usage(run);
    } else if (query_expect_no_more_words(run)) {
        request_games_of_player(run, name, count);
    }
}

static void write_games_answer(struct query_run *run)
{
    const json_t *rows = json_object_get(run->answers[0], "rows");
    if (json_array_size(rows) == 0) {
        lines_put(&run->out, _("No finished games yet."));
    }
    write_game_list(rows, run->line.words[1], &run->out);
}

static json_t *games_to_json(struct query_run *run)
{
    return json_pack("{s:O}", "rows", json_object_get(run->answers[0], "rows"));
}

const struct query games_query = {
    .name = "games",
    .args = N_("USER [--count N]"),
    .help = N_("The games somebody has finished, newest first."),
    .who = QUERY_FOR_ALL,
    .ask = send_request_for_games,
    .write = write_games_answer,
    .to_json = games_to_json,
};

static void send_requests_for_finger(struct query_run *run)
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

static void write_finger_answer(struct query_run *run)
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

static json_t *finger_to_json(struct query_run *run)
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

const struct query finger_query = {
    .name = "finger",
    .args = N_("USER"),
    .help = N_("Whether somebody is online, their ratings, and their latest games."),
    .who = QUERY_FOR_ALL,
    .ask = send_requests_for_finger,
    .write = write_finger_answer,
    .to_json = finger_to_json,
};
