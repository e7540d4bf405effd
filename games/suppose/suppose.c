#include "games/suppose/suppose.h"

#include "games/card.h"
#include "games/game.h"

#include <string.h>

#define COLOUR_MASK ((UINT64_C(1) << SUPPOSE_VALUES) - 1)
#define ALL_SLOTS ((1U << SUPPOSE_SLOTS) - 1)

static const char *const suppose_phases[] = {
    [SUPPOSE_PREPARE] = N_("prepare"),
    [SUPPOSE_PLAY] = N_("play"),
};

static uint8_t get_number_of_first_copy(uint8_t card)
{
    return card < SUPPOSE_FACES ? card : (uint8_t)(card - SUPPOSE_FACES);
}

unsigned suppose_count_moves_in_round(uint8_t seat_count)
{
    return (2U + SUPPOSE_SLOTS) * seat_count;
}

uint8_t suppose_list_cards(uint8_t player_count, uint8_t cards[2 * SUPPOSE_FACES])
{
    uint8_t count = 0;
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        uint8_t value = face % SUPPOSE_VALUES + 1;
        cards[count++] = face;
        if (player_count > 3 || value < 3 || value > 4) {
            cards[count++] = (uint8_t)(face + SUPPOSE_FACES);
        }
    }
    return count;
}

uint8_t suppose_get_colours_of_hand(const struct card_set *hand)
{
    uint64_t faces = hand->bits[0] | hand->bits[0] >> SUPPOSE_FACES;
    unsigned found = 0;
    for (uint8_t colour = 0; colour < SUPPOSE_COLOURS; colour++) {
        bool is_there = (faces >> (SUPPOSE_VALUES * colour) & COLOUR_MASK) != 0;
        found |= (unsigned)is_there << colour;
    }
    return (uint8_t)found;
}

void suppose_sort_hand(const struct card_set *hand, uint8_t colour_order,
                       uint8_t cards[SUPPOSE_SLOTS])
{
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t places =
        (uint8_t)(suppose_list_colours_of_order(colour_order, colours) * 2 * SUPPOSE_VALUES);
    uint8_t count = 0;
    for (uint8_t place = 0; place < places && count < SUPPOSE_SLOTS; place++) {
        uint8_t colour = colours[place / (2 * SUPPOSE_VALUES)];
        uint8_t rank = place / 2 % SUPPOSE_VALUES;
        uint8_t value = (uint8_t)(rank + 1);
        uint8_t card = card_of(&suppose_deck, colour, value);
        card = (uint8_t)(card + place % 2 * SUPPOSE_FACES);
        if ((hand->bits[0] >> card & 1) != 0) {
            cards[count++] = card;
        }
    }
}

void suppose_give_arranged_hand(struct suppose *state, uint8_t seat,
                                const uint8_t cards[SUPPOSE_SLOTS])
{
    struct table_state *table = &state->table;
    uint8_t arranger = (uint8_t)((seat + table->seats - 1) % table->seats);
    unsigned everybody = (1U << table->seats) - 1;
    table_give_hand(table, seat, cards, SUPPOSE_SLOTS);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        unsigned others = everybody & ~(1U << seat);
        unsigned own = 1U << seat | 1U << arranger;
        table->sight[seat][slot] = (uint8_t)(suppose_holder_sees_slot(slot) ? own : others);
    }
    state->held[seat] = ALL_SLOTS;
}

static void send_round_event(const struct suppose *state, const uint8_t *undealt,
                             uint8_t undealt_count, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init_round(&event, &state->table, &suppose_deck);
    fields_add_number(&event, "start", state->start);
    uint16_t list = fields_open_list(&event, "rest");
    for (uint8_t i = 0; i < undealt_count; i++) {
        event_add_card(&event, NULL, &suppose_deck, undealt[i]);
    }
    fields_close(&event, list);
    event_send(log, &event);
}

static void deal_round(struct suppose *state, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t cards[2 * SUPPOSE_FACES];
    uint8_t count = suppose_list_cards(table->seats, cards);
    table_deal(table, cards, count, SUPPOSE_SLOTS);
    table->phase = SUPPOSE_PREPARE;
    table->to_act = (uint8_t)((1U << table->seats) - 1);
    memset(state->held, 0, sizeof(state->held));
    memset(state->arranged, SUPPOSE_NONE, sizeof(state->arranged));
    memset(state->predicted, SUPPOSE_NONE, sizeof(state->predicted));
    if (log != NULL) {
        uint8_t dealt = (uint8_t)(table->seats * SUPPOSE_SLOTS);
        send_round_event(state, cards + dealt, (uint8_t)(count - dealt), log);
    }
}

