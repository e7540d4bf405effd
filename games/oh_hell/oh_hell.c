#include "games/oh_hell/oh_hell.h"

#include "games/claim.h"
#include "games/game.h"
#include "games/hidden.h"

#include <stddef.h>
#include <string.h>

/* The points depend on the number of tricks alone. */
static const char *oh_hell_claim(const struct game_view *view,
                                 UNUSED const struct game_config *config, struct claim_facts *facts)
{
    uint8_t turnup = oh_hell_known(view)->turnup;
    if (view->phase != OH_HELL_PLAY) {
        return N_("No tricks can be claimed before everybody has bid.");
    }
    facts->trump = card_suit(&standard_deck, turnup);
    facts->cards.bits[0] = (UINT64_C(1) << card_count(&standard_deck)) - 1;
    if (turnup != CARD_NONE) {
        facts->cards.bits[0] &= ~(UINT64_C(1) << turnup);
    }
    return NULL;
}

#define CARDS 52
#define RANKS 13
#define SUIT_MASK ((UINT64_C(1) << RANKS) - 1)

/* How the hand sizes change: down from the largest or up from one, then back again or not. */
struct oh_hell_course {
    bool starts_at_top;
    bool comes_back;
    uint8_t top_max;
};

static const struct oh_hell_course courses[] = {
    {.starts_at_top = true, .comes_back = true, .top_max = OH_HELL_TOP_MAX},
    {.starts_at_top = false, .comes_back = true, .top_max = OH_HELL_TOP_MAX},
    {.starts_at_top = true, .comes_back = true, .top_max = 6},
    {.starts_at_top = false, .comes_back = false, .top_max = OH_HELL_TOP_MAX},
    {.starts_at_top = true, .comes_back = false, .top_max = OH_HELL_TOP_MAX},
};

static const struct option_value length_values[] = {
    {.word = "long", .title = N_("long: down to 1 card, then up again")},
    {.word = "long-inverted", .title = N_("long, inverted: up from 1 card, then down")},
    {.word = "short-up-down", .title = N_("short: from 6 cards down to 1, then up")},
    {.word = "short-up", .title = N_("short: up from 1 card")},
    {.word = "short-down", .title = N_("short: down to 1 card")},
};

static const struct option_value scoring_values[] = {
    {.word = "positive", .title = N_("positive: 1 a trick, 10 for an exact bid")},
    {.word = "neutral", .title = N_("neutral: 10 and 1 a trick for an exact bid, else 0")},
    {.word = "negative", .title = N_("negative: 10 for an exact bid, else -10 per trick off")},
};

static const struct option_def oh_hell_options[] = {
    [OH_HELL_LENGTH] = {.key = "length",
                        .title = N_("Length"),
                        .type = OPTION_WORD,
                        .values = length_values,
                        .value_count = ARRAY_LEN(length_values)},
    [OH_HELL_SCORING] = {.key = "scoring",
                         .title = N_("Scoring"),
                         .type = OPTION_WORD,
                         .values = scoring_values,
                         .value_count = ARRAY_LEN(scoring_values)},
};

static const struct phase_def oh_hell_phases[] = {
    [OH_HELL_BID] = {N_("bid"), .turn = N_("to bid")},
    [OH_HELL_PLAY] = {N_("play")},
};

/* The largest hand: M in RULES.md, or 6 in the short game that goes down and up again. */
static uint8_t largest_hand_size(uint8_t length, uint8_t players)
{
    uint8_t top = players <= 5 ? 10 : players == 6 ? 8 : 7;
    return top < courses[length].top_max ? top : courses[length].top_max;
}

uint8_t oh_hell_round_count(uint8_t length, uint8_t players)
{
    uint8_t top = largest_hand_size(length, players);
    return courses[length].comes_back ? (uint8_t)(2 * top - 1) : top;
}

uint8_t oh_hell_hand_size(uint8_t length, uint8_t players, uint8_t round)
{
    uint8_t top = largest_hand_size(length, players);
    /* Number of rounds before this round; after the turning point, number of rounds after this
     * round. */
    uint8_t away = (uint8_t)(round <= top ? round - 1 : 2 * top - 1 - round);
    return (uint8_t)(courses[length].starts_at_top ? top - away : 1 + away);
}

int16_t oh_hell_points(uint8_t scoring, uint8_t bid, uint8_t tricks)
{
    int off = bid > tricks ? bid - tricks : tricks - bid;
    switch ((enum oh_hell_scoring)scoring) {
    case OH_HELL_POSITIVE:
        return (int16_t)(tricks + (off == 0 ? 10 : 0));
    case OH_HELL_NEUTRAL:
        return (int16_t)(off == 0 ? 10 + tricks : 0);
    case OH_HELL_NEGATIVE:
        return (int16_t)(off == 0 ? 10 : -10 * off);
    }
    return 0;
}

static uint8_t suit_of(uint8_t card)
{
    return card / RANKS;
}

