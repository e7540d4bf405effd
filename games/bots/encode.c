#include "games/bots/bots.h"

#include "games/card.h"

#include <assert.h>
#include <string.h>

#define NO_INPUT UINT16_MAX /* all inputs of a group are off */

/* How many numbers of each kind are told apart. */
#define RANKED_CARDS 4 /* of a suit: the highest own cards */
#define HIGHER_CARDS 5 /* unseen cards that are higher */
#define OWN_CARDS 10   /* of a suit */
#define HIDDEN_CARDS 15
#define WON_CARDS 12
#define NEED_LEAST (-3) /* tricks that are missing for the bid */
#define NEED_MOST 10
#define LEAD_STEPS 9 /* of the difference of two totals */
#define TOTAL_MOST 20
#define ROUNDS_LEFT 8

static unsigned count_copies(const struct deck_def *deck)
{
    return deck->copies > 1 ? deck->copies : 1;
}

static unsigned count_seats(const struct game_def *game)
{
    return game->seats_max > game->seats_filled ? game->seats_max : game->seats_filled;
}

/* Turns one of the inputs on that the next group adds. */
static void turn_on(struct encoding *out, unsigned input)
{
    out->active[out->count++] = (uint16_t)(out->inputs + input);
}

void encode_add_number(struct encoding *out, int number, int low, int high)
{
    number = number < low ? low : number > high ? high : number;
    encode_add(out, (unsigned)(number - low), (unsigned)(high - low + 1));
}

/* If several special cards are in a deck, one belongs to each seat. */
uint8_t encode_card(const struct encoding *encoding, uint8_t card)
{
    const struct deck_def *deck = encoding->game->deck;
    uint8_t number = card_number_without_copy(deck, card);
    uint8_t suit = number / deck->value_count;
    uint8_t special = (uint8_t)(number - deck->suit_count * deck->value_count);
    if (suit < deck->suit_count) {
        return (uint8_t)(encoding->place[suit] * deck->value_count + number % deck->value_count);
    }
    return special < encoding->table->seats && deck->special_count > 1
               ? (uint8_t)(number - special + encoding->distance[special])
               : number;
}

/* The cards of the set whose numbers are `first` and the following ones: bit 0 for the first. */
static uint64_t encode_slice(struct card_set set, unsigned first, unsigned count)
{
    uint64_t cards = set.bits[first / 64] >> first % 64;
    if (first % 64 > 0 && first % 64 + count > 64) {
        cards |= set.bits[1] << (64 - first % 64);
    }
    return cards & ((UINT64_C(1) << count) - 1);
}

static struct card_set join(struct card_set one, struct card_set other)
{
    return (struct card_set){{one.bits[0] | other.bits[0], one.bits[1] | other.bits[1]}};
}

static uint8_t suit_of(const struct encoding *out, uint8_t card)
{
    const struct deck_def *deck = out->game->deck;
    return card_suit(deck, card_number_without_copy(deck, card));
}

void encode_add_card(struct encoding *out, uint8_t card)
{
    encode_add(out, card == CARD_NONE ? NO_INPUT : encode_card(out, card),
               card_count(out->game->deck));
}

/* Turns on the inputs of some cards that begin with this one; of each card, those of the first
 * copies, whichever they are. */
static void turn_on_cards(struct encoding *out, struct card_set set, unsigned first, unsigned count,
                          unsigned input)
{
    unsigned cards = card_count(out->game->deck);
    uint64_t one = encode_slice(set, first, count);
    uint64_t other = out->game->deck->copies > 1 ? encode_slice(set, first + cards, count) : 0;
    for (uint64_t any = one | other; any != 0; any &= any - 1) {
        turn_on(out, input + bits_index_of_lowest(any));
    }
    for (uint64_t both = one & other; both != 0; both &= both - 1) {
        turn_on(out, cards + input + bits_index_of_lowest(both));
    }
}

void encode_add_cards(struct encoding *out, struct card_set set)
{
    const struct deck_def *deck = out->game->deck;
    unsigned suited = (unsigned)(deck->suit_count * deck->value_count);
    bool is_empty = (set.bits[0] | set.bits[1]) == 0;
    for (uint8_t suit = 0; suit < deck->suit_count && !is_empty; suit++) {
        turn_on_cards(out, set, (unsigned)(suit * deck->value_count), deck->value_count,
                      (unsigned)(out->place[suit] * deck->value_count));
    }
    for (uint8_t i = 0; i < deck->special_count && !is_empty; i++) {
        if (encode_slice(set, suited + i, 1) != 0) {
            turn_on(out, encode_card(out, (uint8_t)(suited + i)));
        }
    }
    encode_add(out, NO_INPUT, card_count(deck) * count_copies(deck));
}

