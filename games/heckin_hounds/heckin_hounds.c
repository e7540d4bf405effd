#include "games/heckin_hounds/heckin_hounds.h"

#include "games/face.h"
#include "games/game.h"
#include "games/hidden.h"

#include <stddef.h>
#include <string.h>

/* Functions that send the events of HISTORY.md. Call each just after the move that its event
 * reports. */
static void hounds_send_round_event(const struct hounds *state, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_round(&event, &state->table, &hounds_deck);
    json_put_number(&event.json, "leader", state->leader);
    json_open(&event.json, "dead", '[');
    for (uint8_t i = 0; i < state->dead_count; i++) {
        json_put_card(&event.json, NULL, &hounds_deck, state->dead[i]);
    }
    json_close(&event.json, ']');
    event_send(log, &event);
}

static void hounds_send_clue_event(const struct hounds *state, const struct game_log *log)
{
    const struct hounds_clue *clue = &state->clues[state->clue_count - 1];
    struct game_event event FILLED_LATER;
    event_init(&event, "clued");
    json_put_number(&event.json, "to", clue->to);
    json_put_bits(&event.json, "slots", clue->slots);
    if (clue->clue_subject >= HOUNDS_SUBJECT_SLOT) {
        uint8_t slot = (uint8_t)(clue->clue_subject - HOUNDS_SUBJECT_SLOT);
        json_put_card(&event.json, "card", &hounds_deck, state->table.slots[clue->to][slot]);
    }
    event_send(log, &event);
}

static void hounds_send_discard_event(const struct hounds *state, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init(&event, "cerberus");
    json_put_number(&event.json, "seat", state->cerberus_seat);
    json_put_number(&event.json, "slot", state->cerberus_slot);
    json_put_card(&event.json, "discarded", &hounds_deck, state->discarded);
    event_send(log, &event);
}

static void hounds_send_trade_event(const struct hounds *state, uint8_t seat, uint8_t given_card,
                                    const struct game_log *log)
{
    uint8_t slot = state->trades[seat];
    struct game_event event FILLED_LATER;
    event_init(&event, "traded");
    json_put_number(&event.json, "seat", seat);
    json_put_number(&event.json, "slot", slot);
    json_put_card(&event.json, "gave", &hounds_deck, given_card);
    json_put_card(&event.json, "took", &hounds_deck, state->table.slots[seat][slot]);
    event_send(log, &event);
}

static void hounds_send_trick_event(uint8_t winner, uint8_t bad_dogs, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init(&event, "trick");
    json_put_number(&event.json, "winner", winner);
    json_put_number(&event.json, "bad", bad_dogs);
    event_send(log, &event);
}

static void hounds_send_score_event(const struct hounds *state, const int16_t points[SEATS_MAX],
                                    const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_score(&event, &state->table, points);
    event.row.part_count = 1;
    json_open(&event.json, "badness", '[');
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        event.row.parts[0][seat] = state->badness[seat];
        json_put_number(&event.json, NULL, state->badness[seat]);
    }
    json_close(&event.json, ']');
    event_send(log, &event);
}

#define DEALT_MAX (HOUNDS_DEALT_SUITS * HOUNDS_VALUES)
#define BIT(n) (UINT64_C(1) << (n))

static const struct phase_def hounds_phases[] = {
    [HOUNDS_BAD] = {N_("bad"), .turn = N_("to name the bad dog")},
    [HOUNDS_CLUE] = {N_("clue"), .turn = N_("to give a clue")},
    [HOUNDS_CERBERUS] = {N_("cerberus"), .turn = N_("to give Cerberus")},
    [HOUNDS_DISCARD] = {N_("discard"), .turn = N_("to drop a card"), .pointing = N_("drop")},
    [HOUNDS_TRADE] = {N_("trade"), .turn = N_("to trade or pass"), .pointing = N_("trade")},
    [HOUNDS_BID] = {N_("bid"), .turn = N_("to bid")},
    [HOUNDS_PLAY] = {N_("play")},
};