static void send_round_event(const struct oh_hell *state, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_round(&event, &state->table, &standard_deck);
    json_put_number(&event.json, "dealer", state->dealer);
    json_put_number(&event.json, "size", state->table.slot_count);
    json_put_card(&event.json, "turnup", &standard_deck, state->turnup);
    event_send(log, &event);
}

/* Prepares the bidding after a deal: the card turned up determines the trumps, and the player left
 * of the dealer begins. */
static void open_bidding(struct oh_hell *state, uint8_t turnup)
{
    state->turnup = turnup;
    state->trump = suit_of(turnup);
    state->bid_sum = 0;
    state->table.phase = OH_HELL_BID;
    table_set_lead(&state->table, state->table.next[state->dealer]);
}

void oh_hell_reopen_bidding(void *state_bytes)
{
    struct oh_hell *state = state_bytes;
    table_reopen_round(&state->table);
    open_bidding(state, state->turnup);
}

static void deal_round(struct oh_hell *state, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t cards[CARDS];
    for (uint8_t card = 0; card < CARDS; card++) {
        cards[card] = card;
    }
    uint8_t size = oh_hell_hand_size(state->length, table->players, (uint8_t)(table->round + 1));
    table_deal(table, cards, CARDS, size);
    open_bidding(state, cards[(size_t)table->seats * size]);
    if (log != NULL) {
        send_round_event(state, log);
    }
}

static void init_game(void *state_bytes, const struct game_config *config)
{
    struct oh_hell *state = state_bytes;
    state->length = config->options[OH_HELL_LENGTH];
    state->scoring = config->options[OH_HELL_SCORING];
    state->table.rounds = oh_hell_round_count(state->length, config->players);
}

static void start_game(void *state_bytes, const struct game_log *log)
{
    struct oh_hell *state = state_bytes;
    state->dealer = (uint8_t)deal_stream_draw_below(&state->table.stream, state->table.players);
    deal_round(state, log);
}

/* The bids that the seat may make: bit b stands for bid b. The dealer bids last and must not make
 * the bids add up to the number of tricks. */
static uint64_t legal_bids(const struct oh_hell *state, uint8_t seat)
{
    uint8_t size = state->table.slot_count;
    uint64_t bids = (UINT64_C(2) << size) - 1;
    if (seat == state->dealer && state->bid_sum <= size) {
        bids &= ~(UINT64_C(1) << (size - state->bid_sum));
    }
    return bids;
}

/* The cards that the seat may play: bit c stands for card c. A player who can follow the suit led
 * must do so. */
static uint64_t playable_cards(const struct oh_hell *state, uint8_t seat)
{
    uint64_t hand = state->table.hands[seat].bits[0];
    if (state->table.trick_count == 0) {
        return hand;
    }
    uint64_t follow = hand & SUIT_MASK << (RANKS * suit_of(state->table.led_card));
    return follow != 0 ? follow : hand;
}

static void add_legal_moves(const void *state_bytes, uint8_t seat, struct move_set *moves)
{
    const struct oh_hell *state = state_bytes;
    if (state->table.phase == OH_HELL_BID) {
        moves->bits[OH_HELL_BID_FIRST / 64] = legal_bids(state, seat);
    } else {
        moves->bits[0] = playable_cards(state, seat);
    }
}

/* Scores the finished round, then deals the next one or ends the game. Not inlined into apply_move,
 * because then every call of apply_move would make room for this function's arrays. */
__attribute__((noinline)) static void finish_round(struct oh_hell *state,
                                                   const struct game_log *log)
{
    struct table_state *table = &state->table;
    int16_t points[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        points[seat] =
            oh_hell_points(state->scoring, (uint8_t)table->bids[seat], table->tricks[seat]);
    }
    table_score_round(table, points, log);
    if (table->round < table->rounds) {
        state->dealer = table->next[state->dealer];
        deal_round(state, log);
        return;
    }
    table_end_game(table, table_fill_outcome, log);
}

static void make_bid(struct oh_hell *state, uint8_t seat, uint8_t bid)
{
    struct table_state *table = &state->table;
    table->bids[seat] = (int8_t)bid;
    state->bid_sum = (uint8_t)(state->bid_sum + bid);
    if (seat == state->dealer) {
        table->phase = OH_HELL_PLAY;
    }
    table->to_act = (uint8_t)(1U << table->next[seat]);
}

static void play_card(struct oh_hell *state, uint8_t seat, uint8_t card, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t suit = suit_of(card);
    bool is_best =
        table->trick_count == 0 ||
        (suit == suit_of(table->best_card) ? card > table->best_card : suit == state->trump);
    bool is_finished = table_play_card(table, seat, card, is_best);
    if (log != NULL) {
        event_send_played(log, &standard_deck, seat, card, SLOT_NONE);
        if (is_finished) {
            event_send_trick(log, table->best_seat);
        }
    }
    if (is_finished && table->past_count == table->slot_count) {
        finish_round(state, log);
    }
}

