#include "games/hund/hund.h"
#include "tests/bench/opponents/rules.h"

/* The light policy in HUND: takes a trick if the roles of its suits are worth something, and leaves
 * it to the others if not. */

#define RANDOM_MOVES 10 /* one move in this many is random */
#define HELD_BACK 0.02F /* what it costs to play the highest card instead of the lowest */

static const float worth_of_role[HUND_ROLES] = {[HUND_PLUS] = 1,
                                                [HUND_MINUS] = -1,
                                                [HUND_HUND] = 0.25F,
                                                [HUND_LEAD] = 0.1F,
                                                [HUND_TRUMP] = 0.05F};

/* Returns what a card of the suit is worth: by its role, or the mean of the roles that are open. */
static float worth_of_suit(const struct hund_board *board, uint8_t suit)
{
    float open = 0;
    for (uint8_t role = 0; role < HUND_ROLES; role++) {
        if (role < board->count && board->roles[role] == suit) {
            return worth_of_role[role];
        }
        open += role < board->count ? 0 : worth_of_role[role];
    }
    return open / (float)(HUND_ROLES - board->count);
}

/* Returns what the cards that lie in the trick are worth. */
static float worth_of_trick(const struct hund *state)
{
    const struct table_state *table = &state->table;
    float sum = 0;
    for (uint8_t i = 1; i <= table->trick_count; i++) {
        sum += worth_of_suit(&state->board, hund_suit(table->plays[table->play_count - i]));
    }
    return sum;
}

/* Returns how good it is to play the card into a trick that is worth so much. */
static float rate_card(const struct hund *state, float lying, uint8_t card)
{
    const struct table_state *table = &state->table;
    float height = (float)(card % HUND_VALUES) / (float)state->values;
    float all = lying + worth_of_suit(&state->board, hund_suit(card));
    bool wins = table->trick_count == 0 ||
                hund_card_beats(card, table->best_card, state->board.roles[HUND_TRUMP]);
    bool is_last = table->trick_count + 1 == table->seats;
    float chance = !wins ? 0 : is_last ? 1 : 0.2F + 0.6F * height;
    return all * chance - all * (1 - chance) / (float)(table->seats - 1) - HELD_BACK * height;
}

uint8_t tree_light_hund(const void *state_bytes, UNUSED uint8_t seat, const struct move_set *legal,
                        struct quick_random *random)
{
    const struct hund *state = state_bytes;
    if (state->table.phase != HUND_PLAY || quick_random_draw_below(random, RANDOM_MOVES) == 0) {
        return tree_rules_random_move(legal, random);
    }
    float lying = worth_of_trick(state);
    uint8_t best = MOVE_NONE;
    float most = 0;
    for (uint8_t card = move_set_next(legal, 0); card != MOVE_NONE;
         card = move_set_next(legal, card + 1U)) {
        float rating = rate_card(state, lying, card);
        if (best == MOVE_NONE || rating > most) {
            best = card;
            most = rating;
        }
    }
    return best;
}
