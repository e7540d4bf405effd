#include "games/claim.h"

#include "games/card.h"
#include "games/hidden.h"

#include <assert.h>
#include <string.h>

static uint8_t claim_group_of(const struct deck_def *deck, uint8_t card);

/* how often the search for located cards goes over all hands; random games need up to 5 */
#define PASSES_MAX 16

static uint8_t set_count(const struct card_set *set)
{
    return (uint8_t)(bits_count(set->bits[0]) + bits_count(set->bits[1]));
}

static uint8_t set_count_group(const struct deck_def *deck, const struct card_set *set,
                               uint8_t group)
{
    uint8_t count = 0;
    for (uint8_t card = 0; card < card_count(deck); card++) {
        count = (uint8_t)(count + (card_set_has(set, card) && claim_group_of(deck, card) == group));
    }
    return count;
}

/* The card's suit, or the deck's number of suits for a card without one. */
static uint8_t claim_group_of(const struct deck_def *deck, uint8_t card)
{
    uint8_t suit = card_suit(deck, card);
    return suit == SUIT_NONE ? deck->suit_count : suit;
}

/* Reads the cards of a hand that the claimant sees. In a hand that lies on the table, cards that
 * lie face down need not follow suit. */
static void read_hand(const struct game_view *view, uint8_t seat, bool is_open,
                      struct claim_hands *hands)
{
    struct claim_hand *hand = &hands->of[seat];
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        hand->count = (uint8_t)(hand->count + !slot->is_empty);
        hand->is_free = hand->is_free || (is_open && !slot->is_empty && slot->card == CARD_NONE);
        if (!slot->is_empty && slot->card != CARD_NONE) {
            card_set_add(&hand->known, slot->card);
            card_set_remove(&hands->unseen, slot->card);
        }
    }
    hand->bans = is_open ? 0 : hand->bans;
}

/* Adds the unseen cards of the suits that are not ruled out in this hand. */
static void add_unseen_cards(const struct claim_hands *hands, struct claim_hand *hand)
{
    for (uint8_t card = 0; card < card_count(hands->deck); card++) {
        uint8_t group = claim_group_of(hands->deck, card);
        if (card_set_has(&hands->unseen, card) && (hand->bans >> group & 1) == 0) {
            card_set_add(&hand->may, card);
        }
    }
}

static void find_possible_cards(struct claim_hands *hands)
{
    uint8_t unknown = 0;
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        struct claim_hand *hand = &hands->of[seat];
        hand->may = hand->known;
        unknown = (uint8_t)(unknown + hand->count - set_count(&hand->known));
        add_unseen_cards(hands, hand);
    }
    hands->rest = (uint8_t)(set_count(&hands->unseen) - unknown);
}

/* A hand whose cards are all known holds no others, and a hand that can hold no other cards holds
 * these. Returns whether that is news. */
static bool complete_hand(struct claim_hand *hand)
{
    uint8_t known = set_count(&hand->known);
    uint8_t may = set_count(&hand->may);
    if (known == may) {
        return false;
    }
    if (known == hand->count) {
        hand->may = hand->known;
    } else if (may == hand->count) {
        hand->known = hand->may;
    }
    return known == hand->count || may == hand->count;
}

/* When a card is known to be in a hand, it is in no other. When only one hand can hold a card that
 * somebody must hold, it is there. Returns whether that is news. */
static bool locate_card(struct claim_hands *hands, uint8_t card)
{
    uint8_t holders = 0;
    uint8_t owner = SEATS_MAX;
    uint8_t last = SEATS_MAX;
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        bool may = card_set_has(&hands->of[seat].may, card);
        holders = (uint8_t)(holders + may);
        last = may ? seat : last;
        owner = card_set_has(&hands->of[seat].known, card) ? seat : owner;
    }
    if (owner == SEATS_MAX && holders == 1 && hands->rest == 0) {
        card_set_add(&hands->of[last].known, card);
        return true;
    }
    if (owner == SEATS_MAX || holders == 1) {
        return false;
    }
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        if (seat != owner) {
            card_set_remove(&hands->of[seat].may, card);
        }
    }
    return true;
}

/* Draws conclusions from each other. Stopping early only leaves more cards possible. */
static void locate_cards(struct claim_hands *hands)
{
    bool is_news = true;
    for (unsigned pass = 0; pass < PASSES_MAX && is_news; pass++) {
        is_news = false;
        for (uint8_t seat = 0; seat < hands->seats; seat++) {
            is_news = complete_hand(&hands->of[seat]) || is_news;
        }
        for (uint8_t card = 0; card < card_count(hands->deck); card++) {
            is_news = (card_set_has(&hands->unseen, card) && locate_card(hands, card)) || is_news;
        }
    }
}

