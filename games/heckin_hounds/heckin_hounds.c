#include "games/heckin_hounds/heckin_hounds.h"

#include "games/game.h"

#include <string.h>

#define DEALT_MAX (HOUNDS_DEALT_SUITS * HOUNDS_VALUES)
#define BIT(n) (UINT64_C(1) << (n))

static const char *const hounds_phases[] = {
    [HOUNDS_BAD] = N_("bad"),           [HOUNDS_CLUE] = N_("clue"),
    [HOUNDS_CERBERUS] = N_("cerberus"), [HOUNDS_DISCARD] = N_("discard"),
    [HOUNDS_TRADE] = N_("trade"),       [HOUNDS_BID] = N_("bid"),
    [HOUNDS_PLAY] = N_("play"),
};

void hounds_init(struct hounds *state, const struct game_config *config,
                 const uint8_t seed[SEED_BYTES])
{
    table_init(&state->table, config->players, config, seed);
    state->table.rounds = config->players;
}

/* Starts a round: nothing is chosen, told or traded yet, and the leader moves first. */
void hounds_begin_round(struct hounds *state, uint8_t leader)
{
    struct table_state *table = &state->table;
    state->leader = leader;
    state->bad_dog = SUIT_NONE;
    state->clue_count = 0;
    state->cerberus_seat = HOUNDS_SEAT_NONE;
    state->cerberus_slot = 0;
    state->discarded = CARD_NONE;
    state->trick_bad = 0;
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        state->held[seat] = (1U << HOUNDS_SLOTS) - 1;
        state->told_suit[seat] = 0;
        state->told_value[seat] = 0;
        state->traded[seat] = 0;
        state->clues_left[seat] = seat == leader ? 0 : HOUNDS_CLUES_EACH;
        state->trades[seat] = HOUNDS_TRADE_OPEN;
        state->given[seat] = CARD_NONE;
        memset(table->sight[seat], hounds_seats_that_see_hand(table->seats, leader, seat),
               HOUNDS_SLOTS);
    }
    table->phase = HOUNDS_BAD;
    table_set_lead(table, leader);
}

static void deal_round(struct hounds *state, uint8_t leader, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t values = (uint8_t)(table->seats + 1);
    uint8_t cards[DEALT_MAX];
    uint8_t count = 0;
    for (uint8_t suit = 0; suit < HOUNDS_DEALT_SUITS; suit++) {
        for (uint8_t value = 0; value < values; value++) {
            cards[count++] = (uint8_t)(suit * HOUNDS_VALUES + value);
        }
    }
    table_deal(table, cards, count, HOUNDS_SLOTS);
    state->dead_count = 0;
    for (uint8_t i = (uint8_t)(table->seats * HOUNDS_SLOTS); i < count; i++) {
        state->dead[state->dead_count++] = cards[i];
    }
    for (uint8_t value = 0; value < values; value++) {
        state->dead[state->dead_count++] = (uint8_t)(HOUNDS_MOPS * HOUNDS_VALUES + value);
    }
    hounds_begin_round(state, leader);
    if (log != NULL) {
        hounds_send_round_event(state, log);
    }
}

static void start_game(void *state_bytes, const struct game_config *config,
                       const uint8_t seed[SEED_BYTES], const struct game_log *log)
{
    struct hounds *state = state_bytes;
    hounds_init(state, config, seed);
    deal_round(state, (uint8_t)deal_stream_draw_below(&state->table.stream, config->players), log);
}

/* The slots that may be traded: all except Cerberus' slot. */
static uint64_t tradable_slots(const struct hounds *state, uint8_t seat)
{
    uint64_t slots = BIT(HOUNDS_SLOTS) - 1;
    return seat == state->cerberus_seat ? slots & ~BIT(state->cerberus_slot) : slots;
}

/* Returns the first 64-bit word of the set of legal moves. Clues are in the other two words
 * (state->clue_moves). */
static uint64_t legal_moves_except_clues(const struct hounds *state, uint8_t seat)
{
    const uint64_t slots = BIT(HOUNDS_SLOTS) - 1;
    switch ((enum hounds_phase)state->table.phase) {
    case HOUNDS_PLAY:
        return (uint64_t)state->held[seat] << HOUNDS_MOVE_PLAY;
    case HOUNDS_BID:
        return (BIT(HOUNDS_BID_MOST + 1) - 1) << HOUNDS_MOVE_BID;
    case HOUNDS_TRADE:
        return tradable_slots(state, seat) << HOUNDS_MOVE_TRADE | BIT(HOUNDS_MOVE_PASS);
    case HOUNDS_DISCARD:
        return slots << HOUNDS_MOVE_DISCARD;
    case HOUNDS_CERBERUS:
        return (BIT(state->table.seats) - 1) << HOUNDS_MOVE_CERBERUS;
    case HOUNDS_BAD:
        return (BIT(HOUNDS_SUITS) - 1) << HOUNDS_MOVE_BAD;
    case HOUNDS_CLUE:
        break;
    }
    return 0;
}

