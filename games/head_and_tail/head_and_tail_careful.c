#include "games/head_and_tail/head_and_tail.h"

#include "games/bots/lookahead.h"

/*
 * The careful policy looks ahead, because the value of a card depends on who will be head and tail
 * in the end, and the tricks still to come decide that. More imagined deals help little: with 40
 * deals the policy wins only a tenth more games than with DEALS.
 */

#define DEALS 16

uint8_t head_and_tail_careful_move(const struct game_view *view, const struct game_config *config,
                                   struct quick_random *random)
{
    unsigned tricks = (unsigned)view->slot_count[0] - view->past_count;
    return lookahead_choose_move(view, config, random, DEALS,
                                 tricks * view->seats - view->trick.count);
}
