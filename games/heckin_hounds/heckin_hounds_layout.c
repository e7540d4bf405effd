#include "games/heckin_hounds/heckin_hounds.h"

#include "games/bits.h"
#include "games/hidden_sets.h"
#include "games/sample.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))
#define DEALT_CARDS (BIT(HOUNDS_DEALT_SUITS * HOUNDS_VALUES) - 1)
#define ATTEMPTS_MAX 50000
#define ATTEMPTS_UNCHECKED 100 /* attempts made before checking whether any layout exists */
#define ATTEMPTS_OF_GAPS 5000
#define PLACES_MAX (SEATS_MAX * HOUNDS_SLOTS + 1)

/*
 * How layouts are drawn so that all are equally likely.
 *
 * A trade swaps a slot's card with a random card of the dead hand. Once these random draws are
 * fixed, the deal determines the current layout and the reverse. So all current layouts that obey
 * what is known are equally likely, and the draws are as likely as the number of layouts they
 * allow. The card given in a trade now lies in the dead hand, or in the slot of a later trade that
 * drew it.
 *
 * One attempt works like this. First, lay the played cards into the gaps of their seats. Then draw
 * which trades took a card that an earlier trade gave (a link). Then give each place that clues
 * tell about one of the s cards left that it may hold. Let b be an upper bound for s at this place;
 * the attempt survives with probability s / b, which makes all layouts equally likely. Links are
 * drawn in proportion to the product of all b, times the ways to fill the places without clues,
 * times the number of draws that make these links. A failed attempt starts again from the gaps.
 *
 * All b are computed at the start: the number of cards that fit the place, less the cards that
 * earlier places certainly take because they can hold nothing else, and never more than the number
 * of cards left.
 */

struct place {
    uint8_t *card;
    uint64_t allowed;
    uint8_t most; /* an upper bound on the cards left for it when its turn comes */
};

/* A trade; trades are stored in the order in which they were made. */
struct trade {
    uint64_t given; /* the dealt cards that may have been given, as far as clues tell */
    uint8_t most;   /* an upper bound on how many of them are left after the hands are filled */
    uint8_t *taken; /* the slot that holds the card taken */
    bool is_known;  /* the card taken is known */
    bool is_played; /* it is known because it was played, but not from which gap */
    uint8_t keeper; /* the later trade that took the card given; its own index: the card lies in the
                       dead hand */
};

struct drawing {
    const struct game_view *view;
    const struct hounds_known *known;
    struct quick_random *random;
    struct hounds_layout *layout;
    struct hounds_places places;
    uint8_t clued_count; /* places that clues tell about, except those of trades */
    struct place clued[PLACES_MAX];
    uint8_t plain_count; /* places that may hold any dealt card */
    uint8_t *plain[PLACES_MAX];
    uint8_t trade_count;
    struct trade trades[SEATS_MAX];
    uint8_t free_count; /* places that may hold any card: in the dead hand, and slots whose card was
                           drawn unseen */
    /* weights[set] is the total weight when exactly the trades in `set` (bit i: trade i) gave a
     * card that a later trade is known to have taken. `most` is an upper bound for the weight of
     * all ways to link trades. */
    double weights[1U << SEATS_MAX];
    double most;
};

/* Fills a place whose card is known; otherwise lists it as a place to fill. */
static void drawing_add(struct drawing *drawing, uint8_t *place, uint64_t allowed)
{
    uint64_t pool = drawing->places.pool;
    if ((allowed & pool) == 0) {
        *place = bits_lowest(allowed);
    } else if (allowed == (pool & DEALT_CARDS)) {
        drawing->plain[drawing->plain_count++] = place;
    } else {
        drawing->clued[drawing->clued_count++] = (struct place){place, allowed, 0};
    }
}

static void drawing_read_hands(struct drawing *drawing)
{
    const struct hounds_known *known = drawing->known;
    for (uint8_t i = 0; i < drawing->view->seats * HOUNDS_SLOTS; i++) {
        uint8_t seat = i / HOUNDS_SLOTS;
        uint8_t slot = i % HOUNDS_SLOTS;
        uint8_t *place = &drawing->layout->rows[seat][slot];
        uint64_t allowed = drawing->places.slots[seat][slot];
        bool is_traded = known->trades[seat] == slot;
        if (allowed != 0 && (!is_traded || (allowed & drawing->places.pool) == 0)) {
            drawing_add(drawing, place, allowed);
        }
    }
    if (known->cerberus_seat != HOUNDS_SEAT_NONE) {
        drawing_add(drawing, &drawing->layout->discarded, drawing->places.discarded);
    }
}

