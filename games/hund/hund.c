#include "games/hund/hund.h"

#include "games/card.h"
#include "games/game.h"

#include <string.h>

#define CARDS (HUND_SUITS * HUND_VALUES)
/* how many numbers the designation pile holds; the basic game has one round for each number */
#define PILE HUND_SUITS
#define SELECT_SETS PILE /* how many designating cards ("sets") a round has */

static const struct option_value more_values[] = {
    {.number = 0, .title = N_("no")},
    {.number = 1, .title = N_("yes")},
};

static const struct option_value rounds_values[] = {
    {.number = 5}, {.number = 6}, {.number = 7}, {.number = 8}, {.number = 9}, {.number = 10},
};

static const struct option_value select_values[] = {
    {.number = 0, .title = N_("no: the five cards of a random number decide")},
    {.number = 1, .title = N_("yes: players choose the five deciding cards")},
};

static const struct option_def hund_options[] = {
    [HUND_MORE_CARDS] = {.key = "more-cards",
                         .title = N_("More cards"),
                         .type = OPTION_SWITCH,
                         .values = more_values,
                         .value_count = ARRAY_LEN(more_values)},
    [HUND_SELECTING] = {.key = "select",
                        .title = N_("Select sets"),
                        .type = OPTION_SWITCH,
                        .values = select_values,
                        .value_count = ARRAY_LEN(select_values)},
    [HUND_ROUNDS] = {.key = "rounds",
                     .title = N_("Rounds at most"),
                     .type = OPTION_NUMBER,
                     .values = rounds_values,
                     .value_count = ARRAY_LEN(rounds_values),
                     .needs = "select"},
};

static const char *const hund_phases[] = {
    [HUND_START] = N_("start"),
    [HUND_SELECT] = N_("select"),
    [HUND_PLAY] = N_("play"),
};

/* The number of values in each suit; the option `more-cards` adds half as many again. */
static uint8_t count_values_per_suit(bool has_more_cards, uint8_t players)
{
    uint8_t hands = players < 3 ? 3 : players;
    return (uint8_t)(has_more_cards ? 3 * hands : 2 * hands);
}

void hund_set_up_round(struct hund *state, uint8_t dealer)
{
    struct table_state *table = &state->table;
    uint8_t virtual_seat = hund_virtual_seat(state);
    state->dealer = dealer;
    state->first = HUND_SEAT_NONE;
    state->set_count = 0;
    hund_board_clear(&state->board);
    if (!state->has_select) {
        hund_board_designate_value(&state->board, state->pile[table->round - 1]);
    }
    if (virtual_seat != HUND_SEAT_NONE) {
        uint8_t other = (uint8_t)(1 - dealer);
        table->next[dealer] = virtual_seat;
        table->next[virtual_seat] = other;
        table->next[other] = dealer;
    }
}

static void deal_round(struct hund *state, uint8_t dealer)
{
    uint8_t cards[CARDS];
    uint8_t count = 0;
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        for (uint8_t value = 0; value < state->values; value++) {
            cards[count++] = (uint8_t)(suit * HUND_VALUES + value);
        }
    }
    table_deal(&state->table, cards, count, (uint8_t)(count / state->table.seats));
    hund_set_up_round(state, dealer);
    hund_virtual_lay_out_hand(state);
}

void hund_init(struct hund *state, const struct game_config *config, const uint8_t seed[SEED_BYTES])
{
    uint8_t players = config->players;
    table_init(&state->table, players == 2 ? 3 : players, config, seed);
    state->table.rounds = (uint8_t)rounds_values[config->options[HUND_ROUNDS]].number;
    state->values = count_values_per_suit(config->options[HUND_MORE_CARDS] != 0, players);
    state->has_select = config->options[HUND_SELECTING] != 0;
}

static void start_game(void *state_bytes, const struct game_config *config,
                       const uint8_t seed[SEED_BYTES], const struct game_log *log)
{
    struct hund *state = state_bytes;
    hund_init(state, config, seed);
    uint8_t dealer = (uint8_t)deal_stream_draw_below(&state->table.stream, config->players);
    uint8_t first = (uint8_t)deal_stream_draw_below(&state->table.stream, config->players);
    if (!state->has_select) {
        for (uint8_t i = 0; i < PILE; i++) {
            state->pile[i] = (uint8_t)(i + 1);
        }
        deal_stream_shuffle(&state->table.stream, state->pile, PILE);
    }
    deal_round(state, dealer);
    state->first = first;
    if (log != NULL) {
        hund_send_round_event(state, log);
    }
    hund_start_round(state, first, log);
}

/* A player who can follow the suit led must do so. */
static struct card_set playable_cards(const struct hund *state, uint8_t seat)
{
    struct card_set hand = state->table.hands[seat];
    if (state->table.trick_count == 0) {
        return hand;
    }
    uint8_t led = hund_suit(state->table.led_card);
    uint32_t follow = hund_values_of_suit(hand, led);
    return follow != 0 ? hund_cards_of_suit(led, follow) : hand;
}