static void init_game(void *state_bytes, const struct game_config *config)
{
    struct hounds *state = state_bytes;
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

static void start_game(void *state_bytes, const struct game_log *log)
{
    struct hounds *state = state_bytes;
    struct table_state *table = &state->table;
    deal_round(state, (uint8_t)deal_stream_draw_below(&table->stream, table->players), log);
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
        if (state->trades[seat] < HOUNDS_SLOTS) {
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
        event_send_played(log, &hounds_deck, seat, table->slots[seat][slot], slot);
        if (is_finished) {
            hounds_send_trick_event(table->best_seat, state->trick_bad, log);
        }
    }
    if (is_finished && table->past_count == HOUNDS_SLOTS) {
        finish_round(state, log);
    }
}

static void apply_move(void *state_bytes, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct hounds *state = state_bytes;
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

/* Writes "suit:sudachi", "value:3" or "slot:1". */
static void write_clue_subject(uint8_t clue_subject, struct text *out)
{
    if (clue_subject < HOUNDS_SUBJECT_VALUE) {
        text_put(out, "suit:");
        text_put(out, hounds_deck.suits[clue_subject].id);
    } else if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        text_put(out, "value:");
        text_put_number(out, clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        text_put(out, "slot:");
        text_put_number(out, clue_subject - HOUNDS_SUBJECT_SLOT);
    }
}

/* Whether clues told both the suit and the value of the card that was dealt to this slot. */
static bool clues_tell_dealt_card(const struct hounds *state, uint8_t seat, uint8_t slot)
{
    bool is_suit_told = false;
    bool is_value_told = false;
    for (uint8_t i = 0; i < state->clue_count; i++) {
        const struct hounds_clue *clue = &state->clues[i];
        bool is_slot = clue->clue_subject >= HOUNDS_SUBJECT_SLOT;
        bool is_suit = clue->clue_subject < HOUNDS_SUBJECT_VALUE;
        bool is_named = clue->to == seat && (clue->slots >> slot & 1) != 0;
        is_suit_told |= is_named && (is_suit || is_slot);
        is_value_told |= is_named && !is_suit;
    }
    return is_suit_told && is_value_told;
}

_Static_assert(sizeof(struct hounds_known) <= INFO_BYTES, "info fits into a view");

/* Everybody sees a card's clues. When clues told both suit and value, everybody knows the card. */
static void fill_clue_marks(const struct hounds *state, uint8_t seat, struct view_slot *hand)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        bool is_suit_told = (state->told_suit[seat] >> i & 1) != 0;
        bool is_value_told = (state->told_value[seat] >> i & 1) != 0;
        if (hand[i].is_empty) {
            continue;
        }
        hand[i].is_traded = hounds_is_traded(state, seat, i);
        hand[i].suit = is_suit_told ? card_suit(&hounds_deck, card) : SUIT_NONE;
        hand[i].value = is_value_told ? card_value(&hounds_deck, card) : 0;
        hand[i].card = is_suit_told && is_value_told ? card : hand[i].card;
    }
}

/* Whether the viewer knew the card that was dealt to a slot, before another card took the slot: saw
 * it in the hand, or clues told its hound and its value. */
static bool viewer_knew_dealt_card(const struct hounds *state, int8_t viewer, uint8_t seat,
                                   uint8_t slot)
{
    uint8_t sight = hounds_seats_that_see_hand(state->table.seats, state->leader, seat);
    return (viewer != SPECTATOR && (sight >> viewer & 1) != 0) ||
           clues_tell_dealt_card(state, seat, slot);
}

static void fill_view(const void *state_bytes, int8_t seat, struct game_view *view)
{
    const struct hounds *state = state_bytes;
    struct hounds_known *known = (void *)view->info;
    known->leader = state->leader;
    known->bad_dog = state->bad_dog;
    memcpy(known->badness, state->badness, view->seats);
    memcpy(known->clues, state->clues, state->clue_count * sizeof(state->clues[0]));
    memcpy(known->trades, state->trades, view->seats);
    for (uint8_t i = 0; i < view->seats; i++) {
        fill_clue_marks(state, i, view->hands[i]);
        bool knew_given_card = viewer_knew_dealt_card(state, seat, i, state->trades[i]);
        known->given[i] = knew_given_card ? state->given[i] : CARD_NONE;
    }
    if (state->cerberus_seat != HOUNDS_SEAT_NONE) {
        known->cerberus_seat = state->cerberus_seat;
        known->cerberus_slot = state->cerberus_slot;
        bool knew_discard =
            viewer_knew_dealt_card(state, seat, state->cerberus_seat, state->cerberus_slot);
        known->discarded = knew_discard ? state->discarded : CARD_NONE;
    }
}

static void write_subject_of_clue(UNUSED const struct game_view *view, const char *key,
                                  uint8_t subject, struct text *out)
{
    struct text name = TEXT_OF(MOVE_TEXT_MAX);
    write_clue_subject(subject, &name);
    json_put_text(out, key, name.at);
}

static void write_trade(UNUSED const struct game_view *view, const char *key, uint8_t trade,
                        struct text *out)
{
    if (trade == HOUNDS_TRADE_OPEN) {
        json_put_null(out, key);
    } else if (trade == HOUNDS_TRADE_PASS) {
        json_put_text(out, key, "pass");
    } else {
        json_put_number(out, key, trade);
    }
}

#define CLUE_AT(member) offsetof(struct hounds_clue, member)
#define AT(member) offsetof(struct hounds_known, member)

static const struct info_def clue_members[] = {
    {"to", .form = INFO_SEAT, .at = CLUE_AT(to)},
    {"clue", .form = INFO_OWN, .at = CLUE_AT(clue_subject), .write = write_subject_of_clue,
     .end = HOUNDS_SUBJECTS},
    {"slots", .form = INFO_BITS, .at = CLUE_AT(slots), .end = 1U << HOUNDS_SLOTS},
    {"card", .form = INFO_CARD, .absence = INFO_LEFT_OUT, .at = CLUE_AT(card)},
    {0},
};

