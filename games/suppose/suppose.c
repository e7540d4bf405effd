#include "games/suppose/suppose.h"

#include "games/card.h"
#include "games/game.h"

#include <string.h>

#define COPIES 2
#define TRICK_COUNTS (SUPPOSE_SLOTS + 1)

static const struct suit_def suppose_suits[SUPPOSE_COLOURS] = {
    {.id = "red", .title = N_("red"), .letters = N_("R"), .tint = TINT_RED},
    {.id = "yellow", .title = N_("yellow"), .letters = N_("Y"), .tint = TINT_YELLOW},
    {.id = "green", .title = N_("green"), .letters = N_("G"), .tint = TINT_GREEN},
    {.id = "blue", .title = N_("blue"), .letters = N_("B"), .tint = TINT_BLUE},
};

const struct deck_def suppose_deck = {
    .suits = suppose_suits,
    .suit_count = SUPPOSE_COLOURS,
    .value_first = 1,
    .value_count = SUPPOSE_VALUES,
    .copies = COPIES,
};

static const uint8_t factorials[SUPPOSE_COLOURS + 1] = {1, 1, 2, 6, 24};

/* By set of colours: the number of the first order of these colours. A set is a number with one bit
 * per colour. */
static const uint8_t first_orders[1U << SUPPOSE_COLOURS] = {
    0, 0, 1, 2, 4, 5, 7, 9, 15, 16, 18, 20, 26, 28, 34, 40,
};

uint64_t suppose_find_orders_of_colours(uint8_t colours)
{
    uint64_t orders = (UINT64_C(1) << factorials[bits_count(colours)]) - 1;
    return orders << first_orders[colours];
}

static uint8_t get_colour_set_of_order(uint8_t colour_order)
{
    uint8_t colours = (1U << SUPPOSE_COLOURS) - 1;
    while (first_orders[colours] > colour_order) {
        colours--;
    }
    return colours;
}

/* The orders of one set of colours are numbered in lexicographic order. */
uint8_t suppose_list_colours_of_order(uint8_t colour_order, uint8_t colours[SUPPOSE_COLOURS])
{
    uint8_t left = get_colour_set_of_order(colour_order);
    uint8_t rest = (uint8_t)(colour_order - first_orders[left]);
    uint8_t count = bits_count(left);
    for (uint8_t i = 0; i < count; i++) {
        uint8_t tails = factorials[count - 1 - i];
        colours[i] = bits_index_of_nth_set_bit(left, rest / tails);
        left = (uint8_t)(left & ~(1U << colours[i]));
        rest = rest % tails;
    }
    return count;
}

uint8_t suppose_find_order_with_colours(const uint8_t *colours, uint8_t count)
{
    unsigned left = 0;
    for (uint8_t i = 0; i < count; i++) {
        if (colours[i] >= SUPPOSE_COLOURS || (left >> colours[i] & 1) != 0) {
            return SUPPOSE_NONE;
        }
        left |= 1U << colours[i];
    }
    uint8_t colour_order = first_orders[left];
    for (uint8_t i = 0; i < count; i++) {
        uint8_t before = bits_count(left & ((1U << colours[i]) - 1));
        colour_order = (uint8_t)(colour_order + before * factorials[count - 1 - i]);
        left &= ~(1U << colours[i]);
    }
    return count == 0 ? SUPPOSE_NONE : colour_order;
}

uint8_t suppose_list_predicted_numbers(uint8_t prediction, uint8_t tricks[2])
{
    if (prediction < TRICK_COUNTS) {
        tricks[0] = prediction;
        return 1;
    }
    uint8_t rest = (uint8_t)(prediction - TRICK_COUNTS);
    tricks[0] = 0;
    for (uint8_t pairs = TRICK_COUNTS - 1; rest >= pairs; pairs--) {
        rest = (uint8_t)(rest - pairs);
        tricks[0]++;
    }
    tricks[1] = (uint8_t)(tricks[0] + 1 + rest);
    return 2;
}

