#include "tests/games/random_play.h"

#include "games/card.h"

#include <assert.h>

/* A random seat of those that may move. */
static uint8_t pick_random_seat(uint8_t seats_to_act, struct quick_random *random)
{
    if ((seats_to_act & (seats_to_act - 1)) == 0) {
        return bits_index_of_lowest(seats_to_act);
    }
    return bits_index_of_nth_set_bit(
        seats_to_act, (uint8_t)quick_random_draw_below(random, bits_count(seats_to_act)));
}

/* Games put their most frequent moves first, so usually only the first 64-bit word of the set has
 * any bits set. */
uint8_t random_play_pick_move(const struct move_set *moves, struct quick_random *random)
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

uint64_t random_play(const struct game_def *game, struct game_state *state,
                     struct quick_random *random, uint64_t max_moves, const struct game_log *log)
{
    uint64_t made = 0;
    uint8_t to_act;
    while (made < max_moves && (to_act = game_seats_to_act(state)) != 0) {
        uint8_t seat = pick_random_seat(to_act, random);
        struct move_set moves = move_set_empty();
        game->legal(state->bytes, seat, &moves);
        uint8_t move = random_play_pick_move(&moves, random);
        assert(move_set_has(&moves, move));
        game_make_legal_move(game, (void *)state->bytes, seat, move, log);
        made++;
    }
    return made;
}
