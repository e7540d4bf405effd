#include "games/heckin_hounds/heckin_hounds.h"

#include "games/card.h"
#include "games/hidden.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))
#define DEALT_CARDS (BIT(HOUNDS_DEALT_SUITS * HOUNDS_VALUES) - 1)
#define ATTEMPTS_MAX 50000
#define ATTEMPTS_UNCHECKED 100 /* attempts made before checking whether any layout exists */
#define PLACES_MAX (SEATS_MAX * HOUNDS_SLOTS + 1)

/*
 * How layouts are drawn so that all are equally likely.
 *
 * A trade swaps a slot's card with a random card of the dead hand. Once these random draws are
 * fixed, each deal leads to one current layout, and each current layout comes from one deal. So all
 * current layouts that agree with what the viewer knows are equally likely, and the chance of the
 * random draws is in proportion to the number of layouts that they allow. The card given in a trade
 * now lies in the dead hand, or in the slot of a later trade that drew it.
 *
 * One attempt works like this. First, put the played cards back into the slots from which they were
 * played, or, if the view does not tell these, into slots from which their seats may have played
 * them. Then draw which trades took a card that an earlier trade gave (a link).
 * Then fill the places that clues tell about, one after the other: s of the cards left may lie in
 * the place; choose one of them at random. Let b be an upper bound for s at this place; the attempt
 * survives with probability s / b, which makes all layouts equally likely. Links are drawn in
 * proportion to the product of all b, times the ways to fill the places without clues, times the
 * number of draws that make these links. A failed attempt starts again with the played cards.
 *
 * All b are computed at the start: the number of cards that fit the place, less the cards that
 * earlier places certainly take because they can hold nothing else, and never more than the number
 * of cards left.
 */

/* One possible layout of a round's cards. */
struct layout {
    uint8_t rows[SEATS_MAX][HOUNDS_SLOTS]; /* the card in each slot; a played card is in the slot
                                              from which it was played */
    uint8_t given[SEATS_MAX]; /* by seat: the card given in its trade; CARD_NONE when there was none
                                 or it is not known */
    uint8_t discarded;
    uint8_t dead_count;
    uint8_t dead[HOUNDS_DEAD_MAX];
};

struct place {
    uint8_t *card;
    uint64_t allowed;
    uint8_t most; /* an upper bound on the number of cards left for this place when it is filled */
};

/* A trade; trades are stored in the order in which they were made. */
struct trade {
    uint8_t seat;
    uint64_t given; /* the dealt cards that the player may have given, as far as the viewer knows */
    uint8_t
        most; /* an upper bound on how many cards of `given` are left after the hands are filled */
    uint8_t *taken; /* the slot that holds the card taken */
    bool is_known;  /* whether the viewer knows the card taken */
    uint8_t keeper; /* index of the later trade that took the card given; the trade's own index when
                       that card lies in the dead hand */
};

struct layout_draw {
    const struct game_view *view;
    const struct hounds_known *known;
    struct quick_random *random;
    struct layout *layout;
    struct hounds_places places;
    uint8_t clued_count; /* number of places that clues tell about; places of cards given in trades
                            are not counted */
    struct place clued[PLACES_MAX];
    uint8_t plain_count; /* number of places that may hold any dealt card */
    uint8_t *plain[PLACES_MAX];
    uint8_t trade_count;
    struct trade trades[SEATS_MAX];
    uint8_t free_count; /* number of places that may hold any card: in the dead hand, and slots
                           whose card was drawn unseen */
    /* weights[set] is the total weight when exactly the trades in `set` (bit i: trade i) gave a
     * card that a later trade is known to have taken. `most` is an upper bound for the weight of
     * all ways to link trades. */
    double weights[1U << SEATS_MAX];
    double most;
};

/* Fills a place whose card is known; lists any other place, to be filled later. */
static void fill_or_list_place(struct layout_draw *draw, uint8_t *place, uint64_t allowed_cards)
{
    uint64_t pool = draw->places.pool;
    if ((allowed_cards & pool) == 0) {
        *place = bits_index_of_lowest(allowed_cards);
    } else if (allowed_cards == (pool & DEALT_CARDS & ~draw->places.given)) {
        draw->plain[draw->plain_count++] = place;
    } else {
        draw->clued[draw->clued_count++] = (struct place){place, allowed_cards, 0};
    }
}