static void apply_move(void *state_bytes, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct oh_hell *state = state_bytes;
    if (state->table.phase == OH_HELL_BID) {
        make_bid(state, seat, (uint8_t)(move - OH_HELL_BID_FIRST));
    } else {
        play_card(state, seat, move, log);
    }
}

/* Replays the round's public moves. */
static bool replay_public_moves(struct oh_hell *state, const struct game_view *view)
{
    uint8_t seat = state->table.next[state->dealer];
    for (uint8_t i = 0; i < view->seats && view->bids[seat] != BID_NONE; i++) {
        uint8_t bid = (uint8_t)(OH_HELL_BID_FIRST + view->bids[seat]);
        if (game_try_move(view->game, &state->table, seat, bid, NULL) != GAME_OK) {
            return false;
        }
        seat = state->table.next[seat];
    }
    return sample_replay_plays(view, &state->table);
}

/* Reads the basic facts of the round: its number, the hand size, the dealer and the card turned
 * up. */
static bool read_round_from_view(struct oh_hell *state, const struct game_view *view)
{
    const struct oh_hell_known *known = oh_hell_known(view);
    uint8_t size = oh_hell_hand_size(state->length, view->seats, view->round);
    if (known->dealer >= view->seats || known->turnup == CARD_NONE || view->slot_count[0] != size) {
        return false;
    }
    table_begin_round(&state->table, view->round, size);
    state->dealer = known->dealer;
    open_bidding(state, known->turnup);
    return true;
}

static bool sample_state(const struct game_view *view, struct quick_random *random,
                         void *state_bytes)
{
    struct oh_hell *state = state_bytes;
    if (!read_round_from_view(state, view)) {
        return false;
    }
    struct sample_pool pool = {.deck = &standard_deck};
    for (uint8_t card = 0; card < CARDS; card++) {
        if (card != state->turnup) {
            pool.cards[pool.count++] = card;
        }
    }
    sample_record_void_suits(view, &pool);
    return sample_deal_hands(view, &pool, random, &state->table) &&
           replay_public_moves(state, view);
}

static void fill_view(const void *state_bytes, UNUSED int8_t seat, struct game_view *view)
{
    const struct oh_hell *state = state_bytes;
    struct oh_hell_known *known = (void *)view->info;
    *known = (struct oh_hell_known){state->dealer, state->table.slot_count, state->turnup};
}

#define AT(member) offsetof(struct oh_hell_known, member)

static const struct info_def oh_hell_info[] = {
    {"dealer", .form = INFO_SEAT, .at = AT(dealer)},
    {"size", .at = AT(size), .end = OH_HELL_TOP_MAX + 1},
    {"turnup", .form = INFO_CARD, .at = AT(turnup)},
    {0},
};

int8_t oh_hell_forbidden_bid(const struct game_view *view)
{
    uint8_t dealer = oh_hell_known(view)->dealer;
    if (view->phase != OH_HELL_BID || dealer >= SEATS_MAX || (view->to_act >> dealer & 1) == 0) {
        return BID_NONE;
    }
    int left = view->slot_count[dealer];
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        left -= view->bids[seat] == BID_NONE ? 0 : view->bids[seat];
    }
    return (int8_t)(left >= 0 ? left : BID_NONE);
}

static const struct move_def oh_hell_moves[] = {
    {"play", MOVE_CARD, OH_HELL_PLAY, .first = 0, .count = CARDS},
    {"bid", MOVE_BID, OH_HELL_BID, .first = OH_HELL_BID_FIRST, .count = OH_HELL_TOP_MAX + 1},
    {0},
};

static bool was_bid_exact(const struct score_row *row, uint8_t seat)
{
    return row->bids[seat] == (int8_t)row->tricks[seat];
}

/* One's own points count more than what the others get: a bid is made or missed by oneself. */
const struct game_def oh_hell_game = {
    .id = "oh-hell", /* stored in histories: never changes */
    .title = N_("Oh Hell"),
    .seats_min = 3,
    .seats_max = 7,
    .options = oh_hell_options,
    .option_count = ARRAY_LEN(oh_hell_options),
    .short_form = {.players = 4, .minutes = 10, .options = {[OH_HELL_LENGTH] = 2}},
    .deck = &standard_deck,
    .phases = oh_hell_phases,
    .phase_count = ARRAY_LEN(oh_hell_phases),
    .state_size = sizeof(struct oh_hell),
    .init = init_game,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = fill_view,
    .info = oh_hell_info,
    .sample = sample_state,
    .score = table_fill_outcome,
    .moves = oh_hell_moves,
    .encode = &oh_hell_encode,
    .claim = oh_hell_claim,
    .face = &oh_hell_face,
    .stat = {.title = N_("exact bids"), .is_hit = was_bid_exact},
};
