#include "tests/faults/player_staff.h"

#include "games/claim.h"
#include "games/game.h"
#include "lobby/protocol/protocol.h"
#include "tests/faults/sim_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void act_before_sign_in(struct player *player)
{
    if (player->has_account) {
        char password[64];
        (void)snprintf(password, sizeof(password), "password of %s", player->first_name);
        player_send_request(player, "sign_in",
                            json_pack("{s:s,s:s,s:s}", "method", "password", "name", player->name,
                                      "password", password));
    } else {
        player_send_request(
            player, "sign_in",
            json_pack("{s:s,s:s,s:s}", "method", "password", "name", player->name, "password", ""));
    }
}

static void sign_up_or_reconnect(struct player *player)
{
    char password[64];
    if (player->has_account) {
        sim_hang_up(
            player->sim,
            player->conn); /* the player disconnects, and signs in over the next connection */
        player_end_connection(player);
        return;
    }
    (void)snprintf(password, sizeof(password), "password of %s", player->first_name);
    player_send_request(player, "sign_up",
                        json_pack("{s:s,s:s}", "name", player->name, "password", password));
}

static void send_chat_line(struct player *player, const char *to)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "%s says %" PRIu32, player->name,
                   player_draw_number_below(player, 1000000));
    player_send_request(player, "say",
                        json_pack("{s:s,s:s,s:s}", "to", to, "kind", "say", "text", text));
}

static void send_direct_message(struct player *player)
{
    char name[32];
    char text[64];
    const struct sim *sim = player->sim;
    (void)snprintf(name, sizeof(name), "%s",
                   sim->players[player_draw_number_below(player, sim->options.players)]->name);
    (void)snprintf(text, sizeof(text), "a secret %" PRIu32,
                   player_draw_number_below(player, 1000000));
    player_send_request(player, "tell", json_pack("{s:s,s:s}", "to", name, "text", text));
}

static void open_table(struct player *player)
{
    const struct game_def *game = game_at((uint8_t)player_draw_number_below(player, game_count()));
    const int clock_s = player_draw_number_below(player, 3) == 0
                            ? 0
                            : 5 + (int)player_draw_number_below(player, 20);
    player_send_request(player, "table_open",
                        json_pack("{s:s,s:i,s:{},s:i}", "game", game->id, "players",
                                  game->seats_min, "options", "clock_s", clock_s));
}

/* Begins a game or a lesson. */
static void begin_game_with_bots(struct player *player)
{
    const struct game_def *game = game_at((uint8_t)player_draw_number_below(player, game_count()));
    const char *type = player_draw_number_below(player, 3) == 0 ? "learn" : "quick";
    player_send_request(player, type, json_pack("{s:s}", "game", game->id));
}

/* Picks a table where it is the player's turn, a table with a free seat, or sometimes any table.
 * Returns 0 when there is none. */
static int64_t pick_table(struct player *player)
{
    size_t index = 0;
    json_t *row = NULL;
    json_array_foreach(player->mine, index, row)
    {
        if (json_is_true(json_object_get(row, "turn")) ||
            player_draw_number_below(player, 3) == 0) {
            return ledger_read_number(row, "table");
        }
    }
    const char *key = NULL;
    int64_t table = 0;
    const bool is_any = player_draw_number_below(player, 10) == 0;
    json_object_foreach(player->tables, key, row)
    {
        const bool has_seat =
            ledger_read_number(row, "seated") < ledger_read_number(row, "players");
        if ((is_any || has_seat) && (table == 0 || player_draw_number_below(player, 2) == 0)) {
            table = ledger_read_number(row, "id");
        }
    }
    return table;
}

static void send_query_or_setting(struct player *player)
{
    const struct game_def *game = game_at((uint8_t)player_draw_number_below(player, game_count()));
    switch (player_draw_number_below(player, 4)) {
    case 0:
        player_send_request(player, "leaders",
                            json_pack("{s:s,s:i,s:i}", "game", game->id, "offset", 0, "count", 10));
        break;
    case 1:
        player_send_request(player, "games", json_pack("{s:i}", "count", 10));
        break;
    case 2:
        player_send_request(player, "keys", NULL);
        break;
    default:
        player_send_request(
            player, "settings_set",
            json_pack("{s:{s:b}}", "settings", "bell", (int)player_draw_number_below(player, 2)));
    }
}

static void act_in_lobby(struct player *player)
{
    const int64_t table = pick_table(player);
    const uint32_t choice = player_draw_number_below(player, 20);
    if (choice < 3) {
        send_chat_line(player, "lobby");
    } else if (choice < 4) {
        send_direct_message(player);
    } else if (choice < 5) {
        send_query_or_setting(player);
    } else if (choice < 8 && json_object_size(player->tables) < 6) {
        if (player_draw_number_below(player, 4) == 0) {
            begin_game_with_bots(player);
        } else {
            open_table(player);
        }
    } else if (table > 0) {
        player_send_request(player, "table_enter", json_pack("{s:I}", "table", (json_int_t)table));
    }
}

static bool are_all_seats_taken(const struct player *player)
{
    return ledger_read_number(player->table, "seated") ==
           ledger_read_number(player->table, "players");
}