static void list_places_in_hands(struct layout_draw *draw)
{
    const struct hounds_known *known = draw->known;
    for (uint8_t i = 0; i < draw->view->seats * HOUNDS_SLOTS; i++) {
        uint8_t seat = i / HOUNDS_SLOTS;
        uint8_t slot = i % HOUNDS_SLOTS;
        uint8_t *place = &draw->layout->rows[seat][slot];
        uint64_t allowed = draw->places.slots[seat][slot];
        bool is_traded = known->trades[seat] == slot;
        if (allowed != 0 && (!is_traded || (allowed & draw->places.pool) == 0)) {
            fill_or_list_place(draw, place, allowed);
        }
    }
    if (known->cerberus_seat != HOUNDS_SEAT_NONE) {
        fill_or_list_place(draw, &draw->layout->discarded, draw->places.discarded);
    }
}

/* The dealt cards that the seat may have given in its trade. */
static uint64_t find_possible_given_cards(const struct layout_draw *draw, uint8_t seat)
{
    const struct hounds_known *known = draw->known;
    if (known->given[seat] != CARD_NONE) {
        return BIT(known->given[seat]);
    }
    return hounds_possible_dealt_cards(draw->view, known, seat, known->trades[seat]) &
           ~draw->places.given;
}

static void list_trades(struct layout_draw *draw)
{
    const struct hounds_known *known = draw->known;
    for (uint8_t i = 0; i < draw->view->seats; i++) {
        uint8_t seat = (uint8_t)((known->leader + i) % draw->view->seats);
        uint8_t slot = known->trades[seat];
        if (slot < HOUNDS_SLOTS) {
            uint64_t there = draw->places.slots[seat][slot];
            draw->trades[draw->trade_count++] = (struct trade){
                .seat = seat,
                .given = find_possible_given_cards(draw, seat),
                .taken = &draw->layout->rows[seat][slot],
                .is_known = (there & draw->places.pool) == 0,
            };
        }
    }
}

/* An upper bound on how many of the allowed cards are left once the first `filled_places` places
 * with clues have been filled. */
static uint8_t bound_cards_left(const struct layout_draw *draw, uint64_t allowed,
                                uint8_t filled_places)
{
    int left = bits_count(allowed);
    int good = bits_count(draw->places.pool & DEALT_CARDS) - filled_places;
    for (uint8_t i = 0; i < filled_places; i++) {
        left -= (draw->clued[i].allowed & ~allowed) == 0;
    }
    left = left < good ? left : good;
    return (uint8_t)(left > 0 ? left : 0);
}

/* The number of ways to fill all places without clues, when `trade_place_count` of the places of
 * cards given in trades have clues. */
static double count_ways_without_clues(const struct layout_draw *draw, uint8_t trade_place_count)
{
    uint64_t pool = draw->places.pool;
    int taken = draw->clued_count + trade_place_count;
    int good = bits_count(pool & DEALT_CARDS) - taken;
    int rest = bits_count(pool) - taken - draw->plain_count;
    double ways = good < draw->plain_count || rest < 0 ? 0 : 1;
    for (int i = 0; i < draw->plain_count; i++) {
        ways *= good - i;
    }
    for (int i = 2; i <= rest; i++) {
        ways *= i;
    }
    return ways;
}

/* Sorts places so that those that allow few cards come first, and computes the upper bound for each
 * place. The bound is lower by one for every earlier place that can hold no other cards. */
static void sort_places_with_clues(struct layout_draw *draw)
{
    for (uint8_t i = 0; i < draw->clued_count; i++) {
        struct place place = draw->clued[i];
        uint8_t at = i;
        for (; at > 0 && bits_count(draw->clued[at - 1].allowed) > bits_count(place.allowed);
             at--) {
            draw->clued[at] = draw->clued[at - 1];
        }
        draw->clued[at] = place;
    }
    for (uint8_t i = 0; i < draw->clued_count; i++) {
        draw->clued[i].most = bound_cards_left(draw, draw->clued[i].allowed, i);
    }
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        struct trade *trade = &draw->trades[i];
        trade->given &= DEALT_CARDS;
        trade->most = bound_cards_left(draw, trade->given & draw->places.pool, draw->clued_count);
    }
}