static void add_legal_moves(const void *state_bytes, uint8_t seat, struct move_set *moves)
{
    const struct hounds *state = state_bytes;
    if ((state->table.to_act >> seat & 1) == 0) {
        return;
    }
    if (state->table.phase == HOUNDS_CLUE) {
        moves->bits[1] = state->clue_moves[0];
        moves->bits[2] = state->clue_moves[1];
    } else {
        moves->bits[0] = legal_moves_except_clues(state, seat);
    }
}

/* Ranks the seats: totals of 0 and more come before negative totals, each nearest to 0 first; equal
 * totals are ranked by lower badness. Badness is below 1000, so it never outweighs a point of the
 * total. */
static int32_t compute_rank_key(int32_t total, int32_t badness)
{
    int32_t off = total < 0 ? -total : total;
    return (total < 0 ? 0 : 100000000) - off * 1000 - badness;
}

static void fill_outcome(const void *state_bytes, struct game_outcome *outcome)
{
    const struct hounds *state = state_bytes;
    int32_t keys[SEATS_MAX];
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        outcome->scores[seat] = state->table.scores[seat];
        keys[seat] = compute_rank_key(state->table.scores[seat], state->badness[seat]);
    }
    table_compute_ranks(keys, state->table.seats, outcome->ranks);
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        bool has_won = outcome->ranks[seat] == 1 && outcome->scores[seat] >= 0;
        outcome->winners = (uint8_t)(outcome->winners | has_won << seat);
    }
    hounds_add_badness_list(state, &outcome->extra);
}

/* Scores the round, then deals the next one or ends the game. Not inlined into apply_move, because
 * then every call of apply_move would make room for this function's arrays. */
__attribute__((noinline)) static void finish_round(struct hounds *state, const struct game_log *log)
{
    struct table_state *table = &state->table;
    int16_t points[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        points[seat] = (int16_t)(table->tricks[seat] - table->bids[seat]);
    }
    table_add_points(table, points);
    if (log != NULL) {
        hounds_send_score_event(state, points, log);
    }
    if (table->round < table->rounds) {
        deal_round(state, table->next[state->leader], log);
        return;
    }
    table_end_game(table, fill_outcome, log);
}

static void choose_bad_dog(struct hounds *state, uint8_t suit)
{
    state->bad_dog = suit;
    hounds_find_legal_clues(state);
    state->table.phase = HOUNDS_CLUE;
}

static void give_clue(struct hounds *state, uint8_t clue, const struct game_log *log)
{
    hounds_give_clue(state, clue / HOUNDS_SUBJECTS, clue % HOUNDS_SUBJECTS);
    if (state->clue_count == HOUNDS_CLUES_EACH * (state->table.seats - 1)) {
        state->table.phase = HOUNDS_CERBERUS;
    }
    if (log != NULL) {
        hounds_send_clue_event(state, log);
    }
}

/* Puts another card into a slot and removes the slot's marks. */
static void replace_card(struct hounds *state, uint8_t seat, uint8_t slot, uint8_t card,
                         uint8_t seats_that_see)
{
    struct table_state *table = &state->table;
    table->hands[seat].bits[0] ^= BIT(table->slots[seat][slot]) | BIT(card);
    table->slots[seat][slot] = card;
    table->sight[seat][slot] = seats_that_see;
    state->told_suit[seat] = (uint8_t)(state->told_suit[seat] & ~(1U << slot));
    state->told_value[seat] = (uint8_t)(state->told_value[seat] & ~(1U << slot));
}

static void discard_for_cerberus(struct hounds *state, uint8_t seat, uint8_t slot,
                                 const struct game_log *log)
{
    state->cerberus_seat = seat;
    state->cerberus_slot = slot;
    state->discarded = state->table.slots[seat][slot];
    replace_card(state, seat, slot, HOUNDS_CERBERUS_CARD, UINT8_MAX);
    state->table.phase = HOUNDS_TRADE;
    state->table.to_act = (uint8_t)(1U << state->leader);
    if (log != NULL) {
        hounds_send_discard_event(state, log);
    }
}

