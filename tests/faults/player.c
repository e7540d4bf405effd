#include "tests/faults/player.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "tests/faults/player_staff.h"
#include "tests/faults/sim_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAYER_PAUSE_MS 150
#define PLAYER_AWAY_MS 3000

uint32_t player_draw_number_below(struct player *player, uint32_t below)
{
    return sim_draw_number_below(player->sim, below);
}

struct player *player_new(struct sim *sim, unsigned index)
{
    struct player *player = memory_new(sizeof(*player));
    player->sim = sim;
    player->index = index;
    (void)snprintf(player->name, sizeof(player->name), "player%c", (char)('a' + index));
    (void)snprintf(player->first_name, sizeof(player->first_name), "%s", player->name);
    player->next_ms = sim->now_ms + player_draw_number_below(player, PLAYER_AWAY_MS);
    return player;
}

static void player_clear_connection(struct player *player)
{
    json_decref(player->table);
    json_decref(player->view);
    json_decref(player->tables);
    json_decref(player->mine);
    player->table = player->view = player->tables = player->mine = NULL;
    player->game = 0;
    player->is_over = false;
    player->phase[0] = '\0';
    player->role[0] = '\0';
    player->order[0] = '\0';
    player->is_dismissed = false;
    player->requests = 0;
    client_free(player->client);
    player->client = NULL;
    player->conn = 0;
}

void player_free(struct player *player)
{
    if (player != NULL) {
        player_clear_connection(player);
        free(player);
    }
}

int64_t player_next_action_ms(const struct player *player)
{
    return player->next_ms;
}

void player_end_connection(struct player *player)
{
    ledger_record_requests(&player->sim->ledger, player->name, NULL);
    player_clear_connection(player);
    player->next_ms = player->sim->now_ms + 1 + player_draw_number_below(player, PLAYER_AWAY_MS);
}

static void player_send_packet(void *context, const char *json, size_t len)
{
    const struct player *player = context;
    sim_send(player->sim, player->conn, json, len);
}

static void player_leave_table(struct player *player)
{
    json_decref(player->table);
    json_decref(player->view);
    player->table = player->view = NULL;
}

/* Records the change that the house has reported with the answer `ok`. */
static void player_record_reported_change(struct player *player,
                                          const struct player_request *request,
                                          const json_t *answer)
{
    struct ledger *ledger = &player->sim->ledger;
    if (strcmp(request->type, "sign_up") == 0) {
        ledger_record_account(ledger, player->name);
        player->has_account = true;
    } else if (strcmp(request->type, "table_open") == 0) {
        ledger_record_table(ledger, ledger_read_number(answer, "table"));
    } else if (strcmp(request->type, "move") == 0) {
        ledger_record_move(ledger, &request->move);
        player->sim->counts.moves++;
    } else if (strcmp(request->type, "claim") == 0) {
        player->sim->counts.claims++;
    } else if (strcmp(request->type, "table_leave") == 0) {
        player_leave_table(player);
    } else if (strcmp(request->type, "mod") == 0) {
        staff_handle_order_ok(player, request);
    }
    const bool is_way_in =
        strcmp(request->type, "sign_up") == 0 || strcmp(request->type, "sign_in") == 0;
    if (is_way_in) {
        const bool is_unregistered = strcmp(ledger_read_text(answer, "result"), "visitor") == 0;
        (void)snprintf(player->phase, sizeof(player->phase), "%s",
                       is_unregistered ? "visitor" : "in");
        sim_mark_signed_in(player->sim, player->conn);
        staff_read_identity(player, json_object_get(answer, "you"));
        staff_look_up_account(player);
    }
}

static void player_handle_answer(void *context, bool is_ok, const json_t *answer)
{
    struct player *player = context;
    const int64_t id = ledger_read_number(answer, "id");
    const struct player_request *request = &player->asked[id % PLAYER_ASKED];
    if (is_ok) {
        player_record_reported_change(player, request, answer);
        return;
    }
    const char *code = ledger_read_text(answer, "code");
    player->sim->counts.refused_read_only += strcmp(code, "read_only") == 0;
    if (strcmp(code, "name_taken") == 0) {
        /* the core created the account but died before it told the player */
        player->has_account = true;
    } else if (strcmp(code, "denied") == 0 && strcmp(request->type, "sign_in") == 0) {
        staff_learn_new_name(player);
    } else if (strcmp(request->type, "mod") == 0 || strcmp(code, "warned") == 0) {
        staff_handle_order_refused(player, request, code);
    }
}