/* Sorts the upper bounds for the cards given in trades, smallest first. Returns the product of
 * these bounds (each at most the number of dealt cards left) and of the number of ways to fill all
 * other places. */
static double sort_bounds_and_compute_weight(const struct layout_draw *draw,
                                             uint8_t bounds[SEATS_MAX], uint8_t count)
{
    int good = bits_count(draw->places.pool & DEALT_CARDS) - draw->clued_count;
    double weight = count_ways_without_clues(draw, count);
    for (uint8_t i = 1; i < count; i++) {
        uint8_t own = bounds[i];
        uint8_t at = i;
        for (; at > 0 && bounds[at - 1] > own; at--) {
            bounds[at] = bounds[at - 1];
        }
        bounds[at] = own;
    }
    for (uint8_t i = 0; i < count; i++) {
        weight *= bounds[i] < good - i ? bounds[i] : good - i;
    }
    return weight;
}

/* The weight of the trades that are not in the set `known_trades`. The cards given in the trades of
 * `known_trades` are known to have been taken later. */
static double weigh_trades_except(const struct layout_draw *draw, unsigned known_trades)
{
    uint8_t most[SEATS_MAX];
    uint8_t count = 0;
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        if ((known_trades >> i & 1) == 0) {
            most[count++] = draw->trades[i].most;
        }
    }
    return sort_bounds_and_compute_weight(draw, most, count);
}

/* For each trade, the earlier trade that gave the card which this trade took; the trade's own index
 * when there is no such trade. */
struct links {
    uint8_t count;
    uint8_t may[SEATS_MAX]; /* bit i: the trade may have taken the card that trade i gave */
    uint8_t from[SEATS_MAX];
    uint8_t taken; /* bit i: a later trade took the card that trade i gave */
};

/* Finds the first trade, not before `first_giver`, whose given card no trade has taken yet and the
 * trade `taker` may have taken, and links `taker` to that trade. Links `taker` to itself when there
 * is no such trade. */
static void link_trade(struct links *links, uint8_t taker, uint8_t first_giver)
{
    uint8_t giver = first_giver;
    while (giver < taker && (links->may[taker] & ~links->taken & 1U << giver) == 0) {
        giver++;
    }
    links->from[taker] = giver;
    links->taken = (uint8_t)(links->taken | (giver < taker ? 1U << giver : 0));
}

/* Goes to the next way to link trades; the first way has the most links. False after the last
 * way. */
static bool go_to_next_linking(struct links *links)
{
    uint8_t taker = links->count;
    while (taker > 0 && links->from[taker - 1] == taker - 1) {
        taker--;
    }
    if (taker == 0) {
        return false;
    }
    taker--;
    uint8_t giver = links->from[taker];
    links->taken = (uint8_t)(links->taken & ~(1U << giver));
    link_trade(links, taker, (uint8_t)(giver + 1));
    for (uint8_t later = (uint8_t)(taker + 1); later < links->count; later++) {
        link_trade(links, later, 0);
    }
    return true;
}

/* The number of random draws that lead to these links, times the weight of the trades. */
static double weigh_links(const struct layout_draw *draw, const struct links *links)
{
    double draws = 1;
    unsigned known = 0;
    int left = draw->layout->dead_count;
    for (uint8_t taker = 0; taker < links->count; taker++) {
        bool is_linked = links->from[taker] < taker;
        draws *= is_linked ? 1 : left--;
        known |= (unsigned)(is_linked && draw->trades[taker].is_known) << links->from[taker];
    }
    return draws * draw->weights[known];
}

/* Chooses at random which trades took cards that earlier trades gave. Returns the summed weight
 * of all ways to link the trades. */
static double choose_random_links(struct layout_draw *draw)
{
    struct links links = {.count = draw->trade_count};
    double sum = 0;
    for (uint8_t taker = 0; taker < links.count; taker++) {
        const struct trade *trade = &draw->trades[taker];
        for (uint8_t giver = 0; giver < taker; giver++) {
            unsigned may =
                !trade->is_known || (draw->trades[giver].given >> *trade->taken & 1) != 0;
            links.may[taker] = (uint8_t)(links.may[taker] | may << giver);
        }
        link_trade(&links, taker, 0);
    }
    do {
        double weight = weigh_links(draw, &links);
        sum += weight;
        if (weight <= 0 ||
            (double)(quick_random_next(draw->random) >> 11) * 0x1p-53 * sum >= weight) {
            continue;
        }
        for (uint8_t taker = 0; taker < links.count; taker++) {
            draw->trades[taker].keeper = taker;
            draw->trades[links.from[taker]].keeper = taker;
        }
    } while (go_to_next_linking(&links));
    return sum;
}

