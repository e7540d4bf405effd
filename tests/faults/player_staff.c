#include "tests/faults/player_staff.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "tests/faults/sim_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REPORTS 4 /* highest number of a report that random moderation commands name */

static const char *const staff_times[] = {"1s", "3s", "10s", "1m", "1h", NULL};

static uint32_t staff_draw_number_below(void *context, uint32_t below)
{
    return sim_draw_number_below(context, below);
}

static const char *staff_draw_player_name(void *context)
{
    struct sim *sim = context;
    return sim->players[sim_draw_number_below(sim, sim->options.players)]->name;
}

struct order_lines staff_make_order_arguments(struct sim *sim)
{
    const struct ledger_highest highest = ledger_find_highest_numbers(&sim->ledger);
    return (struct order_lines){
        .context = sim,
        .below = staff_draw_number_below,
        .player = staff_draw_player_name,
        .tables = highest.table,
        .games = highest.game,
        .lines = highest.line,
        .reports = REPORTS,
        .sanctions = REPORTS,
        .serial = sim->order_serial,
        .times = staff_times,
    };
}

static enum rank staff_find_rank(const struct player *player)
{
    return strcmp(player->role, "admin") == 0 ? RANK_ADMIN
           : strcmp(player->role, "mod") == 0 ? RANK_MOD
                                              : RANK_HOST;
}

bool staff_wants_to_give_order(struct player *player)
{
    const bool is_staff = staff_find_rank(player) >= RANK_MOD;
    return player->sim->options.has_staff && strcmp(player->phase, "in") == 0 &&
           (player->order[0] != '\0' || player_draw_number_below(player, is_staff ? 4 : 60) == 0);
}

/* Draws a random moderation command that the player's role allows, or sometimes any moderation
 * command. */
static const struct mod_command_info *staff_draw_command(struct player *player)
{
    const struct mod_command_info *words = NULL;
    uint32_t count = 0;
    while (mod_command_info_at(count) != NULL) {
        count++;
    }
    const bool is_any = player_draw_number_below(player, 10) == 0;
    do {
        words = mod_command_info_at(player_draw_number_below(player, count));
    } while (!is_any && words->rank > staff_find_rank(player));
    return words;
}

static void staff_send_order(struct player *player, const char *confirmation, const char *line)
{
    char words[ORDER_LINE_SIZE + 8];
    (void)snprintf(words, sizeof(words), "%s%s", confirmation, line);
    ledger_record_order(&player->sim->ledger, player->conn, line);
    player_send_request(player, "mod", json_pack("{s:s}", "line", words));
}

void staff_give_order(struct player *player)
{
    char line[ORDER_LINE_SIZE];
    if (player->order[0] != '\0') {
        (void)snprintf(line, sizeof(line), "%s", player->order);
        player->order[0] = '\0';
        staff_send_order(player, "yes ", line);
        return;
    }
    struct order_lines lines = staff_make_order_arguments(player->sim);
    order_line_generate(&lines, staff_draw_command(player), line);
    player->sim->order_serial = lines.serial;
    staff_send_order(player, "", line);
}

void staff_handle_order_ok(struct player *player, const struct player_request *request)
{
    ledger_record_order_done(&player->sim->ledger, player->conn, request->line);
    player->sim->counts.orders++;
}

void staff_handle_order_refused(struct player *player, const struct player_request *request,
                                const char *code)
{
    char password[64];
    if (strcmp(code, "confirm") == 0) {
        (void)snprintf(player->order, sizeof(player->order), "%s", request->line);
    } else if (strcmp(code, "step_up") == 0) {
        (void)snprintf(player->order, sizeof(player->order), "%s", request->line);
        (void)snprintf(password, sizeof(password), "password of %s", player->first_name);
        player_send_request(player, "step_up", json_pack("{s:s}", "password", password));
    } else if (strcmp(code, "warned") == 0) {
        (void)snprintf(player->order, sizeof(player->order), "sanctions ok");
    }
}

static void staff_set_player_name(struct player *player, const char *name)
{
    if (name[0] != '\0' && strcmp(name, player->name) != 0) {
        ledger_move_requests_to_name(&player->sim->ledger, player->name, name);
        (void)snprintf(player->name, sizeof(player->name), "%s", name);
    }
}

void staff_read_identity(struct player *player, const json_t *you)
{
    if (json_is_object(you)) {
        staff_set_player_name(player, ledger_read_text(you, "name"));
        (void)snprintf(player->role, sizeof(player->role), "%s", ledger_read_text(you, "role"));
    }
}

/* Looks up the current name of the player's account, and whether the account still exists. A real
 * player would ask the staff. Returns false when nobody can answer now. */
static bool staff_look_up_name(const struct player *player, char name[32], bool *account_is_open)
{
    struct storage *storage = player->sim->storage;
    sqlite3_stmt *row = NULL;
    bool is_there = false;
    if (storage != NULL &&
        sqlite3_prepare_v2(storage->db,
                           "SELECT name, password_hash <> '' FROM accounts WHERE id = ?", -1, &row,
                           NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, player->account);
        is_there = sqlite3_step(row) == SQLITE_ROW;
        if (is_there) {
            (void)snprintf(name, 32, "%s", (const char *)sqlite3_column_text(row, 0));
            *account_is_open = sqlite3_column_int(row, 1) != 0;
        }
    }
    (void)sqlite3_finalize(row);
    return is_there;
}

void staff_look_up_account(struct player *player)
{
    struct storage_account account;
    struct storage *storage = player->sim->storage;
    if (storage != NULL && player->account == 0 &&
        storage_account_by_name(storage, player->name, &account) == STORAGE_OK) {
        player->account = account.id;
    }
}

void staff_learn_new_name(struct player *player)
{
    char name[32] = "";
    bool account_is_open = false;
    if (player->account == 0 || !staff_look_up_name(player, name, &account_is_open)) {
        player->has_account = false;
    } else if (account_is_open) {
        staff_set_player_name(player, name);
    } else {
        player->has_account = false; /* the account was deleted or merged into another */
        player->account = 0;
        (void)snprintf(player->name, sizeof(player->name), "player%c%" PRId64,
                       (char)('a' + player->index), ++player->sim->order_serial);
        (void)snprintf(player->first_name, sizeof(player->first_name), "%s", player->name);
    }
}