void hounds_show_traded_cards(struct hounds *state)
{
    struct table_state *table = &state->table;
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        if (state->traded[seat] != 0) {
            table->sight[seat][state->trades[seat]] =
                hounds_seats_that_see_hand(table->seats, state->leader, seat);
        }
    }
}

static bool is_bad(const struct hounds *state, uint8_t card)
{
    return card / HOUNDS_VALUES == state->bad_dog && card != HOUNDS_CERBERUS_CARD;
}

void hounds_reopen_bidding(void *state_bytes)
{
    struct hounds *state = state_bytes;
    const struct table_state *table = &state->table;
    for (uint8_t i = 0; i < table->past_count * table->seats; i++) {
        uint8_t *badness = &state->badness[table->leads[i / table->seats + 1]];
        *badness = (uint8_t)(*badness - is_bad(state, table->plays[i]));
    }
    table_reopen_round(&state->table);
    memset(state->held, (1U << HOUNDS_SLOTS) - 1, table->seats);
    state->trick_bad = 0;
    state->table.phase = HOUNDS_BID;
    table_set_lead(&state->table, state->leader);
}

/* Passes the turn on in phases where each seat chooses once, starting with the leader. After the
 * last seat the next phase begins. */
static void give_turn_to_next_seat(struct hounds *state, uint8_t seat, uint8_t next_phase)
{
    struct table_state *table = &state->table;
    table->to_act = (uint8_t)(1U << table->next[seat]);
    if (table->next[seat] == state->leader) {
        table->phase = next_phase;
    }
}

/* The cards taken in trades stay hidden until all seats have chosen. */
static void trade_or_pass(struct hounds *state, uint8_t seat, uint8_t choice,
                          const struct game_log *log)
{
    uint8_t gave = CARD_NONE;
    state->trades[seat] = choice;
    if (choice != HOUNDS_TRADE_PASS) {
        uint32_t drawn = deal_stream_draw_below(&state->table.stream, state->dead_count);
        gave = state->table.slots[seat][choice];
        replace_card(state, seat, choice, state->dead[drawn], 0);
        state->dead[drawn] = gave;
        state->given[seat] = gave;
        state->traded[seat] = (uint8_t)(1U << choice);
    }
    give_turn_to_next_seat(state, seat, HOUNDS_BID);
    if (state->table.phase == HOUNDS_BID) {
        hounds_show_traded_cards(state);
    }
    if (log != NULL && gave != CARD_NONE) {
        hounds_send_trade_event(state, seat, gave, log);
    }
}

bool hounds_play_card_from_slot(struct hounds *state, uint8_t seat, uint8_t slot)
{
    struct table_state *table = &state->table;
    uint8_t card = table->slots[seat][slot];
    bool is_best =
        table->trick_count == 0 || hounds_strength(card) > hounds_strength(table->best_card);
    state->held[seat] = (uint8_t)(state->held[seat] & ~(1U << slot));
    state->trick_bad =
        (uint8_t)((table->trick_count == 0 ? 0 : state->trick_bad) + is_bad(state, card));
    return table_play_card(table, seat, card, is_best);
}

static void play_card_from_slot(struct hounds *state, uint8_t seat, uint8_t slot,
                                const struct game_log *log)
{
    struct table_state *table = &state->table;
    bool is_finished = hounds_play_card_from_slot(state, seat, slot);
    if (is_finished) {
        uint8_t *badness = &state->badness[table->best_seat];
        *badness = (uint8_t)(*badness + state->trick_bad);
    }
    if (log != NULL) {
        hounds_send_play_event(seat, slot, table->slots[seat][slot], log);
        if (is_finished) {
            hounds_send_trick_event(table->best_seat, state->trick_bad, log);
        }
    }
    if (is_finished && table->past_count == HOUNDS_SLOTS) {
        finish_round(state, log);
    }
}