static void act_before_game(struct player *player)
{
    const bool is_host = json_is_true(json_object_get(player->table, "is_host"));
    if (is_host && are_all_seats_taken(player)) {
        player_send_request(player, "table_start", NULL);
    } else if (is_host && player_draw_number_below(player, 4) == 0) {
        player_send_request(player, "bot_add", json_pack("{s:s}", "policy", "easy"));
    } else if (player_draw_number_below(player, 40) == 0) {
        player_send_request(player, "table_leave", NULL);
    }
}

static void make_move(struct player *player)
{
    const json_t *view = json_object_get(player->view, "view");
    const json_t *legal = json_object_get(view, "legal");
    const size_t count = json_array_size(legal);
    if (count > 0 && !player->is_over) {
        player_send_request(
            player, "move",
            json_pack("{s:I,s:I,s:O}", "table",
                      (json_int_t)ledger_read_number(player->view, "table"), "step",
                      (json_int_t)ledger_read_number(view, "step"), "move",
                      json_array_get(legal, player_draw_number_below(player, (uint32_t)count))));
    }
}

/* Whether the view that the player was sent last proves a claim. */
static bool can_claim(const struct player *player)
{
    static struct game_view view;
    struct claim_proof proof;
    if (player->is_over || !view_read(json_object_get(player->view, "view"), &view) ||
        !view_viewer_may_move(&view)) {
        return false;
    }
    const struct game_config config = game_config_default(view.game, view.seats);
    return claim_prove(&view, &config, &proof) == NULL;
}

static void claim_tricks(struct player *player)
{
    const json_t *view = json_object_get(player->view, "view");
    player_send_request(player, "claim",
                        json_pack("{s:I}", "step", (json_int_t)ledger_read_number(view, "step")));
}

static bool is_asked_about_claim(const struct player *player)
{
    const json_t *asked = json_object_get(json_object_get(player->table, "claim"), "asked");
    const json_t *seat = NULL;
    size_t index = 0;
    json_array_foreach(asked, index, seat)
    {
        if (json_equal(seat, json_object_get(player->table, "you"))) {
            return true;
        }
    }
    return false;
}

/* Claims, answers a claim or sets the pace. Returns false if the player does none of these. */
static bool act_beside_moves(struct player *player)
{
    static const char *const paces[] = {"quick", "normal", "slow"};
    if (is_asked_about_claim(player) && player_draw_number_below(player, 4) != 0) {
        const int accepts = player_draw_number_below(player, 3) != 0;
        player_send_request(player, "claim_answer", json_pack("{s:b}", "accept", accepts));
    } else if (player_draw_number_below(player, 60) == 0 || can_claim(player)) {
        claim_tricks(player);
    } else if (player_draw_number_below(player, 60) == 0) {
        const char *pace = paces[player_draw_number_below(player, ARRAY_LEN(paces))];
        player_send_request(player, "table_pace", json_pack("{s:s}", "pace", pace));
    } else {
        return false;
    }
    return true;
}

static void act_as_spectator(struct player *player)
{
    const bool is_open = strcmp(ledger_read_text(player->table, "state"), "open") == 0;
    if (is_open && !are_all_seats_taken(player)) {
        player_send_request(player, "seat_take", NULL);
    } else if (player_draw_number_below(player, 10) == 0) {
        player_send_request(player, "table_leave", NULL);
    }
}

static void act_in_game(struct player *player)
{
    const bool is_paused = strcmp(ledger_read_text(player->table, "halt"), "pause") == 0;
    const bool is_stopped = strcmp(ledger_read_text(player->table, "halt"), "round") == 0;
    if (is_stopped && player_draw_number_below(player, 3) != 0) {
        player_send_request(player, "resume", json_pack("{s:b}", "stop", 1));
    } else if (is_paused) {
        ledger_record_resumed_game(&player->sim->ledger, player->game);
        player_send_request(player, "resume", NULL);
    } else if (player_draw_number_below(player, 60) == 0) {
        player_send_request(player, "pause", NULL);
    } else if (!act_beside_moves(player)) {
        make_move(player);
    }
}

static void act_at_table(struct player *player)
{
    const char *state = ledger_read_text(player->table, "state");
    const uint32_t choice = player_draw_number_below(player, 400);
    if (choice < 8) {
        send_chat_line(player, "table");
    } else if (!json_is_integer(json_object_get(player->table, "you"))) {
        act_as_spectator(player);
    } else if (choice == 8) {
        player_send_request(player, "table_leave", NULL);
    } else if (choice == 9 && player_draw_number_below(player, 10) == 0) {
        player_send_request(player, "seat_leave", json_pack("{s:b}", "for_good", 1));
    } else if (strcmp(state, "open") == 0) {
        act_before_game(player);
    } else if (strcmp(state, "finished") == 0) {
        player_send_request(
            player, player_draw_number_below(player, 8) == 0 ? "table_leave" : "rematch", NULL);
    } else {
        act_in_game(player);
    }
}

void player_act_at_random(struct player *player)
{
    if (strcmp(player->phase, "door") == 0) {
        act_before_sign_in(player);
    } else if (strcmp(player->phase, "visitor") == 0) {
        sign_up_or_reconnect(player);
    } else if (strcmp(player->phase, "in") != 0) {
        return; /* the message `welcome` has not arrived yet */
    } else if (staff_wants_to_give_order(player)) {
        staff_give_order(player);
    } else if (player->table == NULL) {
        act_in_lobby(player);
    } else {
        act_at_table(player);
    }
}
