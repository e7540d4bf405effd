#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/hund/hund.h"

/*
 * The light policy: takes a trick if its cards are worth something by the roles of their suits, and
 * leaves it to the others if not. Searching bots play imagined deals to their end by it.
 */

#define RANDOM_MOVES 10 /* one move in this many is made at random */
#define HELD_BACK 0.02F /* what it costs to play the highest card instead of the lowest */

/* What a card of a suit with this role is worth in a trick. */
static const float worth_of_role[HUND_ROLES] = {
    [HUND_TRUMP] = 0.05F, [HUND_PLUS] = 1,    [HUND_HUND] = 0.25F,
    [HUND_MINUS] = -1,    [HUND_LEAD] = 0.1F,
};

/* Fills in what a card of each suit is worth. A suit without a role is worth the mean of the roles
 * that are still open. */
static void fill_worth_of_suits(const struct hund_board *board, float worth[HUND_SUITS])
{
    float open = 0;
    for (uint8_t role = board->count; role < HUND_ROLES; role++) {
        open += worth_of_role[role] / (float)(HUND_ROLES - board->count);
    }
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        worth[suit] = open;
    }
    for (uint8_t role = 0; role < board->count; role++) {
        worth[board->roles[role]] = worth_of_role[role];
    }
}

/* Returns the worth of the cards in the current trick. */
static float worth_of_trick(const struct table_state *table, const float worth[HUND_SUITS])
{
    float sum = 0;
    for (uint8_t i = 1; i <= table->trick_count; i++) {
        sum += worth[hund_suit(table->plays[table->play_count - i])];
    }
    return sum;
}

/* Returns how good it is to play the card now. */
static float rate_card(const struct hund *state, const float worth[HUND_SUITS], float lying,
                       uint8_t card)
{
    const struct table_state *table = &state->table;
    float height = (float)(card % HUND_VALUES) / (float)state->values;
    bool leads_now = table->trick_count == 0 ||
                     hund_card_beats(card, table->best_card, state->board.roles[HUND_TRUMP]);
    bool is_last = table->trick_count + 1 == table->seats;
    float chance = !leads_now ? 0 : is_last ? 1 : 0.2F + 0.6F * height;
    float all = lying + worth[hund_suit(card)];
    return chance * all - (1 - chance) * all / (float)(table->seats - 1) - HELD_BACK * height;
}

static uint8_t choose_card(const struct hund *state, const struct move_set *legal)
{
    float worth[HUND_SUITS];
    fill_worth_of_suits(&state->board, worth);
    float lying = worth_of_trick(&state->table, worth);
    uint8_t best = MOVE_NONE;
    float most = 0;
    for (uint8_t card = move_set_next(legal, 0); card != MOVE_NONE;
         card = move_set_next(legal, card + 1U)) {
        float rating = rate_card(state, worth, lying, card);
        if (best == MOVE_NONE || rating > most) {
            best = card;
            most = rating;
        }
    }
    return best;
}

uint8_t hund_light_move(const void *state_bytes, UNUSED uint8_t seat, const struct move_set *legal,
                        struct quick_random *random)
{
    const struct hund *state = state_bytes;
    bool is_random =
        state->table.phase != HUND_PLAY || quick_random_draw_below(random, RANDOM_MOVES) == 0;
    return is_random ? playout_pick_random_move(legal, random) : choose_card(state, legal);
}
