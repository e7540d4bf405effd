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
    struct score_row row = event_init_score(&event, &state->table, points);
    row.part_count = 1;
    json_open(&event.json, "badness", '[');
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        row.parts[0][seat] = state->badness[seat];
        json_put_number(&event.json, NULL, state->badness[seat]);
    }
    json_close(&event.json, ']');
    event_send_score(log, &row, &event);
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

static void write_pass(UNUSED uint8_t number, struct text *out)
{
    text_put(out, "pass");
}

static void write_clue(uint8_t number, struct text *out)
{
    text_put_number(out, number / HOUNDS_SUBJECTS);
    text_put_char(out, ':');
    hounds_write_clue_subject(number % HOUNDS_SUBJECTS, out);
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
    .tells_slots = true,
    .init = init_game,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = hounds_fill_view,
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

/* Puts played cards back into the hands, for the layouts of heckin_hounds_layout.c. */

bool hounds_lay_played_cards(const struct hounds_replay *replay, uint8_t seat)
{
    const struct hounds_known *known = replay->known;
    struct view_play play;
    bool is_possible = true;
    for (uint8_t i = 0; sample_read_play(replay->view, i, &play); i++) {
        if (play.seat != seat || play.card == HOUNDS_CERBERUS_CARD) {
            continue;
        }
        bool is_cerberus = seat == known->cerberus_seat && play.slot == known->cerberus_slot;
        bool is_free =
            known->trades[seat] == play.slot ||
            (hounds_possible_dealt_cards(replay->view, known, seat, play.slot) >> play.card & 1) !=
                0;
        is_possible = is_possible && is_free && !is_cerberus;
        replay->layout->rows[seat][play.slot] = play.card;
    }
    return is_possible;
}

bool hounds_lay_played_cerberus(const struct hounds_replay *replay)
{
    const struct hounds_known *known = replay->known;
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(replay->view, i, &play); i++) {
        if (play.card != HOUNDS_CERBERUS_CARD) {
            continue;
        }
        if (play.seat != known->cerberus_seat || play.slot != known->cerberus_slot ||
            !replay->view->hands[play.seat][known->cerberus_slot].is_empty) {
            return false;
        }
        replay->layout->rows[play.seat][known->cerberus_slot] = play.card;
    }
    return true;
}

/* The meaning of a move number. */
struct meaning {
    uint8_t phase;  /* the phase of the move; PHASE_OVER when the number is no move */
    uint8_t number; /* the slot, bid, seat or suit that the move names; for a clue, what it names */
    uint8_t to;     /* the seat that gets a clue */
};

static struct meaning find_move_meaning(uint8_t move)
{
    const struct move_def *kind = game_find_kind(&heckin_hounds_game, move);
    if (kind == NULL) {
        return (struct meaning){.phase = PHASE_OVER};
    }
    struct meaning meant = {kind->phase, (uint8_t)(move - kind->first), 0};
    if (meant.phase == HOUNDS_CLUE) {
        meant.to = meant.number / HOUNDS_SUBJECTS;
        meant.number = meant.number % HOUNDS_SUBJECTS;
    }
    return meant;
}

static struct phrase clue_label(const struct game_view *view, uint8_t to, uint8_t clue_subject)
{
    struct phrase phrase = {.args = {arg_of_seat(to)}};
    if (clue_subject < HOUNDS_SUBJECT_VALUE) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_of_suit(clue_subject);
    } else if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_of_number(clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        uint8_t slot = (uint8_t)(clue_subject - HOUNDS_SUBJECT_SLOT);
        uint8_t card = view->hands[to][slot].card;
        phrase.format = card == CARD_NONE ? N_("{0}: card {1}") : N_("{0}: just {1}");
        phrase.args[1] = card == CARD_NONE ? arg_of_number(slot + 1) : arg_of_card(card);
    }
    return phrase;
}

/* What a clue tells: "every 3", "just Sudachi 5". */
struct phrase hounds_clue_label_without_player(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    if (meant.phase != HOUNDS_CLUE) {
        return phrase_absent();
    }
    struct phrase phrase = clue_label(view, meant.to, meant.number);
    phrase.format = meant.number < HOUNDS_SUBJECT_SLOT ? N_("every {1}")
                    : phrase.args[1].type == ARG_CARD  ? N_("just {1}")
                                                       : N_("card {1}");
    return phrase;
}

struct phrase hounds_move_label(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    return meant.phase == HOUNDS_CLUE ? clue_label(view, meant.to, meant.number)
                                      : phrase_without_args(N_("pass"));
}