static void bound_suit_of_hand(const struct deck_def *deck, struct claim_hand *hand, uint8_t group)
{
    uint8_t may = set_count_group(deck, &hand->may, group);
    uint8_t known = set_count_group(deck, &hand->known, group);
    uint8_t room = (uint8_t)(hand->count - (set_count(&hand->known) - known));
    uint8_t others = (uint8_t)(set_count(&hand->may) - may);
    uint8_t left = (uint8_t)(hand->count > others ? hand->count - others : 0);
    hand->most[group] = may < room ? may : room;
    hand->fewest[group] = known > left ? known : left;
    hand->highest[group] = CARD_NONE;
    for (uint8_t card = 0; card < card_count(deck); card++) {
        if (card_set_has(&hand->may, card) && claim_group_of(deck, card) == group) {
            hand->highest[group] = card;
        }
    }
}

/* The cards of a suit for which the other hands and the rest have no room are in this hand. */
static void raise_fewest_of_suit(struct claim_hands *hands, uint8_t group)
{
    int cards = set_count_group(hands->deck, &hands->unseen, group) - hands->rest;
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        const struct claim_hand *hand = &hands->of[seat];
        uint8_t seen = 0;
        for (uint8_t card = 0; card < card_count(hands->deck); card++) {
            bool is_seen = card_set_has(&hand->known, card) && !card_set_has(&hands->unseen, card);
            seen = (uint8_t)(seen + (is_seen && claim_group_of(hands->deck, card) == group));
        }
        cards += seen - hand->most[group];
    }
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        struct claim_hand *hand = &hands->of[seat];
        int fewest = cards + hand->most[group];
        hand->fewest[group] =
            (uint8_t)(fewest > hand->fewest[group] ? fewest : hand->fewest[group]);
    }
}

/* Reads the hands from the claimant's view. */
static void claim_hands_read(const struct game_view *view, const struct claim_facts *facts,
                             struct claim_hands *hands)
{
    memset(hands, 0, sizeof(*hands));
    hands->deck = view->game->deck;
    hands->seats = view->seats;
    hands->claimant = (uint8_t)view->seat;
    hands->unseen = facts->cards;
    struct sample_pool voids = {.deck = view->game->deck};
    struct view_play play;
    sample_record_void_suits(view, &voids);
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        card_set_remove(&hands->unseen, play.card);
    }
    for (uint8_t i = 0; i < view->trick.count; i++) {
        hands->of[view->trick.plays[i].seat].has_played = true;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        hands->of[seat].bans = voids.bans[seat];
        read_hand(view, seat, (facts->open_seats >> seat & 1) != 0, hands);
    }
    hands->own = hands->of[hands->claimant].known;
    memset(&hands->of[hands->claimant], 0, sizeof(hands->of[0]));
    find_possible_cards(hands);
    locate_cards(hands);
    for (uint8_t group = 0; group <= hands->deck->suit_count; group++) {
        for (uint8_t seat = 0; seat < view->seats; seat++) {
            bound_suit_of_hand(hands->deck, &hands->of[seat], group);
        }
        raise_fewest_of_suit(hands, group);
    }
}

/*
 * A claimant who wins every trick leads to all but perhaps the first. So the claimant's cards alone
 * decide what is led, and the proof looks at each of the other seats alone: a card wins its trick
 * when no other seat may beat it. Two facts decide this. A seat that holds n cards of a suit
 * can keep at most one of them through n - 1 leads of this suit, and it can play a trump only when
 * it has none of the suit led.
 *
 * Of each suit the highest cards are led first: leading a lower card first would only make it
 * easier to beat, and changes nothing for the other suits. So the search only chooses suits, and
 * its states are the numbers of cards led of each suit.
 */

#define NOT_REACHED 0xFF

struct search {
    const struct claim_hands *hands;
    uint8_t trump;
    uint8_t groups;                             /* the suits, and cards without a suit */
    uint8_t now;                                /* the card played to the current trick;
                                                   CARD_NONE when the claimant leads */
    uint8_t led;                                /* the suit led in the current trick; SUIT_NONE
                                                   when the claimant leads */
    uint8_t counts[CLAIM_GROUPS_MAX];           /* the cards to be led, by suit */
    uint8_t cards[CLAIM_GROUPS_MAX][SLOTS_MAX]; /* these cards, the highest first */
    uint16_t weights[CLAIM_GROUPS_MAX];         /* a state is the sum of weight times number of
                                                   cards led, over all suits */
    uint16_t states;
    uint8_t reached_by[CLAIM_STATES_MAX]; /* the suit led to reach a state */
};

