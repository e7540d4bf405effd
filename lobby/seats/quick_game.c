#include "games/history.h"
#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/seats/seats.h"
#include "lobby/tables/tables.h"

#include <string.h>

/* Games against bots that begin at once: a table without a clock, every other seat taken by a bot,
 * in the game's short form. */

/* Returns the game that the request names. When the request is refused, answers it and returns
 * NULL. */
static const struct game_def *find_requested_game(const struct request *request)
{
    const char *id = json_read_text(request->body, "game", STORAGE_WORD_SIZE - 1);
    const struct game_def *game = id == NULL ? NULL : game_find(id);
    if (game == NULL) {
        answer_no(request, "game", _("This house does not have that game: choose one of its own."));
        return NULL;
    }
    bool is_allowed =
        disabled_allows_request(request, "table_open") &&
        disabled_allows_request(request, game->id) && disabled_allows_new_game(request, game->id) &&
        table_setup_requester_may_open(request) && request_is_within_rate_limit(request);
    return is_allowed ? game : NULL;
}

/* Returns the seat to the left of the first leader, so that a bot acts and leads first. Everybody
 * may know who leads first: it tells nothing about the cards. */
static int choose_seat_behind_first_leader(const struct table *table)
{
    struct game_state state;
    if (game_start(table->game, &table->config, table->seed, &state, NULL) != GAME_OK) {
        return 0;
    }
    return (game_find_first_leader(table->game, &state) + 1) % table->row.players;
}

/* Seats the requester and gives all other seats to bots that suit the requester. */
static void fill_seats(const struct request *request, struct table *table, int own)
{
    struct house *house = request->house;
    enum bot_level level = bot_level_for_person(house, request->conn->person);
    table_enter(house, request->conn, table);
    table_take_seat(house, table, own, request->conn->person);
    for (int seat = 0; seat < table->row.players; seat++) {
        /* In an old house, people may have the names of easy bots. Medium bots are always there. */
        if (seat != own && !bot_seat_fill(house, table, seat, level) &&
            !bot_seat_fill(house, table, seat, BOT_LEVEL_MEDIUM)) {
            return;
        }
    }
}

/* Stores the table of a game against bots. */
static struct table *open_table(const struct request *request, const struct game_def *game,
                                const struct game_config *config, enum watch_policy watch,
                                enum pace pace)
{
    struct storage_table row = {
        .state = STORAGE_TABLE_OPEN, .watch_policy = (uint8_t)watch, .pace = (uint8_t)pace};
    return table_setup_store_new(request, game, config, &row);
}

static void answer_with_table(const struct request *request, const struct table *table)
{
    answer_ok(request, json_pack("{s:I}", "table",
                                 table == NULL ? (json_int_t)0 : (json_int_t)table->row.id));
}

static void message_quick(const struct request *request)
{
    struct house *house = request->house;
    const struct game_def *game = find_requested_game(request);
    if (game == NULL) {
        return;
    }
    struct game_config config = game_config_short(game);
    struct table *table = open_table(request, game, &config, WATCH_PUBLIC, PACE_NORMAL);
    if (table != NULL) {
        table_game_draw_seed(house, table);
        fill_seats(request, table, choose_seat_behind_first_leader(table));
        table_game_begin_from_seed(house, table);
    }
    answer_with_table(request, table);
}

const struct message_handler handler_quick = {message_quick};

static void message_learn(const struct request *request)
{
    const struct game_def *game = find_requested_game(request);
    if (game == NULL) {
        return;
    }
    const struct game_lesson *lesson = game->face->lesson;
    if (lesson == NULL) {
        answer_no(request, "game", _("There is no lesson in %s yet: try the rules."),
                  _(game->title));
        return;
    }
    struct game_config config = lesson_config(game);
    /* slow, since the player reads a sentence between two moves */
    struct table *table = open_table(request, game, &config, WATCH_NONE, PACE_SLOW);
    if (table != NULL) {
        /* The seed of a lesson is no secret: the deal is always the same, and nobody else plays. */
        memcpy(table->seed, lesson->seed, sizeof(table->seed));
        fill_seats(request, table, lesson->seat);
        table_game_begin_from_seed(request->house, table);
    }
    answer_with_table(request, table);
}

const struct message_handler handler_learn = {message_learn};