void encode_add_seat(struct encoding *out, uint8_t seat)
{
    encode_add(out, seat < out->table->seats ? out->distance[seat] : NO_INPUT,
               count_seats(out->game));
}

/* Adds inputs for `count` numbers, number i of them at place places[i] of `places_max`. */
static void add_by_place(struct encoding *out, const uint8_t *numbers, const uint8_t *places,
                         unsigned count, unsigned most, unsigned places_max)
{
    for (unsigned i = 0; i < count; i++) {
        if (numbers[i] != 0) {
            turn_on(out, places[i] * most + (numbers[i] < most ? numbers[i] : most) - 1);
        }
    }
    encode_add(out, NO_INPUT, places_max * most);
}

void encode_add_by_seat(struct encoding *out, const uint8_t numbers[SEATS_MAX], unsigned most)
{
    add_by_place(out, numbers, out->distance, out->table->seats, most, count_seats(out->game));
}

void encode_add_by_suit(struct encoding *out, const uint8_t numbers[FACE_SUITS_MAX], unsigned most)
{
    uint8_t suits = out->game->deck->suit_count;
    add_by_place(out, numbers, out->place, suits, most, suits);
}

/* The cards that a seat sees in a hand. */
static struct card_set find_visible_cards(const struct table_state *table, uint8_t viewer,
                                          uint8_t owner)
{
    struct card_set set = {{0}};
    for (uint8_t slot = 0; slot < table->slot_count; slot++) {
        uint8_t card = table->slots[owner][slot];
        if ((table->sight[owner][slot] >> viewer & 1) != 0 &&
            table_seat_holds(table, owner, card)) {
            card_set_add(&set, card);
        }
    }
    return set;
}

/* What the cards played in the round tell, by seat; nothing for SEATS_MAX, a seat that is not
 * there. */
struct played {
    struct card_set cards[SEATS_MAX + 1];
    struct card_set trick;                    /* the current one */
    uint8_t voids[SEATS_MAX][FACE_SUITS_MAX]; /* 1: the seat has not followed the suit */
};

/* Notes a card that a seat has played in trick number `trick`, in which a card of suit `led` was
 * led. */
static void note_play(struct encoding *out, struct played *played, uint8_t trick, uint8_t seat,
                      uint8_t card, uint8_t led)
{
    const struct table_state *table = out->table;
    uint8_t suit = suit_of(out, card);
    card_set_add(&played->cards[seat], card);
    if (suit != led && suit != SUIT_NONE && led != SUIT_NONE) {
        played->voids[seat][led] = 1;
    }
    if (trick == table->past_count) {
        card_set_add(&played->trick, card);
    } else if (suit != SUIT_NONE) {
        out->won[table->leads[trick + 1]][suit]++;
    }
}

static void read_plays(struct encoding *out, struct played *played)
{
    const struct table_state *table = out->table;
    uint8_t play = 0;
    *played = (struct played){0};
    memset(out->won, 0, sizeof(out->won));
    for (uint8_t trick = 0; play < table->play_count; trick++) {
        uint8_t led = suit_of(out, table->plays[play]);
        uint8_t seat = table->leads[trick];
        uint8_t count = trick == table->past_count ? table->trick_count : table->seats;
        for (uint8_t i = 0; i < count; i++, seat = table->next[seat]) {
            note_play(out, played, trick, seat, table->plays[play++], led);
        }
    }
}

/* Counts the cards of each suit. */
static void count_suits(const struct encoding *out, struct card_set set,
                        uint8_t counts[FACE_SUITS_MAX])
{
    const struct deck_def *deck = out->game->deck;
    unsigned cards = card_count(deck);
    for (unsigned suit = 0; suit < FACE_SUITS_MAX; suit++) {
        unsigned first = suit * deck->value_count;
        counts[suit] = 0;
        for (unsigned copy = 0; suit < deck->suit_count && copy < count_copies(deck); copy++) {
            uint64_t found = encode_slice(set, copy * cards + first, deck->value_count);
            counts[suit] = (uint8_t)(counts[suit] + bits_count(found));
        }
    }
}