/* Puts the seat's played cards, except Cerberus, back into the slots from which they were played.
 * False when clues forbid one of these cards in its slot. */
static bool lay_played_cards(const struct layout_draw *draw, uint8_t seat)
{
    const struct hounds_known *known = draw->known;
    struct view_play play;
    bool is_possible = true;
    for (uint8_t i = 0; sample_read_play(draw->view, i, &play); i++) {
        if (play.seat != seat || play.card == HOUNDS_CERBERUS_CARD) {
            continue;
        }
        bool is_cerberus = seat == known->cerberus_seat && play.slot == known->cerberus_slot;
        bool is_free =
            known->trades[seat] == play.slot ||
            (hounds_possible_dealt_cards(draw->view, known, seat, play.slot) >> play.card & 1) != 0;
        is_possible = is_possible && is_free && !is_cerberus;
        draw->layout->rows[seat][play.slot] = play.card;
    }
    return is_possible;
}

/* Puts Cerberus back into its slot if it has been played. False when it cannot have been played
 * from there. */
static bool lay_played_cerberus(const struct layout_draw *draw)
{
    const struct hounds_known *known = draw->known;
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(draw->view, i, &play); i++) {
        if (play.card != HOUNDS_CERBERUS_CARD) {
            continue;
        }
        if (play.seat != known->cerberus_seat || play.slot != known->cerberus_slot ||
            !draw->view->hands[play.seat][known->cerberus_slot].is_empty) {
            return false;
        }
        draw->layout->rows[play.seat][known->cerberus_slot] = play.card;
    }
    return true;
}

/* Computes everything that stays the same in all attempts to fill the layout. */
static bool prepare_layout_attempts(struct layout_draw *draw)
{
    const struct game_view *view = draw->view;
    if (!hounds_find_possible_cards(view, draw->known, &draw->places) ||
        !lay_played_cerberus(draw)) {
        return false;
    }
    list_places_in_hands(draw);
    list_trades(draw);
    draw->layout->dead_count = (uint8_t)(view->seats + HOUNDS_DEAD_MAX - SEATS_MAX);
    draw->free_count = draw->layout->dead_count;
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        draw->free_count = (uint8_t)(draw->free_count + !draw->trades[i].is_known);
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!lay_played_cards(draw, seat)) {
            return false;
        }
    }
    sort_places_with_clues(draw);
    for (unsigned known = 0; known < 1U << draw->trade_count; known++) {
        draw->weights[known] = weigh_trades_except(draw, known);
    }
    draw->most = choose_random_links(draw);
    return bits_count(draw->places.pool) ==
           draw->clued_count + draw->plain_count + draw->free_count;
}

/* Adds a place that holds a card given in a trade to the list `given`, which is sorted by upper
 * bound. */
static void add_place_of_given_card(struct place given[], uint8_t *count, struct place place)
{
    uint8_t at = (*count)++;
    for (; at > 0 && given[at - 1].most > place.most; at--) {
        given[at] = given[at - 1];
    }
    given[at] = place;
}

/* Lists the places of the cards given in trades. Leaves out the cards that a later trade is known
 * to have taken. */
static uint8_t list_places_of_given_cards(struct layout_draw *draw, struct place given[SEATS_MAX])
{
    uint8_t count = 0;
    uint8_t dead = 0;
    int good = bits_count(draw->places.pool & DEALT_CARDS) - draw->clued_count;
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        const struct trade *trade = &draw->trades[i];
        const struct trade *keeper = &draw->trades[trade->keeper];
        bool is_dead = keeper == trade;
        if (is_dead || !keeper->is_known) {
            uint8_t *card = is_dead ? &draw->layout->dead[dead++] : keeper->taken;
            add_place_of_given_card(
                given, &count, (struct place){card, trade->given & draw->places.pool, trade->most});
        }
    }
    for (uint8_t i = 0; i < count; i++) {
        given[i].most = (uint8_t)(given[i].most < good - i ? given[i].most : good - i);
    }
    return count;
}

