#include "tests/faults/player_staff.h"

#include "games/game.h"
#include "tests/faults/sim_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void acts_door(struct player *player)
{
    if (player->has_account) {
        char password[64];
        (void)snprintf(password, sizeof(password), "password of %s", player->first_name);
        player_ask(player, "sign_in",
                   json_pack("{s:s,s:s,s:s}", "method", "password", "name", player->name,
                             "password", password));
    } else {
        player_ask(
            player, "sign_in",
            json_pack("{s:s,s:s,s:s}", "method", "password", "name", player->name, "password", ""));
    }
}

static void acts_visitor(struct player *player)
{
    char password[64];
    if (player->has_account) {
        sim_hang_up(player->sim, player->conn); /* goes back to the sign-in screen */
        player_is_cut_off(player);
        return;
    }
    (void)snprintf(password, sizeof(password), "password of %s", player->first_name);
    player_ask(player, "sign_up",
               json_pack("{s:s,s:s}", "name", player->name, "password", password));
}

static void acts_talk(struct player *player, const char *to)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "%s says %" PRIu32, player->name,
                   player_below(player, 1000000));
    player_ask(player, "say", json_pack("{s:s,s:s,s:s}", "to", to, "kind", "say", "text", text));
}

static void acts_tell(struct player *player)
{
    char name[32];
    char text[64];
    const struct sim *sim = player->sim;
    (void)snprintf(name, sizeof(name), "%s",
                   sim->players[player_below(player, sim->options.players)]->name);
    (void)snprintf(text, sizeof(text), "a secret %" PRIu32, player_below(player, 1000000));
    player_ask(player, "tell", json_pack("{s:s,s:s}", "to", name, "text", text));
}

static void acts_open(struct player *player)
{
    const struct game_def *game = game_at((uint8_t)player_below(player, game_count()));
    const int clock_s = player_below(player, 3) == 0 ? 0 : 5 + (int)player_below(player, 20);
    player_ask(player, "table_open",
               json_pack("{s:s,s:i,s:{},s:i}", "game", game->id, "players", game->seats_min,
                         "options", "clock_s", clock_s));
}

/* Picks a table where it is the player's turn, a table with a free seat, or sometimes any table; 0:
 * none. */
static int64_t acts_pick_table(struct player *player)
{
    size_t index = 0;
    json_t *row = NULL;
    json_array_foreach(player->mine, index, row)
    {
        if (json_is_true(json_object_get(row, "turn")) || player_below(player, 3) == 0) {
            return ledger_number(row, "table");
        }
    }
    const char *key = NULL;
    int64_t table = 0;
    const bool is_any = player_below(player, 10) == 0;
    json_object_foreach(player->tables, key, row)
    {
        const bool has_seat = ledger_number(row, "seated") < ledger_number(row, "players");
        if ((is_any || has_seat) && (table == 0 || player_below(player, 2) == 0)) {
            table = ledger_number(row, "id");
        }
    }
    return table;
}

static void acts_look(struct player *player)
{
    const struct game_def *game = game_at((uint8_t)player_below(player, game_count()));
    switch (player_below(player, 4)) {
    case 0:
        player_ask(player, "leaders",
                   json_pack("{s:s,s:i,s:i}", "game", game->id, "offset", 0, "count", 10));
        break;
    case 1:
        player_ask(player, "games", json_pack("{s:i}", "count", 10));
        break;
    case 2:
        player_ask(player, "keys", NULL);
        break;
    default:
        player_ask(player, "settings_set",
                   json_pack("{s:{s:b}}", "settings", "bell", (int)player_below(player, 2)));
    }
}

static void acts_lobby(struct player *player)
{
    const int64_t table = acts_pick_table(player);
    const uint32_t choice = player_below(player, 20);
    if (choice < 3) {
        acts_talk(player, "lobby");
    } else if (choice < 4) {
        acts_tell(player);
    } else if (choice < 5) {
        acts_look(player);
    } else if (choice < 8 && json_object_size(player->tables) < 6) {
        acts_open(player);
    } else if (table > 0) {
        player_ask(player, "table_enter", json_pack("{s:I}", "table", (json_int_t)table));
    }
}

static bool acts_seats_are_full(const struct player *player)
{
    return ledger_number(player->table, "seated") == ledger_number(player->table, "players");
}

static void acts_before_game(struct player *player)
{
    const bool is_host = json_is_true(json_object_get(player->table, "is_host"));
    if (is_host && acts_seats_are_full(player)) {
        player_ask(player, "table_start", NULL);
    } else if (is_host && player_below(player, 4) == 0) {
        player_ask(player, "bot_add", json_pack("{s:s}", "policy", "random"));
    } else if (player_below(player, 40) == 0) {
        player_ask(player, "table_leave", NULL);
    }
}

static void acts_move(struct player *player)
{
    const json_t *view = json_object_get(player->view, "view");
    const json_t *legal = json_object_get(view, "legal");
    const size_t count = json_array_size(legal);
    if (count > 0 && !player->is_over) {
        player_ask(player, "move",
                   json_pack("{s:I,s:I,s:O}", "table",
                             (json_int_t)ledger_number(player->view, "table"), "step",
                             (json_int_t)ledger_number(view, "step"), "move",
                             json_array_get(legal, player_below(player, (uint32_t)count))));
    }
}

static void acts_watch(struct player *player)
{
    const bool is_open = strcmp(ledger_text(player->table, "state"), "open") == 0;
    if (is_open && !acts_seats_are_full(player)) {
        player_ask(player, "seat_take", NULL);
    } else if (player_below(player, 10) == 0) {
        player_ask(player, "table_leave", NULL);
    }
}

static void acts_in_game(struct player *player)
{
    const bool is_paused = strcmp(ledger_text(player->table, "halt"), "pause") == 0;
    if (is_paused) {
        ledger_resumed(&player->sim->ledger, player->game);
        player_ask(player, "resume", NULL);
    } else if (player_below(player, 60) == 0) {
        player_ask(player, "pause", NULL);
    } else {
        acts_move(player);
    }
}

static void acts_at_table(struct player *player)
{
    const char *state = ledger_text(player->table, "state");
    const uint32_t choice = player_below(player, 400);
    if (choice < 8) {
        acts_talk(player, "table");
    } else if (!json_is_integer(json_object_get(player->table, "you"))) {
        acts_watch(player);
    } else if (choice == 8) {
        player_ask(player, "table_leave", NULL);
    } else if (choice == 9 && player_below(player, 10) == 0) {
        player_ask(player, "seat_leave", json_pack("{s:b}", "for_good", 1));
    } else if (strcmp(state, "open") == 0) {
        acts_before_game(player);
    } else if (strcmp(state, "finished") == 0) {
        player_ask(player, player_below(player, 8) == 0 ? "table_leave" : "rematch", NULL);
    } else {
        acts_in_game(player);
    }
}

void player_choose(struct player *player)
{
    if (strcmp(player->phase, "door") == 0) {
        acts_door(player);
    } else if (strcmp(player->phase, "visitor") == 0) {
        acts_visitor(player);
    } else if (strcmp(player->phase, "in") != 0) {
        return; /* the welcome has not arrived yet */
    } else if (staff_wants_order(player)) {
        staff_order(player);
    } else if (player->table == NULL) {
        acts_lobby(player);
    } else {
        acts_at_table(player);
    }
}