void suppose_init(struct suppose *state, const struct game_config *config,
                  const uint8_t seed[SEED_BYTES])
{
    table_init(&state->table, config->players, config, seed);
    state->table.rounds = config->players;
    memset(state->last_predicted, SUPPOSE_NONE, sizeof(state->last_predicted));
}

static void start_game(void *state_bytes, const struct game_config *config,
                       const uint8_t seed[SEED_BYTES], const struct game_log *log)
{
    struct suppose *state = state_bytes;
    suppose_init(state, config, seed);
    state->start = (uint8_t)deal_stream_draw_below(&state->table.stream, config->players);
    deal_round(state, log);
}

/* Returns the legal moves of a seat that may move now. */
static struct move_set find_legal_moves(const struct suppose *state, uint8_t seat)
{
    struct move_set moves = move_set_empty();
    if (state->table.phase == SUPPOSE_PLAY) {
        moves.bits[0] = state->held[seat];
    } else if (state->arranged[seat] == SUPPOSE_NONE) {
        uint8_t present = suppose_get_colours_of_hand(&state->table.hands[seat]);
        moves.bits[SUPPOSE_ARRANGE_FIRST / 64] = suppose_find_orders_of_colours(present);
    } else {
        _Static_assert(SUPPOSE_PREDICT_FIRST + SUPPOSE_PREDICTIONS == SUPPOSE_ARRANGE_FIRST,
                       "the numbers of orders start in a new 64-bit word of the move set");
        moves.bits[0] = ~UINT64_C(0) << SUPPOSE_PREDICT_FIRST;
        moves.bits[1] = ~UINT64_C(0);
    }
    return moves;
}

static void add_legal_moves(const void *state_bytes, uint8_t seat, struct move_set *moves)
{
    const struct suppose *state = state_bytes;
    if ((state->table.to_act >> seat & 1) != 0) {
        *moves = find_legal_moves(state, seat);
    }
}

static void send_score_event(const struct suppose *state, const int16_t points[SEATS_MAX],
                             const struct game_log *log)
{
    struct score_row row FILLED_LATER;
    event_fill_score_row(&row, &state->table, points);
    row.part_count = SUPPOSE_PARTS;
    memset(row.parts, 0, sizeof(row.parts));
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        uint8_t tricks[2];
        uint8_t count = suppose_list_predicted_numbers(state->predicted[seat], tricks);
        row.parts[SUPPOSE_PART_TRICKS][seat] = row.tricks[seat];
        row.parts[SUPPOSE_PART_BONUS][seat] = (int16_t)(points[seat] - row.tricks[seat]);
        row.parts[SUPPOSE_PART_FIRST][seat] = tricks[0];
        row.parts[SUPPOSE_PART_SECOND][seat] = (int16_t)(count == 2 ? tricks[1] : -1);
    }
    event_send_score_row(log, &row);
}

/* Scores the finished round, then deals the next one or ends the game. */
__attribute__((noinline)) static void finish_round(struct suppose *state,
                                                   const struct game_log *log)
{
    struct table_state *table = &state->table;
    int16_t points[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        uint8_t taken = table->tricks[table->next[seat]];
        uint8_t bonus = suppose_compute_bonus(state->predicted[seat], taken);
        points[seat] = (int16_t)(table->tricks[seat] + bonus);
    }
    table_add_points(table, points);
    memcpy(state->last_predicted, state->predicted, sizeof(state->predicted));
    if (log != NULL) {
        send_score_event(state, points, log);
    }
    if (table->round < table->rounds) {
        state->start = table->next[state->start];
        deal_round(state, log);
        return;
    }
    table_end_game(table, table_fill_outcome, log);
}

static void send_hands_passed_event(const struct table_state *table, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "passed");
    event_add_hands(&event, table, &suppose_deck);
    event_send(log, &event);
}

/* Passes each arranged hand to the left, after all players have predicted. */
static void pass_hands_to_left(struct suppose *state, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t cards[SUPPOSE_SEATS_MAX][SUPPOSE_SLOTS];
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        suppose_sort_hand(&table->hands[seat], state->arranged[seat], cards[table->next[seat]]);
    }
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        suppose_give_arranged_hand(state, seat, cards[seat]);
    }
    table->phase = SUPPOSE_PLAY;
    table_set_lead(table, state->start);
    if (log != NULL) {
        send_hands_passed_event(table, log);
    }
}

static void apply_order_or_prediction(struct suppose *state, uint8_t seat, uint8_t move,
                                      const struct game_log *log)
{
    if (move >= SUPPOSE_ARRANGE_FIRST) {
        state->arranged[seat] = (uint8_t)(move - SUPPOSE_ARRANGE_FIRST);
        return;
    }
    state->predicted[seat] = (uint8_t)(move - SUPPOSE_PREDICT_FIRST);
    state->table.to_act = (uint8_t)(state->table.to_act & ~(1U << seat));
    if (state->table.to_act == 0) {
        pass_hands_to_left(state, log);
    }
}