/* Puts the suits in their canonical order: by role, then by the number of own cards. */
static void sort_suits(struct encoding *out)
{
    uint8_t suits = out->game->deck->suit_count;
    uint8_t counts[FACE_SUITS_MAX];
    count_suits(out, out->own, counts);
    for (uint8_t suit = 0; suit < suits; suit++) {
        out->place[suit] = 0;
        for (uint8_t other = 0; other < suits; other++) {
            int later = out->roles[suit] - out->roles[other];
            later = later != 0 ? later : counts[other] - counts[suit];
            later = later != 0 ? later : suit - other;
            out->place[suit] = (uint8_t)(out->place[suit] + (later > 0));
        }
        out->suits[out->place[suit]] = suit;
    }
}

/* For games in which players must follow suit: how many unseen cards are higher than each of the
 * highest own cards of a suit, how many cards of each suit are own ones and unseen ones, and who
 * has not followed. */
static void add_suits(struct encoding *out, const struct played *played)
{
    const struct deck_def *deck = out->game->deck;
    uint8_t own_counts[FACE_SUITS_MAX];
    uint8_t hidden_counts[FACE_SUITS_MAX];
    uint8_t higher[RANKED_CARDS][FACE_SUITS_MAX] = {{0}};
    for (uint8_t suit = 0; suit < deck->suit_count; suit++) {
        unsigned first = (unsigned)(suit * deck->value_count);
        uint64_t own = encode_slice(out->own, first, deck->value_count);
        uint64_t hidden = encode_slice(out->cards, first, deck->value_count) &
                          ~encode_slice(out->seen, first, deck->value_count);
        own_counts[suit] = bits_count(own);
        hidden_counts[suit] = bits_count(hidden);
        for (uint8_t i = 0; i < RANKED_CARDS && own != 0; i++) {
            uint8_t top = (uint8_t)(63 - __builtin_clzll(own));
            higher[i][suit] = (uint8_t)(bits_count(hidden >> top) + 1);
            own ^= UINT64_C(1) << top;
        }
    }
    for (uint8_t i = 0; i < RANKED_CARDS; i++) {
        encode_add_by_suit(out, higher[i], HIGHER_CARDS + 1);
    }
    encode_add_by_suit(out, own_counts, OWN_CARDS);
    encode_add_by_suit(out, hidden_counts, HIDDEN_CARDS);
    for (uint8_t place = 0; place < deck->suit_count; place++) {
        uint8_t voids[SEATS_MAX];
        for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
            voids[seat] = played->voids[seat][out->suits[place]];
        }
        encode_add_by_seat(out, voids, 1);
    }
}

/* The cards that each seat has played, those that the seat sees in the others' hands, and those in
 * the tricks that each has taken. */
static void add_cards_by_seat(struct encoding *out, const struct played *played)
{
    uint8_t groups = out->game->encode->groups;
    for (unsigned distance = 0; distance < count_seats(out->game); distance++) {
        uint8_t seat = distance < out->table->seats ? out->seats[distance] : SEATS_MAX;
        encode_add_cards(out, played->cards[seat]);
        if ((groups & ENCODE_OTHERS) != 0 && distance > 0) {
            encode_add_cards(out, out->visible[seat]);
        }
        if ((groups & ENCODE_WON) != 0) {
            encode_add_by_suit(out, out->won[seat], WON_CARDS);
        }
    }
}

/* Who has not followed each suit, and who plays after the seat in this trick. */
static void note_others(struct encoding *out, const struct played *played)
{
    uint8_t count = out->table->trick_count;
    out->later = 0;
    memset(out->voids, 0, sizeof(out->voids));
    for (uint8_t distance = 1; distance < out->table->seats; distance++) {
        uint8_t seat = out->seats[distance];
        for (uint8_t suit = 0; suit < FACE_SUITS_MAX; suit++) {
            out->voids[suit] = (uint8_t)(out->voids[suit] | played->voids[seat][suit] << seat);
        }
        if (distance + count < out->table->seats) {
            out->later = (uint8_t)(out->later | 1U << seat);
        }
    }
}