static void drawing_read_trades(struct drawing *drawing)
{
    const struct hounds_known *known = drawing->known;
    for (uint8_t i = 0; i < drawing->view->seats; i++) {
        uint8_t seat = (uint8_t)((known->leader + i) % drawing->view->seats);
        uint8_t slot = known->trades[seat];
        if (slot < HOUNDS_SLOTS) {
            uint64_t there = drawing->places.slots[seat][slot];
            drawing->trades[drawing->trade_count++] = (struct trade){
                .given = hounds_dealt(drawing->view, known, seat, slot),
                .taken = &drawing->layout->rows[seat][slot],
                .is_known = (there & drawing->places.pool) == 0,
                .is_played = there == 0,
            };
        }
    }
}

/* The slots from which the seat played its cards, without Cerberus' slot. */
static uint8_t drawing_gaps(const struct drawing *drawing, uint8_t seat, uint8_t gaps[HOUNDS_SLOTS])
{
    const struct hounds_known *known = drawing->known;
    uint8_t count = 0;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        if (drawing->view->hands[seat][slot].is_empty &&
            (seat != known->cerberus_seat || slot != known->cerberus_slot)) {
            gaps[count++] = slot;
        }
    }
    return count;
}

/* The cards that the seat played, without Cerberus. */
static uint8_t drawing_played(const struct drawing *drawing, uint8_t seat,
                              uint8_t cards[HOUNDS_SLOTS])
{
    uint8_t count = 0;
    struct view_play play;
    for (uint8_t i = 0; sample_play(drawing->view, i, &play); i++) {
        if (play.seat == seat && play.card != HOUNDS_CERBERUS_CARD && count < HOUNDS_SLOTS) {
            cards[count++] = play.card;
        }
    }
    return count;
}

/* Lays the cards into the gaps in a random order; false when clues forbid that order. */
static bool drawing_fill_gaps(struct drawing *drawing, uint8_t seat, uint8_t count,
                              const uint8_t gaps[HOUNDS_SLOTS], uint8_t cards[HOUNDS_SLOTS])
{
    for (uint8_t i = 0; i < count; i++) {
        uint32_t other = i + quick_random_below(drawing->random, (uint32_t)count - i);
        uint8_t card = cards[other];
        bool is_traded = drawing->known->trades[seat] == gaps[i];
        if (!is_traded &&
            (hounds_dealt(drawing->view, drawing->known, seat, gaps[i]) >> card & 1) == 0) {
            return false;
        }
        cards[other] = cards[i];
        cards[i] = card;
        drawing->layout->rows[seat][gaps[i]] = card;
    }
    return true;
}

/* Lays the seat's played cards into its gaps, in a random order that its clues allow. */
static bool drawing_lay_played(struct drawing *drawing, uint8_t seat)
{
    uint8_t gaps[HOUNDS_SLOTS];
    uint8_t cards[HOUNDS_SLOTS];
    uint8_t count = drawing_played(drawing, seat, cards);
    bool is_laid = false;
    if (drawing_gaps(drawing, seat, gaps) != count) {
        return false;
    }
    for (unsigned attempt = 0; attempt < ATTEMPTS_OF_GAPS && !is_laid; attempt++) {
        is_laid = drawing_fill_gaps(drawing, seat, count, gaps, cards);
    }
    return is_laid;
}

/* If Cerberus has been played, its gap is the slot where it lay. */
static bool drawing_lay_cerberus(struct drawing *drawing)
{
    const struct hounds_known *known = drawing->known;
    struct view_play play;
    for (uint8_t i = 0; sample_play(drawing->view, i, &play); i++) {
        if (play.card != HOUNDS_CERBERUS_CARD) {
            continue;
        }
        if (play.seat != known->cerberus_seat ||
            !drawing->view->hands[play.seat][known->cerberus_slot].is_empty) {
            return false;
        }
        drawing->layout->rows[play.seat][known->cerberus_slot] = play.card;
    }
    return true;
}

/* An upper bound on how many of these cards are left once the first `before` places with clues have
 * been filled. */
static uint8_t drawing_bound(const struct drawing *drawing, uint64_t allowed, uint8_t before)
{
    int left = bits_count(allowed);
    int good = bits_count(drawing->places.pool & DEALT_CARDS) - before;
    for (uint8_t i = 0; i < before; i++) {
        left -= (drawing->clued[i].allowed & ~allowed) == 0;
    }
    left = left < good ? left : good;
    return (uint8_t)(left > 0 ? left : 0);
}

/* The number of ways to fill all places without clues, when `traded` places of trades have clues.
 */