/* The designating cards that can still be selected: cards whose number and suit are both not yet
 * taken. */
static struct card_set selectable_role_designating_cards(const struct hund *state)
{
    uint32_t numbers = (UINT32_C(1) << state->values) - 1;
    uint32_t suits = (UINT32_C(1) << HUND_SUITS) - 1;
    for (uint8_t i = 0; i < state->set_count; i++) {
        numbers &= ~(UINT32_C(1) << state->sets[i] % HUND_VALUES);
        suits &= ~(UINT32_C(1) << hund_suit(state->sets[i]));
    }
    struct card_set sets = {{0, 0}};
    for (; suits != 0; suits &= suits - 1) {
        struct card_set of_suit = hund_cards_of_suit(bits_index_of_lowest(suits), numbers);
        sets.bits[0] |= of_suit.bits[0];
        sets.bits[1] |= of_suit.bits[1];
    }
    return sets;
}

static void add_legal_moves(const void *state_bytes, uint8_t seat, struct move_set *moves)
{
    const struct hund *state = state_bytes;
    if ((state->table.to_act >> seat & 1) == 0) {
        return;
    }
    if (state->table.phase == HUND_PLAY) {
        struct card_set cards = playable_cards(state, seat);
        moves->bits[0] = cards.bits[0];
        moves->bits[1] = cards.bits[1];
    } else if (state->table.phase == HUND_SELECT) {
        struct card_set sets = selectable_role_designating_cards(state);
        unsigned shift = HUND_SELECT_FIRST % 64;
        moves->bits[1] = sets.bits[0] << shift;
        moves->bits[2] = sets.bits[0] >> (64 - shift) | sets.bits[1] << shift;
    } else {
        uint64_t seats = (UINT64_C(1) << state->table.seats) - 1;
        moves->bits[HUND_START_FIRST / 64] = seats << HUND_START_FIRST % 64;
    }
}

bool hund_game_is_over(const struct hund *state)
{
    const struct table_state *table = &state->table;
    bool is_over = table->round == table->rounds;
    for (uint8_t seat = 0; state->has_select && seat < table->seats; seat++) {
        is_over = is_over || table->scores[seat] >= HUND_TOTAL_HIGH ||
                  table->scores[seat] <= HUND_TOTAL_LOW;
    }
    return is_over;
}

/* The next round starts once its first player has been chosen. */
static void start_next_round(struct hund *state, const struct game_log *log)
{
    deal_round(state, (uint8_t)((state->dealer + 1) % state->table.players));
    state->table.phase = HUND_START;
    state->table.to_act = (uint8_t)(1U << state->chooser);
    if (log != NULL) {
        hund_send_round_event(state, log);
    }
}

/* Ends the round. Not inlined into hund_apply_move, because then every call of hund_apply_move
 * would make room for the result's arrays. */
__attribute__((noinline)) static void finish_round(struct hund *state, const struct game_log *log)
{
    struct hund_result result;
    hund_compute_result(state, &result);
    table_add_points(&state->table, result.points);
    state->chooser = result.chooser;
    bool is_over = hund_game_is_over(state);
    if (log != NULL) {
        hund_send_score_event(state, &result, is_over, log);
    }
    if (!is_over) {
        start_next_round(state, log);
        return;
    }
    table_end_game(&state->table, table_fill_outcome, log);
}

/* Finds the trick's winner again after a suit has become trump in the middle of the trick. Cards of
 * this suit that already lie in the trick now win. */
static void find_trick_winner_again(struct hund *state)
{
    struct table_state *table = &state->table;
    uint8_t first = (uint8_t)(table->play_count - table->trick_count);
    uint8_t seat = table->leads[table->past_count];
    for (uint8_t i = 0; i < table->trick_count; i++) {
        uint8_t card = table->plays[first + i];
        if (i == 0 || hund_card_beats(card, table->best_card, state->board.roles[HUND_TRUMP])) {
            table->best_card = card;
            table->best_seat = seat;
        }
        seat = table->next[seat];
    }
}

/* Adds a card to the trick. If it is a designating card, gives its suit the next role. The caller
 * ends the round. */
static void play_card(struct hund *state, uint8_t seat, uint8_t card, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t given = hund_board_give_roles(&state->board, card);
    if (given == 1 && state->board.count == HUND_TRUMP + 1) {
        find_trick_winner_again(state);
    }
    if (log != NULL) {
        event_send_played(log, &hund_deck, seat, card);
        hund_send_new_role_events(state, given, log);
    }
    bool is_best = table->trick_count == 0 ||
                   hund_card_beats(card, table->best_card, state->board.roles[HUND_TRUMP]);
    if (!table_play_card(table, seat, card, is_best)) {
        return;
    }
    if (hund_virtual_seat(state) != HUND_SEAT_NONE) {
        hund_virtual_uncover_cards(state);
    }
    if (log != NULL) {
        event_send_trick(log, table->best_seat);
    }
}