/* Makes a move that is legal in the current phase. */
static void make_move(struct hounds *state, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct table_state *table = &state->table;
    switch ((enum hounds_phase)table->phase) {
    case HOUNDS_PLAY:
        play_card_from_slot(state, seat, move - HOUNDS_MOVE_PLAY, log);
        break;
    case HOUNDS_BID:
        table->bids[seat] = (int8_t)(move - HOUNDS_MOVE_BID);
        give_turn_to_next_seat(state, seat, HOUNDS_PLAY);
        break;
    case HOUNDS_TRADE:
        trade_or_pass(state, seat, (uint8_t)(move - HOUNDS_MOVE_TRADE), log);
        break;
    case HOUNDS_DISCARD:
        discard_for_cerberus(state, seat, (uint8_t)(move - HOUNDS_MOVE_DISCARD), log);
        break;
    case HOUNDS_CERBERUS:
        table->to_act = (uint8_t)(1U << (move - HOUNDS_MOVE_CERBERUS));
        table->phase = HOUNDS_DISCARD;
        break;
    case HOUNDS_BAD:
        choose_bad_dog(state, (uint8_t)(move - HOUNDS_MOVE_BAD));
        break;
    case HOUNDS_CLUE:
        give_clue(state, (uint8_t)(move - HOUNDS_MOVE_CLUE), log);
        break;
    }
}

static enum game_result apply_move(void *state_bytes, uint8_t seat, uint8_t move,
                                   const struct game_log *log)
{
    struct hounds *state = state_bytes;
    enum game_result turn = table_check_turn(&state->table, seat);
    if (turn != GAME_OK) {
        return turn;
    }
    struct move_set legal = move_set_empty();
    add_legal_moves(state_bytes, seat, &legal);
    if (!move_set_has(&legal, move)) {
        return GAME_ILLEGAL;
    }
    state->table.step++;
    make_move(state, seat, move, log);
    return GAME_OK;
}

static void write_move(uint8_t move, struct text *out)
{
    static const struct {
        uint8_t first, count;
        const char *word;
    } kinds[] = {
        {HOUNDS_MOVE_PLAY, HOUNDS_SLOTS, "play:"},
        {HOUNDS_MOVE_BID, HOUNDS_BID_MOST + 1, "bid:"},
        {HOUNDS_MOVE_TRADE, HOUNDS_SLOTS, "trade:"},
        {HOUNDS_MOVE_DISCARD, HOUNDS_SLOTS, "discard:"},
        {HOUNDS_MOVE_CERBERUS, SEATS_MAX, "cerberus:"},
    };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (move >= kinds[i].first && move < kinds[i].first + kinds[i].count) {
            text_put(out, kinds[i].word);
            text_put_number(out, move - kinds[i].first);
        }
    }
    if (move == HOUNDS_MOVE_PASS) {
        text_put(out, "trade:pass");
    } else if (move >= HOUNDS_MOVE_BAD && move < HOUNDS_MOVE_BAD + HOUNDS_SUITS) {
        text_put(out, "bad:");
        text_put(out, hounds_deck.suits[move - HOUNDS_MOVE_BAD].id);
    } else if (move >= HOUNDS_MOVE_CLUE && move < HOUNDS_MOVE_END) {
        text_put(out, "clue:");
        text_put_number(out, (move - HOUNDS_MOVE_CLUE) / HOUNDS_SUBJECTS);
        text_put_char(out, ':');
        hounds_write_clue_subject((uint8_t)((move - HOUNDS_MOVE_CLUE) % HOUNDS_SUBJECTS), out);
    }
}

static bool read_bid(uint8_t move, uint8_t numbers[2])
{
    bool is_bid = move >= HOUNDS_MOVE_BID && move <= HOUNDS_MOVE_BID + HOUNDS_BID_MOST;
    if (is_bid) {
        numbers[0] = numbers[1] = (uint8_t)(move - HOUNDS_MOVE_BID);
    }
    return is_bid;
}

static void count_exact_bids(const struct score_row *row, uint8_t seat, uint32_t *hits,
                             uint32_t *chances)
{
    *hits += row->points[seat] == 0;
    *chances += 1;
}

const struct game_def heckin_hounds_game = {
    .id = "heckin-hounds", /* stored in histories: never changes */
    .title = N_("Heckin' Hounds"),
    .seats_min = 2,
    .seats_max = 7,
    .short_form = {.players = 3, .minutes = 7},
    .deck = &hounds_deck,
    .phases = hounds_phases,
    .phase_count = ARRAY_LEN(hounds_phases),
    .state_size = sizeof(struct hounds),
    .tells_slots = true,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = hounds_fill_view,
    .sample = hounds_sample_state,
    .score = fill_outcome,
    .move_write = write_move,
    .bid = read_bid,
    .encode = &heckin_hounds_encode,
    .face = &hounds_face,
    .stat = {.title = N_("exact bids"), .count = count_exact_bids},
};