uint8_t suppose_compute_bonus(uint8_t prediction, uint8_t tricks_taken)
{
    uint8_t tricks[2];
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    if (count == 1) {
        return tricks[0] == tricks_taken ? SUPPOSE_BONUS_ONE : 0;
    }
    return tricks[0] == tricks_taken || tricks[1] == tricks_taken ? SUPPOSE_BONUS_TWO : 0;
}

static void write_colour_order(UNUSED const struct game_view *view, const char *key,
                               uint8_t colour_order, struct text *out)
{
    uint8_t colours[SUPPOSE_COLOURS];
    json_open(out, key, '[');
    uint8_t count = suppose_list_colours_of_order(colour_order, colours);
    for (uint8_t i = 0; i < count; i++) {
        json_put_text(out, NULL, suppose_deck.suits[colours[i]].id);
    }
    json_close(out, ']');
}

static void write_predict_move(uint8_t prediction, struct text *out)
{
    uint8_t tricks[2];
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i == 0 ? "" : ",");
        text_put_number(out, tricks[i]);
    }
}

static void write_prediction(UNUSED const struct game_view *view, const char *key,
                             uint8_t prediction, struct text *out)
{
    json_open(out, key, '[');
    write_predict_move(prediction, out);
    json_close(out, ']');
}

#define AT(member) offsetof(struct suppose_known, member)

static const struct info_def suppose_info[] = {
    {"start", .form = INFO_SEAT, .at = AT(start)},
    {"prediction", .form = INFO_OWN, .absence = INFO_PRIVATE, .at = AT(prediction),
     .write = write_prediction, .end = SUPPOSE_PREDICTIONS},
    {"arranged", .form = INFO_OWN, .absence = INFO_PRIVATE, .at = AT(arranged),
     .write = write_colour_order, .end = SUPPOSE_ARRANGEMENTS},
    {"last_predictions", .form = INFO_OWN, .repeat = INFO_LIST, .absence = INFO_NULL,
     .at = AT(last_predictions), .write = write_prediction, .end = SUPPOSE_PREDICTIONS,
     .most = SUPPOSE_SEATS_MAX},
    {0},
};

static void write_arrange_move(uint8_t colour_order, struct text *out)
{
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t count = suppose_list_colours_of_order(colour_order, colours);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i == 0 ? "" : ",");
        text_put(out, suppose_deck.suits[colours[i]].id);
    }
}

static const struct move_def suppose_moves[] = {
    {"play", MOVE_SLOT, SUPPOSE_PLAY, .first = 0, .count = SUPPOSE_SLOTS},
    {"predict", MOVE_OWN, SUPPOSE_PREPARE, SUPPOSE_PREDICT_FIRST, SUPPOSE_PREDICTIONS,
     write_predict_move},
    {"arrange", MOVE_OWN, SUPPOSE_PREPARE, SUPPOSE_ARRANGE_FIRST, SUPPOSE_ARRANGEMENTS,
     write_arrange_move},
    {0},
};

#define COLOUR_MASK ((UINT64_C(1) << SUPPOSE_VALUES) - 1)
#define ALL_SLOTS ((1U << SUPPOSE_SLOTS) - 1)

static const struct phase_def suppose_phases[] = {
    [SUPPOSE_PREPARE] = {N_("prepare"), .turn = N_("to prepare"),
                         .ready = N_("you are ready; the others are not yet"), .is_sorted = true},
    [SUPPOSE_PLAY] = {N_("play")},
};

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
    struct game_event event FILLED_LATER;
    event_init_round(&event, &state->table, &suppose_deck);
    json_put_number(&event.json, "start", state->table.leads[0]);
    json_open(&event.json, "rest", '[');
    for (uint8_t i = 0; i < undealt_count; i++) {
        json_put_card(&event.json, NULL, &suppose_deck, undealt[i]);
    }
    json_close(&event.json, ']');
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

static void init_game(void *state_bytes, const struct game_config *config)
{
    struct suppose *state = state_bytes;
    state->table.rounds = config->players;
    memset(state->last_predicted, SUPPOSE_NONE, sizeof(state->last_predicted));
}