static double drawing_ways_without_clues(const struct drawing *drawing, uint8_t traded)
{
    uint64_t pool = drawing->places.pool;
    int taken = drawing->clued_count + traded;
    int good = bits_count(pool & DEALT_CARDS) - taken;
    int rest = bits_count(pool) - taken - drawing->plain_count;
    double ways = good < drawing->plain_count || rest < 0 ? 0 : 1;
    for (int i = 0; i < drawing->plain_count; i++) {
        ways *= good - i;
    }
    for (int i = 2; i <= rest; i++) {
        ways *= i;
    }
    return ways;
}

/* Sorts places so that those that allow few cards come first, and computes the upper bound for
 * each: it is lower by one for every earlier place that can hold no other cards. */
static void drawing_order(struct drawing *drawing)
{
    for (uint8_t i = 0; i < drawing->clued_count; i++) {
        struct place place = drawing->clued[i];
        uint8_t at = i;
        for (; at > 0 && bits_count(drawing->clued[at - 1].allowed) > bits_count(place.allowed);
             at--) {
            drawing->clued[at] = drawing->clued[at - 1];
        }
        drawing->clued[at] = place;
    }
    for (uint8_t i = 0; i < drawing->clued_count; i++) {
        drawing->clued[i].most = drawing_bound(drawing, drawing->clued[i].allowed, i);
    }
    for (uint8_t i = 0; i < drawing->trade_count; i++) {
        struct trade *trade = &drawing->trades[i];
        trade->given &= DEALT_CARDS;
        trade->most =
            drawing_bound(drawing, trade->given & drawing->places.pool, drawing->clued_count);
    }
}

/* Lists the upper bounds for the cards given in trades, smallest first and never more than the
 * number of dealt cards left. Returns their product with the number of ways to fill all other
 * places. */
static double drawing_weigh(const struct drawing *drawing, uint8_t most[SEATS_MAX], uint8_t count)
{
    int good = bits_count(drawing->places.pool & DEALT_CARDS) - drawing->clued_count;
    double weight = drawing_ways_without_clues(drawing, count);
    for (uint8_t i = 1; i < count; i++) {
        uint8_t own = most[i];
        uint8_t at = i;
        for (; at > 0 && most[at - 1] > own; at--) {
            most[at] = most[at - 1];
        }
        most[at] = own;
    }
    for (uint8_t i = 0; i < count; i++) {
        weight *= most[i] < good - i ? most[i] : good - i;
    }
    return weight;
}

/* The weight of all trades except those in the set, whose given cards are known to have been
 * taken. */
static double drawing_weigh_without(const struct drawing *drawing, unsigned known)
{
    uint8_t most[SEATS_MAX];
    uint8_t count = 0;
    for (uint8_t i = 0; i < drawing->trade_count; i++) {
        if ((known >> i & 1) == 0) {
            most[count++] = drawing->trades[i].most;
        }
    }
    return drawing_weigh(drawing, most, count);
}

/* For each trade, the earlier trade whose given card it took; its own index when there is none. */
struct links {
    uint8_t count;
    uint8_t may[SEATS_MAX]; /* bit i: it may have taken the card that trade i gave */
    uint8_t from[SEATS_MAX];
    uint8_t taken; /* the trades whose given card was taken */
};

/* Links the trade `taker` to the next free trade, from `first` on, whose given card it may have
 * taken; to itself when there is none. */
static void links_set(struct links *links, uint8_t taker, uint8_t first)
{
    uint8_t giver = first;
    while (giver < taker && (links->may[taker] & ~links->taken & 1U << giver) == 0) {
        giver++;
    }
    links->from[taker] = giver;
    links->taken = (uint8_t)(links->taken | (giver < taker ? 1U << giver : 0));
}

/* Goes through all ways to link trades, starting with the most links. False after the last. */
static bool links_next(struct links *links)
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
    links_set(links, taker, (uint8_t)(giver + 1));
    for (uint8_t later = (uint8_t)(taker + 1); later < links->count; later++) {
        links_set(links, later, 0);
    }
    return true;
}

/* The number of draws that make these links, times their weight. */
static double drawing_links_weight(const struct drawing *drawing, const struct links *links)
{
    double draws = 1;
    unsigned known = 0;
    int left = drawing->layout->dead_count;
    for (uint8_t taker = 0; taker < links->count; taker++) {
        bool is_linked = links->from[taker] < taker;
        draws *= is_linked ? 1 : left--;
        known |= (unsigned)(is_linked && drawing->trades[taker].is_known) << links->from[taker];
    }
    return draws * drawing->weights[known];
}

/* Draws the links and returns the greatest possible weight. `is_sure`: a played card that was taken
 * in a trade is the one that lies in its gap; otherwise any trade may have given it. */
