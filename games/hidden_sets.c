#include "games/hidden.h"

#include <assert.h>
#include <string.h>

#define MIXING_SWAPS 4 /* swaps tried per card */
#define POSITION_NONE 0xFF

struct hidden_layout {
    uint8_t *cards;
    const uint8_t *groups;
    uint8_t count;
    const struct card_set *bans; /* bans[group]: the cards that are banned from this group */
    uint8_t group_count;
};

static bool card_may_lie_in_group(const struct hidden_layout *layout, uint8_t card, uint8_t group)
{
    return (layout->bans[group].bits[card / 64] >> (card % 64) & 1) == 0;
}

static void swap_cards(const struct hidden_layout *layout, uint8_t position, uint8_t other_position)
{
    uint8_t card = layout->cards[position];
    layout->cards[position] = layout->cards[other_position];
    layout->cards[other_position] = card;
}

/* The search for a cycle of cards. giver[g] is the position of a card that can go to group g. */
struct hidden_search {
    uint8_t giver[HIDDEN_SETS_MAX];
    uint8_t queue[HIDDEN_SETS_MAX];
    uint8_t queued;
};

/* Offers the card at a position to every group the search has not reached yet. */
static void offer_card_to_unreached_groups(const struct hidden_layout *layout,
                                           struct hidden_search *search, uint8_t position)
{
    for (uint8_t group = 0; group < layout->group_count; group++) {
        if (search->giver[group] == POSITION_NONE &&
            card_may_lie_in_group(layout, layout->cards[position], group)) {
            search->giver[group] = position;
            search->queue[search->queued++] = group;
        }
    }
}

/* Offers every card of a group to the groups the search has not reached yet. */
static void offer_cards_of_group(const struct hidden_layout *layout, struct hidden_search *search,
                                 uint8_t group)
{
    for (uint8_t i = 0; i < layout->count; i++) {
        if (layout->groups[i] == group) {
            offer_card_to_unreached_groups(layout, search, i);
        }
    }
}

/* Moves a card away from a group where it is banned. Finds the shortest cycle of cards in which
 * each card moves to a group that allows it and the last one takes the place of the first. Such a
 * cycle exists whenever any arrangement obeys the bans, because the difference between two
 * arrangements consists of cycles. */
static bool move_card_to_allowed_group(const struct hidden_layout *layout, uint8_t position)
{
    struct hidden_search search = {.queued = 0};
    uint8_t home = layout->groups[position];
    memset(search.giver, POSITION_NONE, sizeof(search.giver));
    offer_card_to_unreached_groups(layout, &search, position);
    for (uint8_t next = 0; next < search.queued && search.giver[home] == POSITION_NONE; next++) {
        offer_cards_of_group(layout, &search, search.queue[next]);
    }
    if (search.giver[home] == POSITION_NONE) {
        return false;
    }
    /* Walk back along the cycle: the misplaced card moves on, and each giver's card takes the freed
     * place. */
    uint8_t hole = position;
    for (uint8_t at = search.giver[home]; at != position; at = search.giver[layout->groups[at]]) {
        swap_cards(layout, hole, at);
        hole = at;
    }
    return true;
}

static bool any_group_has_bans(const struct card_set *bans, uint8_t group_count)
{
    uint64_t any = 0;
    for (uint8_t group = 0; group < group_count; group++) {
        any |= bans[group].bits[0] | bans[group].bits[1];
    }
    return any != 0;
}

bool hidden_shuffle_with_card_bans(uint8_t *cards, const uint8_t *groups, uint8_t count,
                                   const struct card_set *bans, uint8_t group_count,
                                   struct quick_random *random)
{
    const struct hidden_layout layout = {cards, groups, count, bans, group_count};
    assert(count <= HIDDEN_CARDS_MAX && group_count <= HIDDEN_SETS_MAX);
    for (uint8_t i = count; i-- > 1;) {
        swap_cards(&layout, i, (uint8_t)quick_random_draw_below(random, i + 1U));
    }
    bool has_bans = any_group_has_bans(bans, group_count);
    for (uint8_t i = 0; has_bans && i < count; i++) {
        if (!card_may_lie_in_group(&layout, cards[i], groups[i]) &&
            !move_card_to_allowed_group(&layout, i)) {
            return false;
        }
    }
    /* Moving banned cards away makes some arrangements likelier than others. Random swaps that obey
     * the bans even this out. */
    for (unsigned i = 0; has_bans && i < MIXING_SWAPS * (unsigned)count; i++) {
        uint8_t a = (uint8_t)quick_random_draw_below(random, count);
        uint8_t b = (uint8_t)quick_random_draw_below(random, count);
        if (card_may_lie_in_group(&layout, cards[a], groups[b]) &&
            card_may_lie_in_group(&layout, cards[b], groups[a])) {
            swap_cards(&layout, a, b);
        }
    }
    return true;
}
