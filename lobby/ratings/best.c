#include "lobby/house/parts.h"
#include "storage/archive/archive.h"

/* Yesterday's best game: the rated game with the strongest players. */

#define BEST_DAY_MS INT64_C(86400000)

struct best {
    int64_t day;  /* the day on which yesterday's best game was last looked for; 0: never */
    int64_t game; /* number of the best game; 0: none */
};

/* Looks for yesterday's best game at most once a day. Returns the number of the game; 0: there was
 * none. */
static int64_t find_best_game_of_yesterday(struct house *house)
{
    struct best *best = PART_STATE(house, best);
    int64_t day = house->now_ms / BEST_DAY_MS;
    if (best->day != day) {
        best->day = day;
        best->game = 0;
        enum storage_result result = storage_past_games_find_highest_rated(
            house->storage, (day - 1) * BEST_DAY_MS, day * BEST_DAY_MS - 1, &best->game);
        if (result != STORAGE_NOT_FOUND) {
            stored_or_fail(house, result);
        }
    }
    return best->game;
}

static void message_best(const struct request *request)
{
    struct house *house = request->house;
    int64_t id = find_best_game_of_yesterday(house);
    struct storage_game game;
    if (id == 0 || !stored(house, storage_game_read(house->storage, id, &game))) {
        answer_ok(request, json_pack("{s:n}", "game_id"));
        return;
    }
    json_t *players = json_array();
    for (int seat = 0; seat < game.players; seat++) {
        (void)json_array_append_new(players, json_string(game.seats[seat].name));
    }
    answer_ok(request, json_pack("{s:I,s:s,s:o}", "game_id", (json_int_t)id, "game", game.game,
                                 "players", players));
}

const struct message_handler handler_best = {message_best};

const struct part best_part = {
    .name = "best",
    .house_size = sizeof(struct best),
};