/* Fills each place that has clues with one of the remaining cards that it may hold. */
static bool fill_places_with_clues(struct layout_draw *draw, const struct place *places,
                                   uint8_t count, uint64_t *left)
{
    for (uint8_t i = 0; i < count; i++) {
        uint64_t cards = places[i].allowed & *left;
        if (cards == 0 ||
            quick_random_draw_below(draw->random, places[i].most) >= bits_count(cards)) {
            return false;
        }
        *places[i].card = quick_random_draw_bit(draw->random, cards);
        *left &= ~BIT(*places[i].card);
    }
    return true;
}

/* Gives the remaining cards to the places without clues. */
static void deal_remaining_cards(struct layout_draw *draw, uint64_t left)
{
    struct layout *layout = draw->layout;
    for (uint8_t i = 0; i < draw->plain_count; i++) {
        *draw->plain[i] = quick_random_draw_bit(draw->random, left & DEALT_CARDS);
        left &= ~BIT(*draw->plain[i]);
    }
    for (uint8_t i = 0; i < draw->trade_count + layout->dead_count; i++) {
        bool is_dead = i >= draw->trade_count;
        uint8_t *card = is_dead ? &layout->dead[i - draw->trade_count] : draw->trades[i].taken;
        if (*card == CARD_NONE) {
            *card = quick_random_draw_bit(draw->random, left);
            left &= ~BIT(*card);
        }
    }
}

/* Records the card given in each trade: it lies in the dead hand or was taken by a later trade. The
 * dead hand begins with the cards that nobody took, in the order of the trades. */
static void record_given_cards(struct layout_draw *draw)
{
    uint8_t dead = 0;
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        const struct trade *trade = &draw->trades[i];
        bool is_dead = trade->keeper == i;
        draw->layout->given[trade->seat] =
            is_dead ? draw->layout->dead[dead++] : *draw->trades[trade->keeper].taken;
    }
}

/* Makes one attempt to fill the layout at random; false when the attempt fails. */
static bool try_to_fill_random_layout(struct layout_draw *draw)
{
    struct place given[SEATS_MAX];
    uint64_t left = draw->places.pool;
    memset(draw->layout->dead, CARD_NONE, sizeof(draw->layout->dead));
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        if (!draw->trades[i].is_known) {
            *draw->trades[i].taken = CARD_NONE;
        }
    }
    if ((double)(quick_random_next(draw->random) >> 11) * 0x1p-53 * draw->most >=
        choose_random_links(draw)) {
        return false;
    }
    uint8_t count = list_places_of_given_cards(draw, given);
    if (!fill_places_with_clues(draw, draw->clued, draw->clued_count, &left) ||
        !fill_places_with_clues(draw, given, count, &left)) {
        return false;
    }
    deal_remaining_cards(draw, left);
    record_given_cards(draw);
    return true;
}

/* Bans from the unknown slot of each trade the cards that cannot be there: those given in this
 * trade or a later one. The bans begin at `first`. */
static void ban_cards_given_later(const struct layout_draw *draw, uint8_t first,
                                  struct card_set bans[HIDDEN_SETS_MAX])
{
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        for (uint8_t later = i; later < draw->trade_count; later++) {
            uint8_t card = draw->known->given[draw->trades[later].seat];
            bans[first + i].bits[0] |= card == CARD_NONE ? 0 : BIT(card);
        }
    }
}

/* Fills all unknown places at once, ignoring what was given in trades unless the viewer knows it.
 */