static void start_game(void *state_bytes, const struct game_log *log)
{
    struct suppose *state = state_bytes;
    struct table_state *table = &state->table;
    table->leads[0] = (uint8_t)deal_stream_draw_below(&table->stream, table->players);
    deal_round(state, log);
}

static void add_legal_moves(const void *state_bytes, uint8_t seat, struct move_set *moves)
{
    const struct suppose *state = state_bytes;
    if (state->table.phase == SUPPOSE_PLAY) {
        moves->bits[0] = state->held[seat];
    } else if (state->arranged[seat] == SUPPOSE_NONE) {
        uint8_t present = suppose_get_colours_of_hand(&state->table.hands[seat]);
        moves->bits[SUPPOSE_ARRANGE_FIRST / 64] = suppose_find_orders_of_colours(present);
    } else {
        _Static_assert(SUPPOSE_PREDICT_FIRST + SUPPOSE_PREDICTIONS == SUPPOSE_ARRANGE_FIRST,
                       "the numbers of orders start in a new 64-bit word of the move set");
        moves->bits[0] = ~UINT64_C(0) << SUPPOSE_PREDICT_FIRST;
        moves->bits[1] = ~UINT64_C(0);
    }
}

static void send_score_event(const struct suppose *state, const int16_t points[SEATS_MAX],
                             const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_score(&event, &state->table, points);
    event.row.part_count = SUPPOSE_PARTS;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        uint8_t tricks[2];
        uint8_t count = suppose_list_predicted_numbers(state->predicted[seat], tricks);
        event.row.parts[SUPPOSE_PART_TRICKS][seat] = event.row.tricks[seat];
        event.row.parts[SUPPOSE_PART_BONUS][seat] =
            (int16_t)(points[seat] - event.row.tricks[seat]);
        event.row.parts[SUPPOSE_PART_FIRST][seat] = tricks[0];
        event.row.parts[SUPPOSE_PART_SECOND][seat] = (int16_t)(count == 2 ? tricks[1] : -1);
    }
    event_send(log, &event);
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
        table->leads[0] = table->next[table->leads[0]];
        deal_round(state, log);
        return;
    }
    table_end_game(table, table_fill_outcome, log);
}

static void send_hands_passed_event(const struct table_state *table, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
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
    table_set_lead(table, table->leads[0]);
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
    uint8_t face = card % SUPPOSE_FACES;
    uint8_t best_face = best % SUPPOSE_FACES;
    return face > best_face && face / SUPPOSE_VALUES == best_face / SUPPOSE_VALUES;
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
        event_send_played(log, &suppose_deck, seat, card, slot);
    }
    if (log != NULL && is_trick_finished) {
        event_send_trick(log, table->best_seat);
    }
    if (is_trick_finished && table->past_count == SUPPOSE_SLOTS) {
        finish_round(state, log);
    }
}

static void apply_move(void *state_bytes, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct suppose *state = state_bytes;
    if (state->table.phase == SUPPOSE_PLAY) {
        play_card_from_slot(state, seat, move, log);
    } else {
        apply_order_or_prediction(state, seat, move, log);
    }
}

static void fill_view(const void *state_bytes, int8_t seat, struct game_view *view)
{
    const struct suppose *state = state_bytes;
    struct suppose_known *known = (void *)view->info;
    known->start = state->table.leads[0];
    if (seat != SPECTATOR && seat < (int8_t)view->seats) {
        known->prediction = state->predicted[seat];
        known->arranged = state->arranged[seat];
    }
    memcpy(known->last_predictions, state->last_predicted, view->seats);
}

static bool was_prediction_right(const struct score_row *row, uint8_t seat)
{
    return row->parts[SUPPOSE_PART_BONUS][seat] > 0;
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
    .init = init_game,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = fill_view,
    .info = suppose_info,
    .sample = suppose_sample_state,
    .score = table_fill_outcome,
    .moves = suppose_moves,
    .encode = &suppose_encode,
    .face = &suppose_face,
    .stat = {.title = N_("right predictions"), .is_hit = was_prediction_right},
};
