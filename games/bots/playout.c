#include "games/bots/playout.h"

#include "games/table.h"

uint8_t playout_find_seats_in_round(const struct game_def *game, const struct game_state *state,
                                    uint8_t round)
{
    const struct table_state *table = (const void *)state->bytes; /* every state begins with it */
    return table->round == round ? game->turn(state->bytes) : 0;
}
