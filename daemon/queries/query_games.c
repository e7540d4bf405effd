#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/queries/query_ask.h"
#include "daemon/queries/query_table.h"
#include "daemon/queries/query_top.h"
#include "daemon/screens/drawing/person_words.h"
#include "daemon/screens/drawing/played_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"
#include "lobby/protocol/rows.h"

#include <stdio.h>
#include <string.h>

/* Queries about the games that a person has played. */

#define CELL_BYTES 200
#define COUNT_MAX 50
#define COUNT_USUAL 20
#define COUNT_FINGER 5

static const struct query_column columns[] = {
    {N_("Game"), true},         {N_("Day"), false},  {"", false},
    {N_("Place"), true},        {N_("Score"), true}, {N_("Change"), true},
    {N_("Played with"), false},
};

/* Writes the names of the other players, as many as fit a row of 80 columns. */
static void write_other_players(const struct row_players *players, const char *name,
                                struct text *out)
{
    size_t count = 0;
    for (size_t i = 0; i < players->count; i++) {
        const char *other = players->at[i].name;
        if (strcmp(other, name) == 0) {
            continue;
        }
        if (out->len + strlen(other) > 24 && count > 0) {
            text_put(out, ", ...");
            return;
        }
        text_put(out, count++ > 0 ? ", " : "");
        text_put(out, other);
    }
}

static void add_game(const struct game_row *row, const char *name, struct query_table *table)
{
    struct text others = TEXT_OF(CELL_BYTES), id = TEXT_OF(CELL_BYTES);
    struct text change = TEXT_OF(CELL_BYTES);
    write_other_players(&row->players, name, &others);
    text_put_number(&id, row->game_id);
    if (row->change_tenths != ROW_NONE) {
        text_format(&change, "%+.1f", row->change_tenths / 10.0);
    } else {
        text_put(&change, "-");
    }
    query_table_add(
        table, (const char *[]){
                   id.at, words_write_day(row->at_ms, &TEXT_OF(CELL_BYTES)), _(row->game->title),
                   played_write_place(row->rank, row->players.count, &TEXT_OF(CELL_BYTES)),
                   played_write_score(row->score, &TEXT_OF(CELL_BYTES)), change.at, others.at});
}

static void write_games(const json_t *rows, const char *name, struct lines *lines)
{
    struct query_table table = query_table_new(columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *object = json_array_get(rows, i);
        struct game_row row;
        if (game_row_read(object, &row)) {
            add_game(&row, name, &table);
        }
    }
    query_table_write(&table, lines);
}

static void request_games(struct query_run *run, const char *name, int64_t count)
{
    query_send_request(
        run, "games",
        json_pack("{s:s, s:I}", "name", name, "count", (json_int_t)(count < 1 ? 1 : count)));
}

static void send_games_requests(struct query_run *run)
{
    int64_t count = query_read_option(run, "count", COUNT_MAX, COUNT_USUAL);
    const char *name = query_next_word(run);
    if (name == NULL) {
        query_fail_usage(run);
    } else if (query_expect_no_more_words(run)) {
        request_games(run, name, count);
    }
}

static void write_games_answer(struct query_run *run)
{
    const json_t *rows = json_object_get(run->answers[0], "rows");
    if (json_array_size(rows) == 0) {
        lines_put(&run->out, _("No finished games yet."));
    }
    write_games(rows, run->line.words[1], &run->out);
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
    .ask = send_games_requests,
    .write = write_games_answer,
    .to_json = games_to_json,
};

static void send_finger_requests(struct query_run *run)
{
    const char *name = query_next_word(run);
    if (name == NULL) {
        query_fail_usage(run);
    } else if (query_expect_no_more_words(run)) {
        request_games(run, name, COUNT_FINGER);
        query_send_request(run, "profile", json_pack("{s:s}", "name", name));
        query_request_house_state(run);
    }
}

static void write_finger_answer(struct query_run *run)
{
    const char *name = run->line.words[1];
    const struct person_row *person = model_find_person(run->model, name);
    const json_t *rows = json_object_get(run->answers[0], "rows");
    if (person == NULL) {
        lines_format(&run->out, _("%s is not in."), name);
    } else {
        const char *kind = person_label(person->kind, person->role);
        lines_format(&run->out, _("%s%s%s is in: %s, R %s."), name, kind[0] == '\0' ? "" : ", ",
                     kind,
                     person_write_where(person->table, person->is_seated, &TEXT_OF(CELL_BYTES)),
                     words_write_rating(&theme_plain, &person->rating, &TEXT_OF(CELL_BYTES)));
    }
    query_top_write_standings(json_object_get(run->answers[1], "games"), run->now_ms, &run->out);
    if (json_array_size(rows) == 0) {
        lines_put(&run->out, _("No finished games yet."));
    }
    write_games(rows, name, &run->out);
}

static json_t *finger_to_json(struct query_run *run)
{
    const char *name = run->line.words[1];
    const struct person_row *person = model_find_person(run->model, name);
    return json_pack("{s:s, s:o?, s:O, s:O}", "name", name, "person",
                     person != NULL ? person_row_write(person) : NULL, "ratings",
                     json_object_get(run->answers[1], "games"), "games",
                     json_object_get(run->answers[0], "rows"));
}

const struct query finger_query = {
    .name = "finger",
    .args = N_("USER"),
    .help = N_("Whether somebody is in, their ratings, and their latest games."),
    .who = QUERY_FOR_ALL,
    .ask = send_finger_requests,
    .write = write_finger_answer,
    .to_json = finger_to_json,
};