static uint8_t number_led(const struct search *search, uint16_t state, uint8_t group)
{
    return (uint8_t)(state / search->weights[group] % (search->counts[group] + 1U));
}

/* How often a seat has had to follow to this suit before a trick of the claimant's lead. */
static uint8_t number_followed(const struct search *search, const struct claim_hand *hand,
                               uint16_t state, uint8_t group)
{
    bool is_led_now = search->led == group && !hand->has_played;
    return (uint8_t)(number_led(search, state, group) + is_led_now);
}

/* The number of tricks that a seat has played to from now on, before the trick. */
static uint8_t number_played(const struct search *search, const struct claim_hand *hand,
                             uint16_t state)
{
    uint8_t played = search->now != CARD_NONE && !hand->has_played;
    for (uint8_t group = 0; group < search->groups; group++) {
        played = (uint8_t)(played + number_led(search, state, group));
    }
    return played;
}

/* Whether the seat may still hold a card of the suit after it has been led `times` times. Cards
 * without a suit can be played instead of following. */
static bool may_have_kept(const struct search *search, const struct claim_hand *hand, uint8_t group,
                          uint8_t times)
{
    uint8_t others = hand->most[search->hands->deck->suit_count];
    return hand->most[group] + (hand->most[group] > 0 ? others : 0) > times;
}

/* Whether the seat may beat the card when the claimant leads it in this state. */
static bool may_beat_lead(const struct search *search, const struct claim_hand *hand,
                          uint16_t state, uint8_t card)
{
    const struct deck_def *deck = search->hands->deck;
    uint8_t suit = claim_group_of(deck, card);
    uint8_t trump = search->trump;
    if (suit == deck->suit_count || hand->count == 0) {
        return false;
    }
    bool has_higher = hand->highest[suit] != CARD_NONE && hand->highest[suit] > card;
    bool has_trump = trump != SUIT_NONE && suit != trump && hand->most[trump] > 0;
    if (hand->is_free) {
        return has_higher || has_trump;
    }
    if (has_higher &&
        may_have_kept(search, hand, suit, number_followed(search, hand, state, suit))) {
        return true;
    }
    if (!has_trump) {
        return false;
    }
    /* a seat that has kept a trump has followed to every lead of trumps, so it could play cards of
     * another suit only in the other tricks */
    uint8_t trumps = number_followed(search, hand, state, trump);
    return may_have_kept(search, hand, trump, trumps) &&
           hand->fewest[suit] + trumps <= number_played(search, hand, state);
}

/* Whether the seat may beat the card that the claimant plays to the current trick, to which
 * another seat led. */
static bool may_beat_now(const struct search *search, const struct claim_hand *hand, uint8_t card)
{
    uint8_t suit = claim_group_of(search->hands->deck, card);
    uint8_t trump = search->trump;
    bool has_higher = hand->highest[suit] != CARD_NONE && hand->highest[suit] > card;
    bool may_trump = hand->is_free || hand->fewest[search->led] == 0;
    if (hand->has_played || hand->count == 0) {
        return false;
    }
    if (suit == search->led) {
        bool has_trump = trump != SUIT_NONE && trump != suit && hand->most[trump] > 0;
        return has_higher || (has_trump && may_trump);
    }
    return has_higher && may_trump; /* the claimant trumps */
}

/* Whether the card wins the current trick, to which another seat led, against the cards that lie in
 * it and against those still to come. */
static bool card_wins_now(const struct search *search, const struct view_trick *trick, uint8_t card)
{
    const struct deck_def *deck = search->hands->deck;
    uint8_t suit = card_suit(deck, card);
    if (suit == SUIT_NONE || (suit != search->led && suit != search->trump)) {
        return false;
    }
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t other = trick->plays[i].card;
        uint8_t other_suit = card_suit(deck, other);
        bool is_trumped = other_suit == search->trump && suit != search->trump;
        if (is_trumped || (other_suit == suit && other > card)) {
            return false;
        }
    }
    for (uint8_t seat = 0; seat < search->hands->seats; seat++) {
        if (may_beat_now(search, &search->hands->of[seat], card)) {
            return false;
        }
    }
    return true;
}

/* Sorts the cards that remain after the current play by suit, and numbers the states. Returns false
 * when there are too many states. */