static bool fill_places_ignoring_trades(struct layout_draw *draw)
{
    struct card_set bans[HIDDEN_SETS_MAX] = {0};
    uint8_t *places[HOUNDS_CARDS];
    uint8_t groups[HOUNDS_CARDS];
    uint8_t cards[HOUNDS_CARDS];
    uint64_t pool = draw->places.pool;
    uint8_t count = 0;
    for (uint8_t i = 0; i < draw->clued_count; i++) {
        bans[i + 2].bits[0] = pool & ~draw->clued[i].allowed;
        groups[count] = (uint8_t)(i + 2);
        places[count++] = draw->clued[i].card;
    }
    bans[1].bits[0] = pool & (~DEALT_CARDS | draw->places.given);
    for (uint8_t i = 0; i < draw->plain_count; i++) {
        groups[count] = 1;
        places[count++] = draw->plain[i];
    }
    uint8_t first_trade = (uint8_t)(draw->clued_count + 2);
    ban_cards_given_later(draw, first_trade, bans);
    for (uint8_t i = 0; i < draw->trade_count; i++) {
        if (!draw->trades[i].is_known) {
            groups[count] = (uint8_t)(first_trade + i);
            places[count++] = draw->trades[i].taken;
        }
    }
    for (uint8_t i = 0; i < draw->layout->dead_count; i++) {
        groups[count] = 0;
        places[count++] = &draw->layout->dead[i];
    }
    for (uint8_t i = 0; i < count; i++, pool &= pool - 1) {
        cards[i] = bits_index_of_lowest(pool);
    }
    if (!hidden_shuffle_with_card_bans(cards, groups, count, bans,
                                       (uint8_t)(first_trade + draw->trade_count), draw->random)) {
        return false;
    }
    memcpy(draw->layout->given, draw->known->given, sizeof(draw->layout->given));
    for (uint8_t i = 0; i < count; i++) {
        *places[i] = cards[i];
    }
    return true;
}

/* Chooses at random one of all layouts of the cards that fit what the viewer knows. For a player's
 * view, all deals and all random draws in trades are equally likely; for a spectator's view,
 * approximately. False when no layout fits. */
static bool hounds_fill_random_layout(struct layout *layout, const struct game_view *view,
                                      const struct hounds_known *known, struct quick_random *random)
{
    struct layout_draw draw = {.view = view, .known = known, .random = random, .layout = layout};
    memset(layout->given, CARD_NONE, sizeof(layout->given));
    if (!prepare_layout_attempts(&draw)) {
        return false;
    }
    if (view->seat == SPECTATOR) {
        return fill_places_ignoring_trades(&draw);
    }
    for (unsigned attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        if (try_to_fill_random_layout(&draw)) {
            return true;
        }
        if (attempt == ATTEMPTS_UNCHECKED && !fill_places_ignoring_trades(&draw)) {
            return false;
        }
    }
    return fill_places_ignoring_trades(&draw);
}

/* Restores what clues told about a hand. */
static void restore_clue_marks(struct hounds *state, const struct view_slot *hand, uint8_t seat)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        bool is_suit_told = hand[i].suit != SUIT_NONE;
        bool is_value_told = hand[i].value != 0;
        state->told_suit[seat] = (uint8_t)(state->told_suit[seat] | is_suit_told << i);
        state->told_value[seat] = (uint8_t)(state->told_value[seat] | is_value_told << i);
    }
}

/* Restores the cards, and what clues told about them. */
static void restore_cards(struct hounds *state, const struct game_view *view,
                          const struct hounds_known *known, const struct layout *layout)
{
    struct table_state *table = &state->table;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        table_give_hand(table, seat, layout->rows[seat], HOUNDS_SLOTS);
    }
    table_begin_round(table, view->round, HOUNDS_SLOTS);
    hounds_begin_round(state, known->leader);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        restore_clue_marks(state, view->hands[seat], seat);
        state->trades[seat] = known->trades[seat];
        state->given[seat] = layout->given[seat];
        if (known->trades[seat] < HOUNDS_SLOTS) {
            table->sight[seat][known->trades[seat]] = 0;
        }
    }
    state->dead_count = layout->dead_count;
    memcpy(state->dead, layout->dead, sizeof(state->dead));
}

/* Copies the public choices of the view into the state. */
static void restore_public_choices(struct hounds *state, const struct game_view *view,
                                   const struct hounds_known *known, const struct layout *layout)
{
    state->bad_dog = known->bad_dog;
    for (; known->clues[state->clue_count].to != HOUNDS_SEAT_NONE; state->clue_count++) {
        state->clues[state->clue_count] = known->clues[state->clue_count];
        state->clues_left[known->clues[state->clue_count].to]--;
    }
    memcpy(state->badness, known->badness, view->seats);
    state->cerberus_seat = known->cerberus_seat;
    if (known->cerberus_seat != HOUNDS_SEAT_NONE) {
        state->cerberus_slot = known->cerberus_slot;
        state->discarded = layout->discarded;
        state->table.sight[known->cerberus_seat][known->cerberus_slot] = UINT8_MAX;
    }
    if (view->phase > HOUNDS_TRADE) {
        hounds_show_traded_cards(state);
    }
}

