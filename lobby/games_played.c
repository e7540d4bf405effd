#include "lobby/answers.h"
#include "lobby/memory.h"
#include "lobby/messages.h"
#include "lobby/protocol/config_json.h"
#include "lobby/protocol/json_read.h"
#include "lobby/protocol/record_json.h"
#include "lobby/rating.h"
#include "lobby/stored.h"
#include "lobby/words.h"
#include "storage/played.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAMES_MAX 50

static bool games_add(void *context, const struct storage_played *played)
{
    json_t *rows = context;
    json_t *players = json_array();
    for (size_t i = 0; i < played->score_count; i++) {
        const struct storage_score *score = &played->scores[i];
        (void)json_array_append_new(players,
                                    json_pack("{s:s,s:i,s:i}", "name", score->who.name, "rank",
                                              score->rank, "score", (int)score->score));
    }
    const struct storage_score *own = &played->scores[played->own];
    json_t *change = json_null();
    if (played->has_change) {
        change = json_real(round(10.0 * rating_points_change(played->change_mu)) / 10.0);
    }
    (void)json_array_append_new(
        rows, json_pack("{s:I,s:s,s:I,s:o,s:i,s:i,s:o}", "game_id", (json_int_t)played->game_id,
                        "game", played->game, "at", (json_int_t)played->finished_ms, "players",
                        players, "rank", own->rank, "score", (int)own->score, "change", change));
    return true;
}

/* Whose games are asked for; false, and the request is answered, when there is nobody. */
static bool games_account(struct house *house, struct conn *conn, int64_t request,
                          const json_t *body, int64_t *id)
{
    *id = conn->person->account;
    if (json_read_is_absent(body, "name")) {
        return true;
    }
    const char *name = json_read_text(body, "name", STORAGE_NAME_SIZE - 1);
    struct storage_account account;
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(house, conn, request, "unknown", _("Nobody has that name: check its spelling."));
        return false;
    }
    *id = account.id;
    return true;
}

void message_games(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    int64_t account = 0;
    int64_t before = INT64_MAX;
    int64_t count = GAMES_MAX;
    if ((!json_read_is_absent(body, "before") &&
         !json_read_number(body, "before", 1, INT64_MAX, &before)) ||
        (!json_read_is_absent(body, "count") &&
         !json_read_number(body, "count", 1, GAMES_MAX, &count))) {
        answer_no(house, conn, request, "bad", _("Ask for 1 to 50 games before a game's number."));
        return;
    }
    if (!games_account(house, conn, request, body, &account)) {
        return;
    }
    json_t *rows = json_array();
    if (account != 0) {
        stored_or_fail(house, storage_played_each(house->storage, account, before, (size_t)count,
                                                  games_add, rows));
    }
    answer_ok(house, conn, request, json_pack("{s:o}", "rows", rows));
}

/* A stored game as the record's source; the names point into the rows. */
struct record_build {
    const struct game_def *game;
    struct history_move *moves;
    size_t move_count, move_cap;
    struct storage_change *rows;
    size_t row_count, row_cap;
};

static bool record_add_move(void *context, const struct storage_move *row)
{
    struct record_build *build = context;
    build->moves =
        memory_grow(build->moves, build->move_count, &build->move_cap, sizeof(*build->moves));
    build->moves[build->move_count++] =
        (struct history_move){row->seat, game_move_parse(build->game, row->text)};
    return true;
}

static bool record_add_change(void *context, const struct storage_change *change)
{
    struct record_build *build = context;
    build->rows = memory_grow(build->rows, build->row_count, &build->row_cap, sizeof(*build->rows));
    build->rows[build->row_count++] = *change;
    return true;
}

static struct history_seat record_seat_of(const struct storage_seat *seat)
{
    return (struct history_seat){seat->name,
                                 seat->holder == STORAGE_SEAT_BOT ? seat->policy : NULL};
}

/* The record as JSON, NULL when the game's set-up is unknown to this program. */
static json_t *record_build(struct house *house, const struct storage_game *row)
{
    struct record_build build = {.game = game_find(row->game)};
    struct history_seat seats[STORAGE_SEATS_MAX];
    json_t *options = json_loads(row->options, 0, NULL);
    if (build.game == NULL) {
        json_decref(options);
        return NULL;
    }
    struct history_source source = {
        .id = row->id,
        .game = build.game,
        .config = game_config_default(build.game, row->players),
        .seats = seats,
    };
    bool is_known = config_from_json(build.game, options, &source.config);
    json_decref(options);
    for (uint8_t seat = 0; seat < row->players; seat++) {
        seats[seat] = record_seat_of(&row->seats[seat]);
    }
    memcpy(source.seed, row->seed, sizeof(source.seed));
    memcpy(source.commitment, row->commitment, sizeof(source.commitment));
    stored_or_fail(house, storage_moves_each(house->storage, row->id, 0, record_add_move, &build));
    stored_or_fail(house, storage_changes_each(house->storage, row->id, record_add_change, &build));
    struct history_change *changes = memory_new((build.row_count + 1) * sizeof(*changes));
    for (size_t i = 0; i < build.row_count; i++) {
        changes[i] = (struct history_change){build.rows[i].step, build.rows[i].seat,
                                             record_seat_of(&build.rows[i].who)};
    }
    source.moves = build.moves;
    source.move_count = (uint32_t)build.move_count;
    source.changes = changes;
    source.change_count = (uint32_t)build.row_count;
    json_t *record = is_known ? record_to_json(&source, row->finished_ms) : NULL;
    free(changes);
    free(build.rows);
    free(build.moves);
    return record;
}

void message_record(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    int64_t id = 0;
    struct storage_game game;
    if (!json_read_number(body, "game_id", 1, INT64_MAX, &id) ||
        !stored(house, storage_game_read(house->storage, id, &game))) {
        answer_no(house, conn, request, "unknown",
                  _("There is no such game: choose one from a player's history."));
        return;
    }
    bool is_finished = game.state == STORAGE_GAME_FINISHED || game.state == STORAGE_GAME_VOID;
    json_t *record = is_finished ? record_build(house, &game) : NULL;
    if (record == NULL) {
        answer_no(house, conn, request, "unfinished",
                  _("Only finished games can be looked at: wait for its end."));
        return;
    }
    answer_ok(house, conn, request, json_pack("{s:o}", "record", record));
}
