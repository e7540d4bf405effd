#include "games/bots/lookahead.h"

#include "games/bots/playout.h"
#include "games/table.h"

/* The points that the view's seat has gained since the view was made, minus the average gain of all
 * seats. The result is multiplied by the number of seats, so that it is a whole number. */
static int32_t gain_of_viewer(const struct game_view *view, const struct game_state *state)
{
    /* every game's state begins with a table_state */
    const struct table_state *table = (const void *)state->bytes;
    int32_t gain = 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        int32_t points = table->scores[seat] - view->scores[seat];
        gain += (int8_t)seat == view->seat ? (view->seats - 1) * points : -points;
    }
    return gain;
}

/* For each legal move, adds to gains[move] what the move gains in one imagined deal. */
static void try_moves(const struct game_view *view, const struct game_state *deal,
                      struct quick_random *random, unsigned moves_left, int32_t gains[MOVES_MAX])
{
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        struct game_state state = *deal;
        if (game_apply(view->game, &state, (uint8_t)view->seat, move, NULL) == GAME_OK) {
            (void)playout_make_moves(view->game, &state, random, moves_left - 1, NULL);
            gains[move] += gain_of_viewer(view, &state);
        }
    }
}

uint8_t lookahead_choose_move(const struct game_view *view, const struct game_config *config,
                              struct quick_random *random, unsigned deal_count, unsigned moves_left)
{
    int32_t gains[MOVES_MAX] = {0};
    bool is_forced = move_set_count(&view->legal) == 1;
    for (unsigned i = 0; i < deal_count && !is_forced; i++) {
        struct game_state deal;
        if (game_sample_state(view, config, random, &deal) == GAME_OK) {
            try_moves(view, &deal, random, moves_left, gains);
        }
    }
    uint8_t best = move_set_next(&view->legal, 0);
    for (uint8_t move = best; move != MOVE_NONE; move = move_set_next(&view->legal, move + 1U)) {
        best = gains[move] > gains[best] ? move : best;
    }
    return best;
}