static const struct info_def discard_members[] = {
    {"seat", .form = INFO_SEAT},
    {"slot", .at = AT(cerberus_slot) - AT(cerberus_seat), .end = HOUNDS_SLOTS},
    {"card", .form = INFO_CARD, .absence = INFO_LEFT_OUT, .at = AT(discarded) - AT(cerberus_seat)},
    {0},
};

static const struct info_def hounds_info[] = {
    {"leader", .form = INFO_SEAT, .at = AT(leader)},
    {"bad_dog", .form = INFO_SUIT, .absence = INFO_NULL, .at = AT(bad_dog)},
    {"badness", .repeat = INFO_BY_SEAT, .at = AT(badness), .end = UINT8_MAX,
     .running = N_("badness {0}")},
    {"clues", .form = INFO_OBJECT, .repeat = INFO_LIST, .at = AT(clues), .members = clue_members,
     .size = sizeof(struct hounds_clue), .most = HOUNDS_CLUES_MAX},
    {"trades", .form = INFO_OWN, .repeat = INFO_BY_SEAT, .at = AT(trades), .write = write_trade,
     .end = HOUNDS_TRADE_OPEN + 1},
    {"given", .form = INFO_CARD, .repeat = INFO_BY_SEAT, .absence = INFO_NULL, .at = AT(given)},
    {"discard", .form = INFO_OBJECT, .absence = INFO_NULL, .at = AT(cerberus_seat),
     .members = discard_members},
    {0},
};

static void write_pass(UNUSED uint8_t number, struct text *out)
{
    text_put(out, "pass");
}

static void write_clue(uint8_t number, struct text *out)
{
    text_put_number(out, number / HOUNDS_SUBJECTS);
    text_put_char(out, ':');
    write_clue_subject(number % HOUNDS_SUBJECTS, out);
}

static const struct move_def hounds_moves[] = {
    {"play", MOVE_SLOT, HOUNDS_PLAY, .first = HOUNDS_MOVE_PLAY, .count = HOUNDS_SLOTS},
    {"bid", MOVE_BID, HOUNDS_BID, .first = HOUNDS_MOVE_BID, .count = HOUNDS_BID_MOST + 1},
    {"trade", MOVE_SLOT, HOUNDS_TRADE, .first = HOUNDS_MOVE_TRADE, .count = HOUNDS_SLOTS},
    {"trade", MOVE_OWN, HOUNDS_TRADE, HOUNDS_MOVE_PASS, 1, write_pass},
    {"discard", MOVE_SLOT, HOUNDS_DISCARD, .first = HOUNDS_MOVE_DISCARD, .count = HOUNDS_SLOTS},
    {"cerberus", MOVE_SEAT, HOUNDS_CERBERUS, .first = HOUNDS_MOVE_CERBERUS, .count = SEATS_MAX},
    {"bad", MOVE_SUIT, HOUNDS_BAD, .first = HOUNDS_MOVE_BAD, .count = HOUNDS_SUITS},
    {"clue", MOVE_OWN, HOUNDS_CLUE, HOUNDS_MOVE_CLUE, SEATS_MAX *HOUNDS_SUBJECTS, write_clue},
    {0},
};

static bool was_bid_exact(const struct score_row *row, uint8_t seat)
{
    return row->points[seat] == 0;
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
    .init = init_game,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = fill_view,
    .info = hounds_info,
    .sample = hounds_sample_state,
    .score = fill_outcome,
    .moves = hounds_moves,
    .encode = &heckin_hounds_encode,
    .face = &hounds_face,
    .stat = {.title = N_("exact bids"), .is_hit = was_bid_exact},
};

static const struct suit_def hounds_suits[] = {
    {.id = "deathpaw", .title = N_("Deathpaw"), .letters = "De", .tint = TINT_RED},
    {.id = "paulgrave", .title = N_("Paulgrave"), .letters = "Pa", .tint = TINT_PURPLE},
    {.id = "sudachi", .title = N_("Sudachi"), .letters = "Su", .tint = TINT_GREEN},
    {.id = "tom-dire", .title = N_("Tom Dire"), .letters = "To", .tint = TINT_BLUE},
    {.id = "evil-molly", .title = N_("Evil Molly"), .letters = "Ev", .tint = TINT_PINK},
    {.id = "mops", .title = N_("Mops"), .letters = "Mo", .tint = TINT_GREY},
};

static const struct special_def hounds_specials[] = {
    {.id = "cerberus", .title = N_("CERBERUS"), .letters = N_("CER"), .tint = TINT_ORANGE},
};

const struct deck_def hounds_deck = {
    .suits = hounds_suits,
    .suit_count = ARRAY_LEN(hounds_suits),
    .value_first = 1,
    .value_count = HOUNDS_VALUES,
    .specials = hounds_specials,
    .special_count = ARRAY_LEN(hounds_specials),
};