/* The sampled deal must allow a clue for every seat that still gets clues. */
static bool every_seat_can_get_its_clues(struct hounds *state)
{
    struct move_set legal = move_set_empty();
    hounds_find_legal_clues(state);
    memcpy(&legal.bits[HOUNDS_MOVE_CLUE / 64], state->clue_moves, sizeof(state->clue_moves));
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        unsigned first = HOUNDS_MOVE_CLUE + seat * (unsigned)HOUNDS_SUBJECTS;
        bool is_possible = move_set_next(&legal, first) < first + HOUNDS_SUBJECTS;
        if (is_possible != (state->clues_left[seat] > 0)) {
            return false;
        }
    }
    return true;
}

/* Copies the bids. Seats bid in turn, starting with the leader. Returns the number of bids, or more
 * than the number of seats when a seat bid out of turn. */
static uint8_t restore_bids(struct hounds *state, const struct game_view *view)
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < view->seats; i++) {
        uint8_t seat = (uint8_t)((state->leader + i) % view->seats);
        int8_t bid = view->bids[seat];
        bool is_made = bid != BID_NONE;
        if (is_made && (count != i || bid < 0 || bid > HOUNDS_BID_MOST)) {
            return SEATS_MAX + 1;
        }
        count = (uint8_t)(count + is_made);
        state->table.bids[seat] = bid;
    }
    return count;
}

/* Plays the round's played cards again, each from the slot where it lies. False when a seat played
 * out of turn. */
static bool replay_played_cards(struct hounds *state, const struct game_view *view)
{
    struct view_play play;
    table_set_lead(&state->table, state->leader);
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        uint8_t slot = 0;
        while (state->table.slots[play.seat][slot] != play.card) {
            slot++;
        }
        if (state->table.to_act != 1U << play.seat) {
            return false;
        }
        (void)hounds_play_card_from_slot(state, play.seat, slot);
    }
    return true;
}

/* Makes the view's choices in the sampled game. False when these choices do not lead to the view's
 * position. */
static bool restore_position(struct hounds *state, const struct game_view *view,
                             const struct hounds_known *known)
{
    struct table_state *table = &state->table;
    uint8_t bids = restore_bids(state, view);
    uint8_t chosen = view->phase == HOUNDS_TRADE ? hounds_count_trades(known, view->seats)
                     : view->phase == HOUNDS_BID ? bids
                                                 : 0;
    bool is_played = view->phase == HOUNDS_PLAY || view->phase == PHASE_OVER;
    bool has_plays = view->past_count > 0 || view->trick.count > 0;
    table->phase = view->phase;
    table->to_act = (uint8_t)(1U << (state->leader + chosen) % view->seats);
    if (is_played) {
        bool is_over = view->phase == PHASE_OVER;
        bool is_whole = view->past_count == HOUNDS_SLOTS;
        if (bids != view->seats || is_whole != is_over || view->past_count > HOUNDS_SLOTS ||
            (is_whole && view->trick.count > 0) || !replay_played_cards(state, view)) {
            return false;
        }
        table->to_act = is_over ? 0 : table->to_act;
        return true;
    }
    if (view->phase == HOUNDS_DISCARD) {
        table->to_act = view->to_act;
        return !has_plays && bids == 0 && bits_count(view->to_act) == 1 &&
               view->to_act >> view->seats == 0;
    }
    if (view->phase == HOUNDS_CLUE && !every_seat_can_get_its_clues(state)) {
        return false;
    }
    return !has_plays && (view->phase == HOUNDS_BID ? bids < view->seats : bids == 0);
}

bool hounds_sample_state(const struct game_view *view, struct quick_random *random,
                         void *state_bytes)
{
    struct hounds *state = state_bytes;
    const struct hounds_known *known = hounds_known(view);
    struct layout layout;
    if (!hounds_view_is_possible(view) ||
        !hounds_fill_random_layout(&layout, view, known, random)) {
        return false;
    }
    restore_cards(state, view, known, &layout);
    restore_public_choices(state, view, known, &layout);
    return restore_position(state, view, known);
}