static void add_trick(struct encoding *out, const struct played *played)
{
    const struct table_state *table = out->table;
    bool is_open = table->trick_count > 0;
    uint8_t led = is_open ? suit_of(out, table->led_card) : SUIT_NONE;
    encode_add_cards(out, played->trick);
    encode_add_card(out, is_open ? table->best_card : CARD_NONE);
    encode_add_seat(out, is_open ? table->best_seat : UINT8_MAX);
    encode_add(out, led == SUIT_NONE ? NO_INPUT : out->place[led], out->game->deck->suit_count);
    encode_add(out, table->trick_count, count_seats(out->game));
}

/* Tricks taken, bids, and the tricks that are missing for them. */
static void add_bids(struct encoding *out)
{
    const struct table_state *table = out->table;
    uint8_t bids[SEATS_MAX] = {0};
    uint8_t needs[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        int need = table->bids[seat] - table->tricks[seat];
        need = need < NEED_LEAST ? NEED_LEAST : need;
        bids[seat] = (uint8_t)(table->bids[seat] - BID_NONE);
        needs[seat] = (uint8_t)(bids[seat] == 0 ? 0 : need - NEED_LEAST + 1);
    }
    encode_add_by_seat(out, table->tricks, ENCODE_TRICK_NUMBERS - 1);
    if ((out->game->encode->groups & ENCODE_BIDS) != 0) {
        encode_add_by_seat(out, bids, ENCODE_TRICK_NUMBERS);
        encode_add_by_seat(out, needs, NEED_MOST - NEED_LEAST + 1);
    }
}

/* The step of a difference of totals, from 1: small ones are told apart, large ones roughly. */
static uint8_t step_of_lead(int lead)
{
    static const uint8_t bounds[LEAD_STEPS - 1] = {1, 2, 3, 5, 8, 13, 21, 36};
    int size = lead < 0 ? -lead : lead;
    int step = 0;
    while (step < LEAD_STEPS - 1 && size >= bounds[step]) {
        step++;
    }
    return (uint8_t)(LEAD_STEPS + (lead < 0 ? -step : step));
}

/* The totals, and how long the round and the game still are. */
static void add_standing(struct encoding *out)
{
    const struct table_state *table = out->table;
    int own = table->scores[out->me];
    int left = table->rounds == 0 ? ROUNDS_LEFT + 1 : table->rounds - table->round;
    uint8_t leads[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < table->players; seat++) {
        leads[seat] = seat == out->me ? 0 : step_of_lead(own - table->scores[seat]);
    }
    encode_add_by_seat(out, leads, 2 * LEAD_STEPS - 1);
    encode_add_number(out, own, -TOTAL_MOST, TOTAL_MOST);
    encode_add_number(out, left, 0, ROUNDS_LEFT + 1);
    encode_add(out, table->players, SEATS_MAX + 1);
    encode_add(out, (unsigned)(table->slot_count - table->past_count), SLOTS_MAX + 1);
    encode_add(out, table->slot_count, SLOTS_MAX + 1);
    encode_add(out, table->phase, out->game->phase_count);
}

/* Finds out where the seats are, and which cards the seat knows. */
static void begin(const struct game_def *game, const struct table_state *table, uint8_t seat,
                  struct encoding *out)
{
    out->count = 0;
    out->inputs = 0;
    out->layout = 2166136261U;
    out->game = game;
    out->table = table;
    out->me = seat;
    out->cards = (struct card_set){{0}};
    out->trump = SUIT_NONE;
    out->wish = 0;
    memset(out->roles, 0, sizeof(out->roles));
    out->seen = out->visible[SEATS_MAX] = (struct card_set){{0}};
    uint8_t other = seat;
    for (uint8_t distance = 0; distance < table->seats; distance++) {
        out->distance[other] = distance;
        out->seats[distance] = other;
        out->visible[other] = find_visible_cards(table, seat, other);
        out->seen = join(out->seen, out->visible[other]);
        other = table->next[other];
    }
    for (uint8_t i = 0; i < table->play_count; i++) {
        card_set_add(&out->seen, table->plays[i]);
    }
    out->own = out->visible[seat];
}

/* The number of outputs of a kind of moves. */
static uint16_t count_outputs(const struct game_def *game, const struct encode_moves *range)
{
    uint8_t count = game->moves[range - game->encode->moves].count;
    unsigned own = range->kind == ENCODE_TRICKS ? ENCODE_TRICK_NUMBERS : count;
    return (uint16_t)(own + range->feature_count);
}