void player_send_request(struct player *player, const char *type, json_t *fields)
{
    struct player_request asked = {.type = type};
    const char *line = ledger_read_text(fields, "line");
    (void)snprintf(asked.line, sizeof(asked.line), "%s",
                   line + (strncmp(line, "yes ", 4) == 0 ? 4 : 0));
    struct ledger_move move = {.game = player->game,
                               .step = ledger_read_number(fields, "step"),
                               .conn = player->conn,
                               .request = player->requests + 1};
    (void)snprintf(move.text, sizeof(move.text), "%s", ledger_read_text(fields, "move"));
    struct player_request *slot = &player->asked[(player->requests + 1) % PLAYER_ASKED];
    const struct player_request before = *slot;
    *slot = asked;
    slot->move = move;
    if (client_send_request(player->client, type, fields, player_handle_answer, player)) {
        player->requests++;
    } else {
        *slot = before;
    }
}

const char *player_find_request_type(const struct player *player, int64_t conn, int64_t request)
{
    const bool is_one = conn == player->conn && request > player->requests - PLAYER_ASKED &&
                        request >= 1 && request <= player->requests;
    return is_one ? player->asked[request % PLAYER_ASKED].type : NULL;
}

static void player_store_json_copy(json_t **destination, const json_t *message)
{
    json_decref(*destination);
    *destination = json_deep_copy(message);
}

static void player_read_lobby(struct player *player, const json_t *message)
{
    if (player->tables == NULL) {
        player->tables = json_object();
    }
    const int64_t table = player->table == NULL ? 0 : ledger_read_number(player->table, "id");
    if (ledger_update_tables(player->tables, message, table)) {
        player_leave_table(player);
    }
}

static void player_read_table(struct player *player, const json_t *message)
{
    const int64_t game = ledger_read_number(message, "game_id");
    if (game != player->game) {
        json_decref(player->view);
        player->view = NULL;
        player->is_over = false;
    }
    player->game = game;
    ledger_record_requests(&player->sim->ledger, player->name, message);
    player_store_json_copy(&player->table, message);
}

static void player_handle_message(void *context, const char *type, const json_t *message)
{
    struct player *player = context;
    struct ledger *ledger = &player->sim->ledger;
    if (strcmp(type, "welcome") == 0) {
        (void)snprintf(player->phase, sizeof(player->phase), "%s",
                       ledger_read_text(message, "phase"));
        staff_read_identity(player, json_object_get(message, "you"));
    } else if (strcmp(type, "you") == 0) {
        staff_read_identity(player, json_object_get(message, "you"));
    } else if (strcmp(type, "lobby") == 0) {
        player_read_lobby(player, message);
    } else if (strcmp(type, "mine") == 0) {
        player_store_json_copy(&player->mine, json_object_get(message, "tables"));
    } else if (strcmp(type, "chat") == 0) {
        ledger_record_chat(ledger, message);
    } else if (strcmp(type, "table") == 0) {
        player_read_table(player, message);
    } else if (strcmp(type, "view") == 0) {
        ledger_record_view(ledger, player->game, message);
        player_store_json_copy(&player->view, message);
    } else if (strcmp(type, "result") == 0) {
        ledger_record_result(ledger, message);
        player->is_over = true;
    } else if (strcmp(type, "bye") == 0) {
        player->is_dismissed = true;
    }
}

void player_receive(struct player *player, int64_t conn, const char *bytes, size_t len)
{
    if (conn != player->conn) {
        return;
    }
    const bool is_sound = client_receive_packet(player->client, bytes, len) == CLIENT_OK;
    player->sim->counts.ended += !is_sound;
    if (!is_sound || player->is_dismissed) {
        sim_hang_up(player->sim, conn);
        player_end_connection(player);
    }
}

static void player_connect(struct player *player)
{
    player->conn = sim_connect(player->sim, player->index);
    if (player->conn != 0) {
        player->client = client_new(player_send_packet, player);
        client_set_push_receiver(player->client, player_handle_message, player);
        client_follow_lobby(player->client); /* to know the open tables */
        client_send_hello(player->client, "sim");
    }
}

static void player_hang_up(struct player *player)
{
    const int64_t conn = player->conn;
    sim_hang_up(player->sim, conn);
    player_end_connection(player);
}

void player_act(struct player *player)
{
    struct sim *sim = player->sim;
    player->next_ms = sim->now_ms + 1 + player_draw_number_below(player, PLAYER_PAUSE_MS);
    if (player->conn == 0) {
        player_connect(player);
    } else if (sim_find_link(sim, player->conn) == NULL) {
        /* the connection ended because the account was deleted or merged */
        player_end_connection(player);
    } else if (!sim->options.is_fault_free && player_draw_number_below(player, 300) == 0) {
        player_hang_up(player);
    } else if (!sim->options.is_fault_free && player_draw_number_below(player, 200) == 0) {
        sim_delay_reading(sim, player->conn,
                          sim->now_ms + player_draw_number_below(player, PLAYER_AWAY_MS));
    } else if (client_oldest_unanswered_id(player->client) == 0 ||
               (strcmp(player->phase, "in") == 0 && player_draw_number_below(player, 10) == 0)) {
        player_act_at_random(player);
    }
}
