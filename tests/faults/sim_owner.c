#include "tests/faults/sim_owner.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "tests/faults/player_staff.h"
#include "tests/faults/sim_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWNER_PAUSE_MS 400
#define KEEPER_DELAY_MS 300
#define NOBODY_MS INT64_MAX

int64_t sim_owner_next_order_ms(const struct sim *sim)
{
    return sim->options.has_staff && sim->house != NULL ? sim->owner.next_ms : NOBODY_MS;
}

static const char *owner_draw_player_name(struct sim *sim)
{
    return sim->players[sim_draw_number_below(sim, sim->options.players)]->name;
}

/* Draws a random command that admins may use. */
static const struct mod_command_info *owner_draw_command(struct sim *sim)
{
    uint32_t count = 0;
    while (mod_command_info_at(count) != NULL) {
        count++;
    }
    const struct mod_command_info *words = mod_command_info_at(sim_draw_number_below(sim, count));
    return words->rank == RANK_ADMIN ? words
                                     : mod_command_info_at(sim_draw_number_below(sim, count));
}

/* Writes a moderation command that undoes what staff have done, so that players and staff can go
 * on: the first two players are staff, the house is open, and the other players may play. */
static void owner_write_order(struct sim *sim, char line[ORDER_LINE_SIZE])
{
    static const char *const of_house[] = {
        "registration open", "guests yes",   "drain off",  "shutdown cancel",
        "freeze lobby off",  "slow lobby 0", "enable say", "enable table_open",
        "enable seat_take",  "reload",       "backup",     "audit verify",
    };
    static const char *const of_somebody[] = {"unban %s why", "unsuspend %s", "unmute %s",
                                              "release %s",   "unrankban %s", "program %s off why",
                                              "sessions %s"};
    struct order_lines lines = staff_make_order_arguments(sim);
    const uint32_t choice = sim_draw_number_below(sim, 14);
    if (choice == 0) {
        (void)snprintf(line, ORDER_LINE_SIZE, "role %s admin why", sim->players[0]->name);
    } else if (choice == 1) {
        (void)snprintf(line, ORDER_LINE_SIZE, "role %s mod why", sim->players[1]->name);
    } else if (choice == 2) {
        order_line_generate(&lines, mod_command_info_find("enable"), line);
    } else if (choice < 6) {
        (void)snprintf(line, ORDER_LINE_SIZE, "%s",
                       of_house[sim_draw_number_below(sim, ARRAY_LEN(of_house))]);
    } else if (choice < 10) {
        order_line_generate(&lines, owner_draw_command(sim), line);
        sim->order_serial = lines.serial;
    } else {
        const char *words = of_somebody[sim_draw_number_below(sim, ARRAY_LEN(of_somebody))];
        const size_t name = strcspn(words, "%");
        (void)snprintf(line, ORDER_LINE_SIZE, "%.*s%s%s", (int)name, words,
                       owner_draw_player_name(sim), words + name + 2);
    }
}

static void owner_send_message(struct sim *sim, int64_t conn, json_t *message)
{
    char *text = memory_check_allocated(json_dumps(message, JSON_COMPACT));
    json_decref(message);
    net_send(&sim->up, sim->now_ms + sim_draw_number_below(sim, KEEPER_DELAY_MS), conn, NET_PACKET,
             text, strlen(text));
    free(text);
}

void sim_owner_give_order(struct sim *sim)
{
    char words[ORDER_LINE_SIZE + 8];
    struct sim_owner *owner = &sim->owner;
    owner->next_ms = sim->now_ms + 1 + sim_draw_number_below(sim, OWNER_PAUSE_MS);
    if (owner->is_waiting) {
        return;
    }
    owner_write_order(sim, owner->line);
    owner->is_waiting = true;
    (void)snprintf(words, sizeof(words), "yes %s", owner->line);
    ledger_record_order(&sim->ledger, SIM_OWNER, owner->line);
    owner_send_message(
        sim, SIM_OWNER,
        json_pack("{s:s,s:I,s:s}", "t", "mod", "id", (json_int_t)++owner->requests, "line", words));
}

void sim_owner_handle_core_death(struct sim *sim)
{
    net_drop_packets(&sim->up, SIM_OWNER);
    net_drop_packets(&sim->up, SIM_KEEPER);
    sim->owner.is_waiting = false;
}

static void owner_receive(struct sim *sim, const json_t *message)
{
    const bool is_ok = strcmp(ledger_read_text(message, "t"), "ok") == 0;
    if (ledger_read_number(message, "id") != sim->owner.requests) {
        return;
    }
    sim->owner.is_waiting = false;
    if (is_ok) {
        ledger_record_order_done(&sim->ledger, SIM_OWNER, sim->owner.line);
        sim->counts.orders++;
    }
}

static void keeper_receive(struct sim *sim, const json_t *message)
{
    const char *type = ledger_read_text(message, "t");
    if (strcmp(type, "reload") == 0) {
        sim->is_reloading = true;
    } else if (strcmp(type, "close") == 0) {
        sim->is_closing = true;
    } else if (strcmp(type, "backup") == 0) {
        const bool is_good = sim_draw_number_below(sim, 3) > 0;
        owner_send_message(sim, SIM_KEEPER,
                           json_pack("{s:s,s:I,s:s}", "t", "backed_up", "job",
                                     (json_int_t)ledger_read_number(message, "job"),
                                     is_good ? "path" : "why",
                                     is_good ? "backups/house.db" : "no room"));
    }
}

void sim_owner_receive(struct sim *sim, int64_t conn, const char *json, size_t len)
{
    json_t *message = json_read_object(json, len);
    if (conn == SIM_OWNER) {
        owner_receive(sim, message);
    } else {
        keeper_receive(sim, message);
    }
    json_decref(message);
}