static struct phrase explain_clue_refusal(const struct game_view *view, uint8_t to,
                                          uint8_t clue_subject)
{
    uint8_t cards = 0;
    const struct hounds_known *known = hounds_known(view);
    if (to >= view->seats || to == known->leader) {
        return phrase_without_args(N_("clues go to the other players"));
    }
    if (hounds_count_clues(known, to) == HOUNDS_CLUES_EACH) {
        return PHRASE(N_("{0} has had three clues"), arg_of_seat(to));
    }
    for (uint8_t i = 0; i < view->slot_count[to]; i++) {
        uint8_t card = view->hands[to][i].card;
        cards = (uint8_t)(cards + (hounds_clue_subject_for_suit(card) == clue_subject ||
                                   hounds_clue_subject_for_value(card) == clue_subject));
    }
    if (clue_subject < HOUNDS_SUBJECT_SLOT && cards < 2) {
        bool is_suit = clue_subject < HOUNDS_SUBJECT_VALUE;
        return PHRASE(N_("at least two cards must be {1}: {0} holds {2}"), arg_of_seat(to),
                      is_suit ? arg_of_suit(clue_subject)
                              : arg_of_number(clue_subject - HOUNDS_SUBJECT_VALUE + 1),
                      arg_of_number(cards));
    }
    return PHRASE(N_("that clue tells {0} nothing new"), arg_of_seat(to));
}

/* The card that wins the trick so far; CARD_NONE when the trick is empty. */
static uint8_t winning_card(const struct game_view *view)
{
    uint8_t best = CARD_NONE;
    for (uint8_t i = 0; i < view->trick.count; i++) {
        uint8_t card = view->trick.plays[i].card;
        if (best == CARD_NONE || hounds_strength(card) > hounds_strength(best)) {
            best = card;
        }
    }
    return best;
}

static struct phrase clue_prompt(const struct game_view *view)
{
    const struct hounds_clue *clues = hounds_known(view)->clues;
    int given = 0;
    while (clues[given].to != HOUNDS_SEAT_NONE) {
        given++;
    }
    return PHRASE(N_("Give clue {0} of {1}"), arg_of_number(given + 1),
                  arg_of_number(HOUNDS_CLUES_EACH * (view->seats - 1)));
}

struct phrase hounds_prompt(const struct game_view *view)
{
    switch ((enum hounds_phase)view->phase) {
    case HOUNDS_BAD:
        return phrase_without_args(N_("Name the bad dog: worth 1 badness to its taker"));
    case HOUNDS_CLUE:
        return clue_prompt(view);
    case HOUNDS_CERBERUS:
        return phrase_without_args(N_("Give Cerberus to a player: it beats every hound"));
    case HOUNDS_DISCARD:
        return phrase_without_args(N_("Cerberus is yours: choose a card to drop for it"));
    case HOUNDS_TRADE:
        return phrase_without_args(N_("Trade a card for an unseen one of the dead hand?"));
    case HOUNDS_BID:
        return phrase_without_args(N_("Bid 0–5"));
    case HOUNDS_PLAY:
        break;
    }
    uint8_t best = winning_card(view);
    if (best == CARD_NONE) {
        return phrase_without_args(N_("Lead any card"));
    }
    if (best == HOUNDS_CERBERUS_CARD) {
        return phrase_without_args(N_("Play any card: Cerberus cannot be beaten"));
    }
    return PHRASE(N_("Play any card: {0} wins so far"), arg_of_card(best));
}

struct phrase hounds_explain_refusal(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    if (meant.phase != view->phase) {
        struct phrase prompt = hounds_prompt(view);
        return prompt.format != NULL ? prompt : phrase_without_args(N_("not now"));
    }
    switch ((enum hounds_phase)meant.phase) {
    case HOUNDS_CLUE:
        return explain_clue_refusal(view, meant.to, meant.number);
    case HOUNDS_TRADE:
        return phrase_without_args(N_("Cerberus cannot be traded"));
    case HOUNDS_PLAY:
        return phrase_without_args(N_("that card is played already"));
    case HOUNDS_CERBERUS:
        return phrase_without_args(N_("there is no such player"));
    case HOUNDS_BAD:
    case HOUNDS_DISCARD:
    case HOUNDS_BID:
        break;
    }
    return phrase_without_args(N_("not now"));
}

/* A move that gives a clue points at cards; a move that gives Cerberus points at a player. */
bool hounds_find_cards_pointed_at(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    struct meaning meant = find_move_meaning(move);
    *out = (struct face_aim){.seat = meant.phase == HOUNDS_CLUE ? meant.to : meant.number};
    for (uint8_t i = 0; meant.phase == HOUNDS_CLUE && i < HOUNDS_SLOTS; i++) {
        uint8_t card = view->hands[out->seat][i].card;
        bool is_meant = meant.number == HOUNDS_SUBJECT_SLOT + i ||
                        hounds_clue_subject_for_suit(card) == meant.number ||
                        hounds_clue_subject_for_value(card) == meant.number;
        out->slots = (uint16_t)(out->slots | is_meant << i);
    }
    return meant.phase == HOUNDS_CLUE || meant.phase == HOUNDS_CERBERUS;
}