void encode_state(const struct game_def *game, const void *state, uint8_t seat,
                  struct encoding *out)
{
    struct played played FILLED_LATER;
    begin(game, state, seat, out); /* every state begins with a struct table_state */
    if (game->encode->sort != NULL) {
        game->encode->sort(state, out);
    }
    sort_suits(out);
    read_plays(out, &played);
    note_others(out, &played);
    encode_add(out, 0, 1); /* always on */
    encode_add_cards(out, out->own);
    add_cards_by_seat(out, &played);
    add_trick(out, &played);
    if ((game->encode->groups & ENCODE_FOLLOWS) != 0) {
        add_suits(out, &played);
    }
    add_bids(out);
    add_standing(out);
    game->encode->add(state, out);
    for (unsigned i = 0; game->moves[i].word != NULL; i++) {
        encode_mix(out, count_outputs(game, &game->encode->moves[i]));
    }
    assert(out->count <= ENCODE_ACTIVE_MAX);
}

const struct encode_moves *encode_find_range(const struct game_def *game, uint8_t move,
                                             uint16_t *first)
{
    const struct encode_moves *range = game->encode->moves;
    const struct encode_moves *end = range + (game_find_kind(game, move) - game->moves);
    *first = 0;
    for (; range < end; range++) {
        *first = (uint16_t)(*first + count_outputs(game, range));
    }
    return range;
}

void encode_move(const struct encoding *encoding, uint8_t move, struct encode_outputs *out)
{
    uint16_t first;
    const struct encode_traits *traits = encoding->game->encode;
    const struct encode_moves *range = encode_find_range(encoding->game, move, &first);
    const struct move_def *kind = &encoding->game->moves[range - traits->moves];
    uint8_t number = (uint8_t)(move - kind->first);
    uint8_t own = number;
    uint8_t tricks[2];
    *out = (struct encode_outputs){.next = first};
    switch ((enum encode_move_kind)range->kind) {
    case ENCODE_PLAIN:
        break;
    case ENCODE_CARD:
        own = encode_card(encoding, number);
        break;
    case ENCODE_SEAT:
        own = (uint8_t)(encoding->distance[number / range->stride] * range->stride +
                        number % range->stride);
        break;
    case ENCODE_OWN:
        own = traits->find_output(encoding, number);
        break;
    case ENCODE_TRICKS:
        out->count = traits->list_tricks(number, tricks);
        out->is_pair = out->count == 2;
        for (uint8_t i = 0; i < out->count; i++) {
            out->at[i] = (uint16_t)(first + tricks[i]);
        }
        return;
    }
    encode_add_output(out, own, kind->count);
    if (range->add_features != NULL) {
        range->add_features(encoding, number, out);
        assert(out->next == first + kind->count + range->feature_count);
        assert(out->count <= ENCODE_OUTPUTS_MAX);
    }
}

uint16_t encode_count_outputs(const struct game_def *game)
{
    uint16_t count = 0;
    for (unsigned i = 0; game->moves[i].word != NULL; i++) {
        count = (uint16_t)(count + count_outputs(game, &game->encode->moves[i]));
    }
    return count;
}

#define NO_OUTPUT UINT16_MAX /* the move has no output of a group */

/* How many numbers of each kind are told apart. */
#define HIGHER 6 /* unseen higher cards of the suit */
#define LOWER 4  /* unseen lower cards of the suit */
#define OTHERS 5 /* other own cards of the suit */
#define BELOW 4  /* own lower cards of the suit */
#define STEPS 10 /* of the chance that no later player has a higher card of the suit */
#define COARSE 4
#define VOIDS 4 /* later players who have not followed the suit */
#define LIKE 4  /* own lower cards that do the same (bit 0), own higher ones (bit 1) */

/* How a card is played. */
enum position {
    LEADS,
    WINS_LAST,
    WINS_BEFORE_ONE,
    WINS_BEFORE_MORE,
    LOSES_FOLLOWING,
    LOSES_DISCARDED,
    POSITIONS,
};

/* What a card does to the trick: players choose among cards that do the same. */
enum deed {
    DEED_LEADS,
    DEED_WINS,
    DEED_FOLLOWS,
    DEED_DISCARDS,
    DEEDS,
};