static double drawing_link(struct drawing *drawing, bool is_sure)
{
    struct links links = {.count = drawing->trade_count};
    double sum = 0;
    for (uint8_t taker = 0; taker < links.count; taker++) {
        const struct trade *trade = &drawing->trades[taker];
        bool is_open = !trade->is_known || (trade->is_played && !is_sure);
        for (uint8_t giver = 0; giver < taker; giver++) {
            unsigned may = is_open || (drawing->trades[giver].given >> *trade->taken & 1) != 0;
            links.may[taker] = (uint8_t)(links.may[taker] | may << giver);
        }
        links_set(&links, taker, 0);
    }
    do {
        double weight = drawing_links_weight(drawing, &links);
        sum += weight;
        if (weight <= 0 ||
            (double)(quick_random_next(drawing->random) >> 11) * 0x1p-53 * sum >= weight) {
            continue;
        }
        for (uint8_t taker = 0; taker < links.count; taker++) {
            drawing->trades[taker].keeper = taker;
            drawing->trades[links.from[taker]].keeper = taker;
        }
    } while (links_next(&links));
    return sum;
}

/* Reads everything that is the same in all attempts. */
static bool drawing_read(struct drawing *drawing)
{
    const struct game_view *view = drawing->view;
    if (!hounds_places_read(view, drawing->known, &drawing->places) ||
        !drawing_lay_cerberus(drawing)) {
        return false;
    }
    drawing_read_hands(drawing);
    drawing_read_trades(drawing);
    drawing->layout->dead_count = (uint8_t)(view->seats + HOUNDS_DEAD_MAX - SEATS_MAX);
    drawing->free_count = drawing->layout->dead_count;
    for (uint8_t i = 0; i < drawing->trade_count; i++) {
        drawing->free_count = (uint8_t)(drawing->free_count + !drawing->trades[i].is_known);
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!drawing_lay_played(drawing, seat)) {
            return false;
        }
    }
    drawing_order(drawing);
    for (unsigned known = 0; known < 1U << drawing->trade_count; known++) {
        drawing->weights[known] = drawing_weigh_without(drawing, known);
    }
    drawing->most = drawing_link(drawing, false);
    return bits_count(drawing->places.pool) ==
           drawing->clued_count + drawing->plain_count + drawing->free_count;
}

/* A place that holds a card given in a trade, sorted by its upper bound. */
static void drawing_add_given(struct place given[], uint8_t *count, struct place place)
{
    uint8_t at = (*count)++;
    for (; at > 0 && given[at - 1].most > place.most; at--) {
        given[at] = given[at - 1];
    }
    given[at] = place;
}

/* Lists the places of the cards given in trades, without those that a later trade is known to have
 * taken. */
static uint8_t drawing_list_given(struct drawing *drawing, struct place given[SEATS_MAX])
{
    uint8_t count = 0;
    uint8_t dead = 0;
    int good = bits_count(drawing->places.pool & DEALT_CARDS) - drawing->clued_count;
    for (uint8_t i = 0; i < drawing->trade_count; i++) {
        const struct trade *trade = &drawing->trades[i];
        const struct trade *keeper = &drawing->trades[trade->keeper];
        bool is_dead = keeper == trade;
        if (is_dead || !keeper->is_known) {
            uint8_t *card = is_dead ? &drawing->layout->dead[dead++] : keeper->taken;
            drawing_add_given(
                given, &count,
                (struct place){card, trade->given & drawing->places.pool, trade->most});
        }
    }
    for (uint8_t i = 0; i < count; i++) {
        given[i].most = (uint8_t)(given[i].most < good - i ? given[i].most : good - i);
    }
    return count;
}

/* A random card of the set. */
static uint8_t drawing_card(struct drawing *drawing, uint64_t cards)
{
    return bits_nth(cards, (uint8_t)quick_random_below(drawing->random, bits_count(cards)));
}

/* Gives each place with clues one of the cards left that it may hold. */
static bool drawing_fill(struct drawing *drawing, const struct place *places, uint8_t count,
                         uint64_t *left)
{
    for (uint8_t i = 0; i < count; i++) {
        uint64_t cards = places[i].allowed & *left;
        if (cards == 0 ||
            quick_random_below(drawing->random, places[i].most) >= bits_count(cards)) {
            return false;
        }
        *places[i].card = drawing_card(drawing, cards);
        *left &= ~BIT(*places[i].card);
    }
    return true;
}