/* Whether the card beats `best`: it is of the colour led and higher. An equal card does not beat
 * `best`. */
static bool card_beats(uint8_t card, uint8_t best)
{
    uint8_t face = get_number_of_first_copy(card);
    uint8_t best_face = get_number_of_first_copy(best);
    return face > best_face && face / SUPPOSE_VALUES == best_face / SUPPOSE_VALUES;
}

static void send_play_event(const struct table_state *table, uint8_t seat, uint8_t slot,
                            bool is_trick_finished, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "played");
    fields_add_number(&event, "seat", seat);
    event_add_card(&event, "card", &suppose_deck, table->slots[seat][slot]);
    fields_add_number(&event, "slot", slot);
    event_send(log, &event);
    if (is_trick_finished) {
        event_send_trick(log, table->best_seat);
    }
}

static void play_card_from_slot(struct suppose *state, uint8_t seat, uint8_t slot,
                                const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t card = table->slots[seat][slot];
    bool is_best = table->trick_count == 0 || card_beats(card, table->best_card);
    state->held[seat] = (uint16_t)(state->held[seat] & ~(1U << slot));
    bool is_trick_finished = table_play_card(table, seat, card, is_best);
    if (log != NULL) {
        send_play_event(table, seat, slot, is_trick_finished, log);
    }
    if (is_trick_finished && table->past_count == SUPPOSE_SLOTS) {
        finish_round(state, log);
    }
}

enum game_result suppose_apply_move(void *state_bytes, uint8_t seat, uint8_t move,
                                    const struct game_log *log)
{
    struct suppose *state = state_bytes;
    enum game_result turn = table_check_turn(&state->table, seat);
    if (turn != GAME_OK) {
        return turn;
    }
    struct move_set legal = find_legal_moves(state, seat);
    if (!move_set_has(&legal, move)) {
        return GAME_ILLEGAL;
    }
    state->table.step++;
    if (state->table.phase == SUPPOSE_PLAY) {
        play_card_from_slot(state, seat, move, log);
    } else {
        apply_order_or_prediction(state, seat, move, log);
    }
    return GAME_OK;
}

static void fill_view(const void *state_bytes, int8_t seat, struct game_view *view)
{
    const struct suppose *state = state_bytes;
    table_fill_view(&state->table, view);
    fields_add_number(&view->info, "start", state->start);
    if (seat != SPECTATOR && seat < (int8_t)state->table.seats) {
        suppose_write_prediction(&view->info, "prediction", state->predicted[seat]);
        suppose_write_colour_order(&view->info, "arranged", state->arranged[seat]);
    }
    if (state->last_predicted[0] == SUPPOSE_NONE) {
        fields_add_null(&view->info, "last_predictions");
        return;
    }
    uint16_t list = fields_open_list(&view->info, "last_predictions");
    for (uint8_t other = 0; other < state->table.seats; other++) {
        suppose_write_prediction(&view->info, NULL, state->last_predicted[other]);
    }
    fields_close(&view->info, list);
}

static uint8_t get_first_leader(const void *state_bytes)
{
    const struct suppose *state = state_bytes;
    return state->start;
}

static bool read_prediction(uint8_t move, uint8_t numbers[2])
{
    if (move < SUPPOSE_PREDICT_FIRST || move >= SUPPOSE_PREDICT_FIRST + SUPPOSE_PREDICTIONS) {
        return false;
    }
    if (suppose_list_predicted_numbers((uint8_t)(move - SUPPOSE_PREDICT_FIRST), numbers) == 1) {
        numbers[1] = numbers[0];
    }
    return true;
}

static void count_right_predictions(const struct score_row *row, uint8_t seat, uint32_t *hits,
                                    uint32_t *chances)
{
    *hits += row->parts[SUPPOSE_PART_BONUS][seat] > 0;
    *chances += 1;
}

const struct game_def suppose_game = {
    .id = "suppose",
    .title = N_("Suppose"),
    .seats_min = 3,
    .seats_max = SUPPOSE_SEATS_MAX,
    .short_form = {.players = 3, .minutes = 6},
    .deck = &suppose_deck,
    .phases = suppose_phases,
    .phase_count = ARRAY_LEN(suppose_phases),
    .state_size = sizeof(struct suppose),
    .tells_slots = true,
    .start = start_game,
    .first_leader = get_first_leader,
    .legal = add_legal_moves,
    .apply = suppose_apply_move,
    .view = fill_view,
    .sample = suppose_sample_state,
    .score = table_fill_outcome,
    .move_write = suppose_write_move,
    .bid = read_prediction,
    .encode = &suppose_encode,
    .face = &suppose_face,
    .stat = {.title = N_("right predictions"), .count = count_right_predictions},
};