/* Carries out everything that needs no decision: the virtual player's plays and the end of the
 * round. */
static void make_automatic_plays(struct hund *state, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t seat = hund_virtual_seat(state);
    while (seat != HUND_SEAT_NONE && (table->to_act >> seat & 1) != 0 &&
           table->past_count < table->slot_count) {
        play_card(state, seat, hund_virtual_take_card(state), log);
    }
    if (table->past_count == table->slot_count) {
        finish_round(state, log);
    }
}

static void start_play_phase(struct hund *state, const struct game_log *log)
{
    state->table.phase = HUND_PLAY;
    table_set_lead(&state->table, state->first);
    make_automatic_plays(state, log);
}

/* The seat that selects a designating card after `seat` has selected one. */
static uint8_t next_selecting_seat(const struct hund *state, uint8_t seat)
{
    uint8_t next = state->table.next[seat];
    return next == hund_virtual_seat(state) ? state->table.next[next] : next;
}

void hund_start_round(struct hund *state, uint8_t first_player, const struct game_log *log)
{
    state->first = first_player;
    if (!state->has_select) {
        start_play_phase(state, log);
        return;
    }
    state->table.phase = HUND_SELECT;
    state->table.to_act = (uint8_t)(1U << next_selecting_seat(state, first_player));
}

static void select_role_designating_card(struct hund *state, uint8_t seat, uint8_t card,
                                         const struct game_log *log)
{
    state->sets[state->set_count++] = card;
    state->board.keys[hund_suit(card)] = card;
    state->table.to_act = (uint8_t)(1U << next_selecting_seat(state, seat));
    if (state->set_count == SELECT_SETS) {
        start_play_phase(state, log);
    }
}

enum game_result hund_apply_move(void *state_bytes, uint8_t seat, uint8_t move,
                                 const struct game_log *log)
{
    struct hund *state = state_bytes;
    enum game_result turn = table_check_turn(&state->table, seat);
    if (turn != GAME_OK) {
        return turn;
    }
    struct move_set legal = move_set_empty();
    add_legal_moves(state, seat, &legal);
    if (!move_set_has(&legal, move)) {
        return GAME_ILLEGAL;
    }
    state->table.step++;
    switch ((enum hund_phase)state->table.phase) {
    case HUND_START:
        hund_start_round(state, (uint8_t)(move - HUND_START_FIRST), log);
        break;
    case HUND_SELECT:
        select_role_designating_card(state, seat, (uint8_t)(move - HUND_SELECT_FIRST), log);
        break;
    case HUND_PLAY:
        play_card(state, seat, move, log);
        make_automatic_plays(state, log);
        break;
    }
    return GAME_OK;
}

static void write_move(uint8_t move, struct text *out)
{
    if (move < CARDS) {
        text_put(out, "play:");
        card_write_name(&hund_deck, move, out);
    } else if (move >= HUND_SELECT_FIRST && move < HUND_SELECT_FIRST + CARDS) {
        text_put(out, "select:");
        card_write_name(&hund_deck, (uint8_t)(move - HUND_SELECT_FIRST), out);
    } else if (move >= HUND_START_FIRST && move < HUND_START_FIRST + HUND_SUITS) {
        text_put(out, "start:");
        text_put_number(out, move - HUND_START_FIRST);
    }
}

/* Adds the round to the statistic: one chance, and one hit if the seat's hund cards scored
 * points. */
static void count_hund_bonuses(const struct score_row *row, uint8_t seat, uint32_t *hits,
                               uint32_t *chances)
{
    *hits += row->part_count == HUND_PARTS && row->parts[HUND_PART_HUND][seat] > 0;
    *chances += 1;
}

const struct game_def hund_game = {
    .id = "hund", /* stored in histories: never changes */
    .title = N_("HUND"),
    .seats_min = 2,
    .seats_max = 5,
    .seats_filled = 3,
    .options = hund_options,
    .option_count = ARRAY_LEN(hund_options),
    .short_form = {.players = 3, .minutes = 12},
    .deck = &hund_deck,
    .phases = hund_phases,
    .phase_count = ARRAY_LEN(hund_phases),
    .state_size = sizeof(struct hund),
    .start = start_game,
    .legal = add_legal_moves,
    .apply = hund_apply_move,
    .view = hund_fill_view,
    .sample = hund_sample_state,
    .score = table_fill_outcome,
    .move_write = write_move,
    .encode = &hund_encode,
    .claim = hund_claim,
    .face = &hund_face,
    .stat = {.title = N_("hund bonuses"), .count = count_hund_bonuses},
};