/* A card among those of its suit. */
struct standing {
    uint8_t suit;
    uint8_t position;
    uint8_t higher, lower; /* unseen cards */
    uint8_t others, below; /* other own cards, and lower ones among them */
    uint8_t like;          /* other own cards that do the same; of a lead, whether it takes the
                              trick for sure */
    unsigned chance;       /* that no later player has a higher one */
};

static unsigned at_most(unsigned number, unsigned most)
{
    return number < most ? number : most;
}

static uint64_t cards_of_suit(const struct encoding *encoding, struct card_set set, uint8_t suit)
{
    unsigned count = encoding->game->deck->value_count;
    return encode_slice(set, suit * count, count);
}

/* The unseen cards of the suit. */
static uint64_t find_hidden(const struct encoding *encoding, uint8_t suit)
{
    return cards_of_suit(encoding, encoding->cards, suit) &
           ~cards_of_suit(encoding, encoding->seen, suit);
}

static unsigned count_hand(const struct encoding *encoding, uint8_t seat)
{
    const struct card_set *hand = &encoding->table->hands[seat];
    return bits_count(hand->bits[0]) + bits_count(hand->bits[1]);
}

static unsigned count_hands(const struct encoding *encoding, unsigned seats)
{
    unsigned count = 0;
    for (; seats != 0; seats &= seats - 1) {
        count += count_hand(encoding, bits_index_of_lowest(seats));
    }
    return count;
}

/* The chance that none of `higher` unseen cards of a suit lies in a later player's hand, if all
 * unseen cards lie anywhere but with those who have not followed it: each of them in turn is one
 * of the cards that do not. */
static unsigned find_chance(const struct encoding *encoding, uint8_t suit, unsigned higher)
{
    uint64_t one = encoding->cards.bits[0] & ~encoding->seen.bits[0];
    uint64_t other = encoding->cards.bits[1] & ~encoding->seen.bits[1];
    unsigned voids = encoding->voids[suit];
    unsigned later = count_hands(encoding, encoding->later & ~voids);
    unsigned away = count_hands(encoding, voids);
    unsigned unseen = bits_count(one) + bits_count(other);
    unsigned chance = ENCODE_CHANCE_ONE;
    unseen = unseen > away ? unseen - away : 0;
    for (unsigned i = 0; i < higher; i++) {
        if (unseen <= later + i) {
            return 0;
        }
        chance = chance * (unseen - later - i) / (unseen - i);
    }
    return chance;
}

static bool wins(const struct encoding *encoding, uint8_t card, uint8_t suit)
{
    uint8_t best = encoding->table->best_card;
    uint8_t best_suit = card_suit(encoding->game->deck, best);
    return best_suit != SUIT_NONE && (suit == best_suit ? card > best : suit == encoding->trump);
}

static uint8_t find_position(const struct encoding *encoding, uint8_t card, uint8_t suit)
{
    if (encoding->table->trick_count == 0) {
        return LEADS;
    }
    if (wins(encoding, card, suit)) {
        return (uint8_t)(WINS_LAST + at_most(bits_count(encoding->later), 2));
    }
    return suit == card_suit(encoding->game->deck, encoding->table->led_card) ? LOSES_FOLLOWING
                                                                              : LOSES_DISCARDED;
}

/* Whether unseen trumps may take a trick of the suit. */
static bool may_be_trumped(const struct encoding *encoding, uint8_t suit)
{
    uint8_t trump = encoding->trump;
    return trump != SUIT_NONE && trump != suit && find_hidden(encoding, trump) != 0;
}

/* The other own cards of the suit that do the same to the trick. */
static uint8_t find_like(const struct encoding *encoding, const struct standing *standing,
                         uint64_t own, uint64_t below)
{
    uint8_t best = encoding->table->best_card;
    bool is_winner = standing->position < LOSES_FOLLOWING;
    uint64_t lower = own & below;
    uint64_t higher = own & ~below & ~(below + 1);
    if (card_suit(encoding->game->deck, best) == standing->suit) {
        uint64_t beaten = (UINT64_C(2) << best % encoding->game->deck->value_count) - 1;
        lower &= is_winner ? ~beaten : ~UINT64_C(0);
        higher &= is_winner ? ~UINT64_C(0) : beaten;
    }
    return (uint8_t)((lower != 0) | (higher != 0) << 1);
}