/* Gives the remaining cards to the places without clues. */
static void drawing_deal_rest(struct drawing *drawing, uint64_t left)
{
    struct hounds_layout *layout = drawing->layout;
    for (uint8_t i = 0; i < drawing->plain_count; i++) {
        *drawing->plain[i] = drawing_card(drawing, left & DEALT_CARDS);
        left &= ~BIT(*drawing->plain[i]);
    }
    for (uint8_t i = 0; i < drawing->trade_count + layout->dead_count; i++) {
        bool is_dead = i >= drawing->trade_count;
        uint8_t *card =
            is_dead ? &layout->dead[i - drawing->trade_count] : drawing->trades[i].taken;
        if (*card == CARD_NONE) {
            *card = drawing_card(drawing, left);
            left &= ~BIT(*card);
        }
    }
}

/* Makes one attempt; false when it fails. */
static bool drawing_propose(struct drawing *drawing)
{
    struct place given[SEATS_MAX];
    uint64_t left = drawing->places.pool;
    memset(drawing->layout->dead, CARD_NONE, sizeof(drawing->layout->dead));
    for (uint8_t i = 0; i < drawing->trade_count; i++) {
        if (!drawing->trades[i].is_known) {
            *drawing->trades[i].taken = CARD_NONE;
        }
    }
    if ((double)(quick_random_next(drawing->random) >> 11) * 0x1p-53 * drawing->most >=
        drawing_link(drawing, true)) {
        return false;
    }
    uint8_t count = drawing_list_given(drawing, given);
    if (!drawing_fill(drawing, drawing->clued, drawing->clued_count, &left) ||
        !drawing_fill(drawing, given, count, &left)) {
        return false;
    }
    drawing_deal_rest(drawing, left);
    return true;
}

/* Fills all unknown places at once, ignoring what was given in trades. */
static bool drawing_fill_ignoring_trades(struct drawing *drawing)
{
    struct card_set bans[HIDDEN_SETS_MAX] = {0};
    uint8_t *places[HOUNDS_CARDS];
    uint8_t groups[HOUNDS_CARDS];
    uint8_t cards[HOUNDS_CARDS];
    uint64_t pool = drawing->places.pool;
    uint8_t count = 0;
    for (uint8_t i = 0; i < drawing->clued_count; i++) {
        bans[i + 2].bits[0] = pool & ~drawing->clued[i].allowed;
        groups[count] = (uint8_t)(i + 2);
        places[count++] = drawing->clued[i].card;
    }
    bans[1].bits[0] = pool & ~DEALT_CARDS;
    for (uint8_t i = 0; i < drawing->plain_count; i++) {
        groups[count] = 1;
        places[count++] = drawing->plain[i];
    }
    for (uint8_t i = 0; i < drawing->trade_count; i++) {
        if (!drawing->trades[i].is_known) {
            groups[count] = 0;
            places[count++] = drawing->trades[i].taken;
        }
    }
    for (uint8_t i = 0; i < drawing->layout->dead_count; i++) {
        groups[count] = 0;
        places[count++] = &drawing->layout->dead[i];
    }
    for (uint8_t i = 0; i < count; i++, pool &= pool - 1) {
        cards[i] = bits_lowest(pool);
    }
    if (!hidden_shuffle_sets(cards, groups, count, bans, (uint8_t)(drawing->clued_count + 2),
                             drawing->random)) {
        return false;
    }
    for (uint8_t i = 0; i < count; i++) {
        *places[i] = cards[i];
    }
    return true;
}

/* When a hand's cards depend on random draws, its played cards are part of the attempt. */
static bool drawing_lay_again(struct drawing *drawing)
{
    bool is_laid = true;
    for (uint8_t seat = 0; seat < drawing->view->seats && is_laid; seat++) {
        uint8_t slot = drawing->known->trades[seat];
        if (slot < HOUNDS_SLOTS && drawing->view->hands[seat][slot].is_empty) {
            is_laid = drawing_lay_played(drawing, seat);
        }
    }
    return is_laid;
}

bool hounds_layout_draw(struct hounds_layout *layout, const struct game_view *view,
                        const struct hounds_known *known, struct quick_random *random)
{
    struct drawing drawing = {.view = view, .known = known, .random = random, .layout = layout};
    if (!drawing_read(&drawing)) {
        return false;
    }
    if (view->seat == SPECTATOR) {
        return drawing_fill_ignoring_trades(&drawing);
    }
    for (unsigned attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        if (attempt > 0 && !drawing_lay_again(&drawing)) {
            return false;
        }
        if (drawing_propose(&drawing)) {
            return true;
        }
        if (attempt == ATTEMPTS_UNCHECKED && !drawing_fill_ignoring_trades(&drawing)) {
            return false;
        }
    }
    return drawing_fill_ignoring_trades(&drawing);
}
