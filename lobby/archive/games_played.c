#include "lobby/archive/archive.h"
#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "storage/archive/archive.h"

#include <math.h>

#define GAMES_MAX 50

/* Returns a player's score; ROW_NONE when the player left for good, since a bot finished the
 * game. */
static int32_t score_unless_player_left(const struct storage_score *score)
{
    return score->left_for_good ? ROW_NONE : score->score;
}

static bool add_game_row(void *context, const struct storage_past_game *played)
{
    json_t *rows = context;
    const struct storage_score *own = &played->scores[played->own];
    struct game_row row = {
        .game_id = played->game_id,
        .game = game_find(played->game),
        .at_ms = played->finished_ms,
        .players.count = (uint8_t)played->score_count,
        .rank = (uint8_t)own->rank,
        .score = score_unless_player_left(own),
        .change_tenths = ROW_NONE,
    };
    if (row.game == NULL) {
        return true; /* this program no longer knows that game */
    }
    for (size_t i = 0; i < played->score_count; i++) {
        const struct storage_score *score = &played->scores[i];
        struct player_row *player = &row.players.at[i];
        row_copy_text(player->name, sizeof(player->name), score->who.name);
        player->rank = (uint8_t)score->rank;
        player->score = score_unless_player_left(score);
    }
    if (played->has_change) {
        row.change_tenths = (int32_t)lround(10.0 * rating_change_in_points(played->change_mu));
    }
    (void)json_array_append_new(rows, game_row_write(&row));
    return true;
}

_Static_assert(ROW_PLAYERS_MAX >= STORAGE_SCORES_MAX, "a game row has room for all players");

/* Finds the player whose games are requested. For an account, sets *account_id. For a connected
 * guest, sets *account_id to 0 and *guest_name. When nobody has the requested name, answers the
 * request and returns false. */
static bool find_requested_player(const struct request *request, int64_t *account_id,
                                  const char **guest_name)
{
    struct house *house = request->house;
    *account_id = request->conn->person->account;
    *guest_name = request->conn->person->name;
    if (json_read_key_is_absent(request->body, "name")) {
        return true;
    }
    const char *name = json_read_name(request->body, "name");
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    struct storage_account account = {0};
    if (person != NULL && person->kind == PERSON_GUEST) {
        *account_id = 0;
        *guest_name = person->name;
        return true;
    }
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(request, "unknown", _("Nobody has that name: check its spelling."));
        return false;
    }
    *account_id = account.id;
    return true;
}

static void message_games(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    int64_t account = 0;
    const char *guest = NULL;
    int64_t before = INT64_MAX;
    int64_t count = GAMES_MAX;
    if ((!json_read_key_is_absent(body, "before") &&
         !json_read_number(body, "before", 1, INT64_MAX, &before)) ||
        (!json_read_key_is_absent(body, "count") &&
         !json_read_number(body, "count", 1, GAMES_MAX, &count))) {
        answer_no(request, "bad", _("Ask for 1 to 50 games; `before` is the number of a game."));
        return;
    }
    if (!find_requested_player(request, &account, &guest)) {
        return;
    }
    json_t *rows = json_array();
    stored_or_fail(house, account != 0
                              ? storage_past_games_by_account(house->storage, account, before,
                                                              (size_t)count, add_game_row, rows)
                              : storage_past_games_by_guest(house->storage, guest, before,
                                                            (size_t)count, add_game_row, rows));
    answer_ok(request, json_pack("{s:o}", "rows", rows));
}

const struct message_handler handler_games = {message_games};

static void message_record(const struct request *request)
{
    int64_t id = 0;
    struct game_record game = {0};
    if (!json_read_number(request->body, "game_id", 1, INT64_MAX, &id) ||
        !stored(request->house, game_record_read(request->house->storage, id, &game))) {
        game_record_clear(&game);
        answer_no(request, "unknown",
                  _("There is no such game: choose one from a player's history."));
        return;
    }
    bool is_finished =
        game.row.state == STORAGE_GAME_FINISHED || game.row.state == STORAGE_GAME_VOID;
    if (is_finished && game.is_known) {
        json_t *record = record_to_json(&game.source, game.row.finished_ms);
        if (game.row.state == STORAGE_GAME_VOID) {
            (void)json_object_set_new(record, "is_void", json_true());
        }
        answer_ok(request, json_pack("{s:o}", "record", record));
    } else {
        answer_no(request, "unfinished",
                  _("Only finished games can be replayed: wait until this game ends."));
    }
    game_record_clear(&game);
}

const struct message_handler handler_record = {message_record};