static struct standing find_standing(const struct encoding *encoding, uint8_t card, uint8_t suit)
{
    unsigned value = card % encoding->game->deck->value_count;
    uint64_t hidden = find_hidden(encoding, suit);
    uint64_t own = cards_of_suit(encoding, encoding->own, suit);
    uint64_t below = (UINT64_C(1) << value) - 1;
    struct standing standing = {.suit = suit,
                                .position = find_position(encoding, card, suit),
                                .higher = bits_count(hidden & ~below),
                                .lower = bits_count(hidden & below),
                                .others = bits_count(own & ~(UINT64_C(1) << value)),
                                .below = bits_count(own & below)};
    standing.chance = find_chance(encoding, suit, standing.higher);
    bool is_sure = standing.higher == 0 && !may_be_trumped(encoding, suit);
    standing.like =
        standing.position == LEADS ? is_sure : find_like(encoding, &standing, own, below);
    return standing;
}

/* Whether a lead may be trumped: later players who have not followed the suit, while trumps are
 * unseen or there is none. */
static unsigned find_danger(const struct encoding *encoding, const struct standing *standing)
{
    unsigned voids = at_most(bits_count(encoding->later & encoding->voids[standing->suit]), 3);
    return standing->position != LEADS                ? NO_OUTPUT
           : may_be_trumped(encoding, standing->suit) ? VOIDS + voids
                                                      : voids;
}

static void add_suit_card(const struct encoding *encoding, const struct standing *standing,
                          struct encode_outputs *out)
{
    unsigned position = standing->position;
    bool may_win = position < LOSES_FOLLOWING;
    unsigned chance = position == WINS_LAST ? ENCODE_CHANCE_ONE : standing->chance;
    unsigned suits = encoding->game->deck->suit_count;
    bool is_trump = standing->suit == encoding->trump;
    unsigned height = at_most(standing->higher, COARSE - 1);
    unsigned coarse = may_win ? encode_step(chance, COARSE) : height;
    encode_add_output(out, position * HIGHER + at_most(standing->higher, HIGHER - 1),
                      POSITIONS * HIGHER);
    encode_add_output(out, position * LOWER + at_most(standing->lower, LOWER - 1),
                      POSITIONS * LOWER);
    encode_add_output(out, position * OTHERS + at_most(standing->others, OTHERS - 1),
                      POSITIONS * OTHERS);
    encode_add_output(out, position * BELOW + at_most(standing->below, BELOW - 1),
                      POSITIONS * BELOW);
    encode_add_output(out, may_win ? encode_step(chance, STEPS) : NO_OUTPUT, STEPS);
    encode_add_output(out, is_trump ? position : NO_OUTPUT, POSITIONS);
    encode_add_output(out, find_danger(encoding, standing), 2 * VOIDS);
    encode_add_output(out,
                      encoding->place[standing->suit] * 3U + (position == LEADS ? 0
                                                              : may_win         ? 1
                                                                                : 2),
                      3 * suits);
    encode_add_output(out, (encoding->wish * POSITIONS + position) * COARSE + coarse,
                      ENCODE_WISHES * POSITIONS * COARSE);
    unsigned deed = position == LEADS             ? DEED_LEADS
                    : may_win                     ? DEED_WINS
                    : position == LOSES_FOLLOWING ? DEED_FOLLOWS
                                                  : DEED_DISCARDS;
    encode_add_output(out, (encoding->wish * DEEDS + deed) * LIKE + standing->like,
                      ENCODE_WISHES * DEEDS * LIKE);
}

void encode_add_card_features(const struct encoding *encoding, uint8_t card,
                              struct encode_outputs *out)
{
    uint8_t suit = card_suit(encoding->game->deck, card);
    bool is_lead = encoding->table->trick_count == 0;
    if (suit == SUIT_NONE) {
        encode_add_output(out, is_lead ? 0 : encoding->later == 0 ? 1 : 2, 3);
        encode_add_output(out, NO_OUTPUT, ENCODE_CARD_FEATURES - 3);
        return;
    }
    struct standing standing = find_standing(encoding, card, suit);
    encode_add_output(out, NO_OUTPUT, 3);
    add_suit_card(encoding, &standing, out);
    encode_add_output(out, NO_OUTPUT, 3U * (FACE_SUITS_MAX - encoding->game->deck->suit_count));
}