static bool prepare_states(struct search *search)
{
    const struct claim_hands *hands = search->hands;
    uint32_t states = 1;
    memset(search->counts, 0, sizeof(search->counts));
    memset(search->cards, CARD_NONE, sizeof(search->cards));
    for (uint8_t card = card_count(hands->deck); card-- > 0;) {
        uint8_t group = claim_group_of(hands->deck, card);
        if (card_set_has(&hands->own, card) && card != search->now) {
            search->cards[group][search->counts[group]++] = card;
        }
    }
    for (uint8_t group = 0; group < search->groups; group++) {
        search->weights[group] = (uint16_t)states;
        states *= search->counts[group] + 1U;
        if (states > CLAIM_STATES_MAX) {
            return false;
        }
    }
    search->states = (uint16_t)states;
    memset(search->reached_by, NOT_REACHED, states);
    return true;
}

/* Marks the states that are reached when a card that nobody may beat is led in this state. */
static void lead_from_state(struct search *search, uint16_t state)
{
    for (uint8_t group = 0; group < search->groups; group++) {
        uint8_t led = number_led(search, state, group);
        bool is_winning = led < search->counts[group];
        for (uint8_t seat = 0; seat < search->hands->seats && is_winning; seat++) {
            is_winning =
                !may_beat_lead(search, &search->hands->of[seat], state, search->cards[group][led]);
        }
        if (is_winning) {
            search->reached_by[state + search->weights[group]] = group;
        }
    }
}

/* Tries to lead all remaining cards. Each lead makes the number of the state larger, so one pass
 * visits every state after those that lead to it. */
static bool run_search(struct search *search)
{
    if (!prepare_states(search)) {
        return false;
    }
    search->reached_by[0] = 0;
    for (uint16_t state = 0; state + 1U < search->states; state++) {
        if (search->reached_by[state] != NOT_REACHED) {
            lead_from_state(search, state);
        }
    }
    return search->reached_by[search->states - 1] != NOT_REACHED;
}

/* Reads the order of the cards from the states that the search has reached. */
static void fill_proof(const struct search *search, struct claim_proof *proof)
{
    uint8_t at = search->now != CARD_NONE;
    proof->cards[0] = search->now;
    for (uint8_t group = 0; group < search->groups; group++) {
        at = (uint8_t)(at + search->counts[group]);
    }
    proof->count = at;
    for (uint16_t state = (uint16_t)(search->states - 1); state > 0;) {
        uint8_t group = search->reached_by[state];
        state = (uint16_t)(state - search->weights[group]);
        proof->cards[--at] = search->cards[group][number_led(search, state, group)];
    }
}

static const char not_certain[] =
    N_("That is not certain from what you can see: somebody may hold a card that takes a trick. "
       "Play on, and claim when nobody can.");

const char *claim_prove(const struct game_view *view, const struct game_config *config,
                        struct claim_proof *proof)
{
    struct claim_facts facts = {.trump = SUIT_NONE};
    struct claim_hands hands;
    struct search search;
    assert(view_viewer_may_move(view));
    /* a view that a screen has read may be invalid */
    if (!sample_view_is_well_formed(view) || game_config_check(view->game, config) != GAME_OK ||
        view->seats != game_seats(view->game, config)) {
        return not_certain;
    }
    if (view->game->claim == NULL) {
        return N_("In this game nobody can claim tricks: players do not know their own cards.");
    }
    const char *objection = view->game->claim(view, config, &facts);
    if (objection != NULL) {
        return objection; /* cppcheck-suppress returnDanglingLifetime ; it is a constant text */
    }
    claim_hands_read(view, &facts, &hands);
    search.hands = &hands;
    search.trump = facts.trump;
    search.groups = (uint8_t)(view->game->deck->suit_count + 1);
    search.now = CARD_NONE;
    search.led = SUIT_NONE;
    bool is_proven = false;
    if (view->trick.count == 0) {
        is_proven = run_search(&search);
    } else {
        search.led = card_suit(view->game->deck, view->trick.plays[0].card);
    }
    for (uint8_t card = move_set_next(&view->legal, 0);
         !is_proven && search.led != SUIT_NONE && card != MOVE_NONE;
         card = move_set_next(&view->legal, card + 1U)) {
        search.now = card;
        is_proven = card_wins_now(&search, &view->trick, card) && run_search(&search);
    }
    if (!is_proven) {
        return not_certain;
    }
    fill_proof(&search, proof);
    return NULL;
}
