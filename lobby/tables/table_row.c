#include "lobby/tables/tables.h"

#include <assert.h>

static_assert((int)HALT_PAUSE == (int)STORAGE_HALT_PAUSE &&
                  (int)HALT_ADJOURN == (int)STORAGE_HALT_ADJOURN &&
                  (int)HALT_HOUSE == (int)STORAGE_HALT_HOUSE &&
                  (int)HALT_ROUND == (int)STORAGE_HALT_ROUND,
              "HALT_x and STORAGE_HALT_x must be the same number");

/* Reads the number of the current round and how many rounds the game has, as spectators know them.
 * Both are 0 before the first game; *rounds is also 0 when the game's length is unknown. */
static void read_visible_rounds(const struct table *table, uint8_t *round, uint8_t *rounds)
{
    *round = 0;
    *rounds = 0;
    if (table->has_game) {
        struct game_view view;
        game_fill_view(table->game, table_watch_visible_state(table), SPECTATOR, &view);
        *round = view.round;
        *rounds = view.rounds;
    }
}

uint8_t table_row_halt(const struct table *table)
{
    return table->row.halt == STORAGE_HALT_ROUND ? HALT_NONE : (uint8_t)table->row.halt;
}

struct table_row table_make_row(const struct table *table)
{
    uint8_t round = 0;
    uint8_t rounds = 0;
    read_visible_rounds(table, &round, &rounds);
    struct clock_rule clock = table_clock_rule(table);
    struct table_row row = {
        .id = table->row.id,
        .game = table->game,
        .players = table->row.players,
        .seated = (uint8_t)table_count_taken_seats(table),
        .bots = (uint8_t)(table_count_taken_seats(table) - table_count_seated_people(table)),
        .phase = (uint8_t)table_phase(table),
        .halt = table_row_halt(table),
        .is_locked = table->row.password_hash[0] != '\0',
        .round = round,
        .rounds = rounds,
        .watchers = (uint16_t)table_count_spectators(table),
        .clock_s = (int32_t)clock_rule_max_first_move_seconds(&clock),
        .clock = clock,
        .watch = table_watch_rule(table),
        .fit = table_eligibility_rule(table),
    };
    row_copy_text(row.host, sizeof(row.host), table->row.host_name);
    return row;
}
