#include "games/bots/playout.h"

#include "games/bits.h"
#include "games/table.h"

/* Games put their most frequent moves first, so usually only the first 64-bit word of the set has
 * any bits set. */
uint8_t playout_pick_random_move(const struct move_set *moves, struct quick_random *random)
{
    _Static_assert(MOVES_MAX == 192, "a move set has three words");
    if ((moves->bits[1] | moves->bits[2]) == 0) {
        uint8_t count = bits_count(moves->bits[0]);
        return bits_index_of_nth_set_bit(moves->bits[0],
                                         (uint8_t)quick_random_draw_below(random, count));
    }
    uint8_t count = move_set_count(moves);
    return move_set_nth(moves, (uint8_t)quick_random_draw_below(random, count));
}

uint8_t playout_find_seats_in_round(const struct game_def *game, const struct game_state *state,
                                    uint8_t round)
{
    const struct table_state *table = (const void *)state->bytes; /* every state begins with it */
    return table->round == round ? game->turn(state->bytes) : 0;
}
