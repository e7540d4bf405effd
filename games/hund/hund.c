#include "games/hund/hund.h"

#include "games/card.h"
#include "games/claim.h"
#include "games/game.h"
#include "games/hidden.h"

#include <stddef.h>
#include <string.h>

static const struct suit_def hund_suits[] = {
    {.id = "grey", .title = N_("grey"), .letters = N_("Gr"), .tint = TINT_GREY},
    {.id = "purple", .title = N_("purple"), .letters = N_("Pu"), .tint = TINT_PURPLE},
    {.id = "pink", .title = N_("pink"), .letters = N_("Pi"), .tint = TINT_PINK},
    {.id = "green", .title = N_("green"), .letters = N_("Gn"), .tint = TINT_GREEN},
    {.id = "yellow", .title = N_("yellow"), .letters = N_("Ye"), .tint = TINT_YELLOW},
};

const struct deck_def hund_deck = {
    .suits = hund_suits,
    .suit_count = ARRAY_LEN(hund_suits),
    .value_first = 1,
    .value_count = HUND_VALUES,
};

/* Empties the board: no designating cards and no roles. */
static void hund_board_clear(struct hund_board *board)
{
    memset(board->keys, CARD_NONE, sizeof(board->keys));
    memset(board->roles, SUIT_NONE, sizeof(board->roles));
    board->count = 0;
}

static void hund_board_designate_value(struct hund_board *board, uint8_t value)
{
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        board->keys[suit] = card_of(&hund_deck, suit, value);
    }
}

uint8_t hund_board_give_roles(struct hund_board *board, uint8_t card)
{
    uint8_t suit = hund_suit(card);
    if (card != board->keys[suit] || board->count > HUND_MINUS) {
        return 0;
    }
    board->roles[board->count++] = suit;
    if (board->count < HUND_LEAD) {
        return 1;
    }
    unsigned rest = (1U << HUND_SUITS) - 1;
    for (uint8_t role = 0; role < board->count; role++) {
        rest &= ~(1U << board->roles[role]);
    }
    board->roles[board->count++] = bits_index_of_lowest(rest);
    return 2;
}

void hund_board_begin(const struct game_view *view, struct hund_board *board)
{
    const struct hund_known *known = hund_known(view);
    hund_board_clear(board);
    if (known->designator != INFO_NONE) {
        hund_board_designate_value(board, known->designator);
    }
    for (const uint8_t *set = known->sets; *set != CARD_NONE; set++) {
        board->keys[hund_suit(*set)] = *set;
    }
}

void hund_board_read_view(const struct game_view *view, struct hund_board *board)
{
    struct view_play play;
    hund_board_begin(view, board);
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        if (play.card < card_count(&hund_deck)) {
            hund_board_give_roles(board, play.card);
        }
    }
}

/* Once all roles are given, the cards that a player takes decide the points. */
static const char *hund_claim(const struct game_view *view, const struct game_config *config,
                              struct claim_facts *facts)
{
    struct hund_board board;
    if (view->phase != HUND_PLAY) {
        return N_("No tricks can be claimed before the round is played.");
    }
    hund_board_read_view(view, &board);
    if (board.count < HUND_ROLES) {
        return N_("No tricks can be claimed yet: deciding cards still ahead change what the suits "
                  "are worth. Claim when all five roles are given.");
    }
    facts->trump = board.roles[HUND_TRUMP];
    uint8_t values = (uint8_t)(view->slot_count[0] * view->seats / HUND_SUITS);
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        struct card_set cards = hund_cards_of_suit(suit, (UINT32_C(1) << values) - 1);
        facts->cards.bits[0] |= cards.bits[0];
        facts->cards.bits[1] |= cards.bits[1];
    }
    if (config->players < view->seats) {
        facts->open_seats = (uint8_t)(1U << config->players); /* the virtual player */
    }
    return NULL;
}

/* Collects the cards in each seat's tricks. */
static void collect_taken_cards(const struct table_state *table, struct card_set taken[SEATS_MAX])
{
    memset(taken, 0, SEATS_MAX * sizeof(taken[0]));
    const uint8_t *cards = table->plays;
    for (uint8_t trick = 0; trick < table->past_count; trick++, cards += table->seats) {
        uint64_t *bits = taken[table->leads[trick + 1]].bits;
        for (uint8_t i = 0; i < table->seats; i++) {
            bits[cards[i] / 64] |= UINT64_C(1) << cards[i] % 64;
        }
    }
}

/* Gives the bonus to seats with neither the most nor the fewest hund cards. When all seats have
 * equally many, each has both the most and the fewest. */
static void hund_fill_bonuses(const uint8_t hund_card_counts[SEATS_MAX], uint8_t seat_count,
                              int16_t points[SEATS_MAX])
{
    uint8_t most = 0;
    uint8_t fewest = UINT8_MAX;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        most = hund_card_counts[seat] > most ? hund_card_counts[seat] : most;
        fewest = hund_card_counts[seat] < fewest ? hund_card_counts[seat] : fewest;
    }
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        points[seat] =
            hund_card_counts[seat] != most && hund_card_counts[seat] != fewest ? HUND_BONUS : 0;
    }
}

/* The player with the most cards of the lead suit; of players with equally many, the one with the
 * highest card of that suit. A virtual player does not choose: then the best of the other players
 * chooses, or the dealer when no other player has a card of that suit. */
static uint8_t find_first_player_chooser(const struct hund *state, const struct card_set *taken)
{
    uint8_t chooser = state->dealer;
    uint32_t best = 0;
    for (uint8_t seat = 0; seat < state->table.players; seat++) {
        /* No card is in two sets, so of two sets compared as numbers the one with the highest card
         * is greater. */
        uint32_t values = hund_values_of_suit(taken[seat], state->board.roles[HUND_LEAD]);
        uint32_t key = (uint32_t)bits_count(values) << HUND_VALUES | values;
        chooser = key > best ? seat : chooser;
        best = key > best ? key : best;
    }
    return chooser;
}

void hund_fill_points(const struct hund_board *board, uint8_t seats,
                      uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX], struct hund_result *result)
{
    uint8_t of_role[HUND_ROLES][SEATS_MAX] = {{0}};
    for (uint8_t i = 0; i < board->count * seats; i++) {
        uint8_t role = i / seats, seat = i % seats;
        of_role[role][seat] = counts[seat][board->roles[role]];
    }
    hund_fill_bonuses(of_role[HUND_HUND], seats, result->parts[HUND_PART_HUND]);
    for (uint8_t seat = 0; seat < seats; seat++) {
        int16_t plus = of_role[HUND_PLUS][seat], minus = of_role[HUND_MINUS][seat];
        result->parts[HUND_PART_PLUS][seat] = plus;
        result->parts[HUND_PART_MINUS][seat] = (int16_t)-minus;
        result->points[seat] = (int16_t)(plus + result->parts[HUND_PART_HUND][seat] - minus);
    }
}

void hund_compute_result(const struct hund *state, struct hund_result *result)
{
    const struct table_state *table = &state->table;
    struct card_set taken[SEATS_MAX];
    uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX] = {{0}};
    collect_taken_cards(table, taken);
    for (uint8_t i = 0; i < table->seats * HUND_SUITS; i++) {
        uint8_t seat = i / HUND_SUITS, suit = i % HUND_SUITS;
        counts[seat][suit] = bits_count(hund_values_of_suit(taken[seat], suit));
    }
    hund_fill_points(&state->board, table->seats, counts, result);
    result->chooser = find_first_player_chooser(state, taken);
}

static const char *const role_names[] = {
    [HUND_TRUMP] = "trump", [HUND_PLUS] = "plus", [HUND_HUND] = "hund",
    [HUND_MINUS] = "minus", [HUND_LEAD] = "lead",
};

/* Functions that send events and fill views. `log` is not NULL. */
static void hund_send_round_event(const struct hund *state, const struct game_log *log)
{
    const struct table_state *table = &state->table;
    struct game_event event FILLED_LATER;
    event_init_round(&event, table, &hund_deck);
    json_put_number(&event.json, "dealer", state->dealer);
    json_open(&event.json, "order", '[');
    for (uint8_t i = 0, seat = table->next[state->dealer]; i < table->seats; i++) {
        json_put_number(&event.json, NULL, seat);
        seat = table->next[seat];
    }
    json_close(&event.json, ']');
    if (state->has_select) {
        json_put_null(&event.json, "designator");
    } else {
        json_put_number(&event.json, "designator", state->pile[table->round - 1]);
    }
    if (table->round == 1) {
        json_put_number(&event.json, "first", state->first);
    }
    event_send(log, &event);
}

static void hund_send_new_role_events(const struct hund *state, uint8_t new_role_count,
                                      const struct game_log *log)
{
    for (uint8_t role = (uint8_t)(state->board.count - new_role_count); role < state->board.count;
         role++) {
        struct game_event event FILLED_LATER;
        event_init(&event, "designated");
        json_put_text(&event.json, "role", role_names[role]);
        json_put_text(&event.json, "suit", hund_deck.suits[state->board.roles[role]].id);
        event_send(log, &event);
    }
}

static void hund_send_score_event(const struct hund *state, const struct hund_result *result,
                                  bool is_over, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_score(&event, &state->table, result->points);
    event.row.part_count = HUND_PARTS;
    memcpy(event.row.parts, result->parts, sizeof(result->parts));
    if (!is_over) {
        json_put_number(&event.json, "lead", result->chooser);
        event.row.choosers = (uint8_t)(1U << result->chooser);
    }
    event_send(log, &event);
}

static void hund_fill_view(const void *state_bytes, UNUSED int8_t viewer, struct game_view *view)
{
    const struct hund *state = state_bytes;
    struct hund_known *known = (void *)view->info;
    known->dealer = state->dealer;
    known->first = state->first;
    for (uint8_t i = 0, seat = state->dealer; i < view->seats; i++) {
        seat = state->table.next[seat];
        known->order[i] = seat;
    }
    if (!state->has_select) {
        known->designator = state->pile[state->table.round - 1];
        memcpy(known->past_designators, state->pile, state->table.round - 1U);
    }
    memcpy(known->sets, state->sets, state->set_count);
}

static void write_designated(const struct game_view *view, const char *key, UNUSED uint8_t value,
                             struct text *out)
{
    struct hund_board board;
    hund_board_read_view(view, &board);
    json_open(out, key, '{');
    for (uint8_t role = 0; role < board.count; role++) {
        json_put_text(out, role_names[role], hund_deck.suits[board.roles[role]].id);
    }
    json_close(out, '}');
}

#define AT(member) offsetof(struct hund_known, member)

static const struct info_def hund_info[] = {
    {"dealer", .form = INFO_SEAT, .at = AT(dealer)},
    {"order", .form = INFO_SEAT, .repeat = INFO_BY_SEAT, .at = AT(order)},
    {"designator", .absence = INFO_NULL, .at = AT(designator), .end = HUND_SUITS + 1},
    {"past_designators", .repeat = INFO_LIST, .at = AT(past_designators), .end = HUND_SUITS + 1,
     .most = HUND_SUITS},
    {"first", .form = INFO_SEAT, .absence = INFO_NULL, .at = AT(first)},
    {"designated", .form = INFO_OWN, .write = write_designated},
    {"sets", .form = INFO_CARD, .repeat = INFO_LIST, .at = AT(sets), .most = HUND_SUITS},
    {0},
};

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

static const struct phase_def hund_phases[] = {
    [HUND_START] = {N_("start"), .turn = N_("to choose who leads")},
    [HUND_SELECT] = {N_("select"), .turn = N_("to name a card")},
    [HUND_PLAY] = {N_("play")},
};

/* The number of values in each suit; the option `more-cards` adds half as many again. */
static uint8_t count_values_per_suit(bool has_more_cards, uint8_t players)
{
    uint8_t hands = players < 3 ? 3 : players;
    return (uint8_t)(has_more_cards ? 3 * hands : 2 * hands);
}

uint8_t hund_virtual_choose_column(const uint8_t tops[HUND_COLUMNS], uint8_t led)
{
    uint8_t leftmost = HUND_COLUMNS;
    for (uint8_t column = HUND_COLUMNS; column-- > 0;) {
        leftmost = tops[column] != CARD_NONE ? column : leftmost;
    }
    for (uint8_t column = leftmost; column < HUND_COLUMNS && led != SUIT_NONE; column++) {
        if (tops[column] != CARD_NONE && hund_suit(tops[column]) == led) {
            return column;
        }
    }
    return leftmost;
}

/* The slot of a column's card number `height`, counted from 1 at the bottom. */
static uint8_t slot_in_column(uint8_t column, uint8_t height)
{
    return (uint8_t)(HUND_COLUMNS * (height - 1) + column);
}

/* Turns face up the cards that the trick uncovered. */
static void hund_virtual_uncover_cards(struct hund *state)
{
    uint8_t *sight = state->table.sight[hund_virtual_seat(state)];
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        if (state->left[column] > 0) {
            sight[slot_in_column(column, state->left[column])] = UINT8_MAX;
        }
    }
}

void hund_virtual_lay_out_hand(struct hund *state)
{
    uint8_t seat = hund_virtual_seat(state);
    if (seat == HUND_SEAT_NONE) {
        return;
    }
    memset(state->table.sight[seat], 0, sizeof(state->table.sight[seat]));
    memset(state->left, state->table.slot_count / HUND_COLUMNS, sizeof(state->left));
    hund_virtual_uncover_cards(state);
}

/* Takes from the display the card that the virtual player's rules choose, and returns it. */
static uint8_t hund_virtual_take_card(struct hund *state)
{
    const uint8_t *slots = state->table.slots[hund_virtual_seat(state)];
    uint8_t tops[HUND_COLUMNS];
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        uint8_t left = state->left[column];
        tops[column] = left > 0 ? slots[slot_in_column(column, left)] : CARD_NONE;
    }
    uint8_t led = state->table.trick_count > 0 ? hund_suit(state->table.led_card) : SUIT_NONE;
    uint8_t column = hund_virtual_choose_column(tops, led);
    state->left[column]--;
    return tops[column];
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

static void init_game(void *state_bytes, const struct game_config *config)
{
    struct hund *state = state_bytes;
    uint8_t players = config->players;
    state->table.rounds = (uint8_t)rounds_values[config->options[HUND_ROUNDS]].number;
    state->values = count_values_per_suit(config->options[HUND_MORE_CARDS] != 0, players);
    state->has_select = config->options[HUND_SELECTING] != 0;
}

static void start_game(void *state_bytes, const struct game_log *log)
{
    struct hund *state = state_bytes;
    struct table_state *table = &state->table;
    uint8_t dealer = (uint8_t)deal_stream_draw_below(&table->stream, table->players);
    uint8_t first = (uint8_t)deal_stream_draw_below(&table->stream, table->players);
    if (!state->has_select) {
        for (uint8_t i = 0; i < PILE; i++) {
            state->pile[i] = (uint8_t)(i + 1);
        }
        deal_stream_shuffle(&table->stream, state->pile, PILE);
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

/* Ends the round. Not inlined into apply_move, because then every call of apply_move would make
 * room for the result's arrays. */
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
        event_send_played(log, &hund_deck, seat, card, SLOT_NONE);
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
    state->table.leads[0] = first_player;
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

static void apply_move(void *state_bytes, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct hund *state = state_bytes;
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
}

static const struct move_def hund_moves[] = {
    {"play", MOVE_CARD, HUND_PLAY, .first = 0, .count = CARDS},
    {"select", MOVE_CARD, HUND_SELECT, .first = HUND_SELECT_FIRST, .count = CARDS},
    {"start", MOVE_SEAT, HUND_START, .first = HUND_START_FIRST, .count = HUND_SEATS_MAX},
    {0},
};

static bool has_hund_bonus(const struct score_row *row, uint8_t seat)
{
    return row->part_count == HUND_PARTS && row->parts[HUND_PART_HUND][seat] > 0;
}

/* views of real games need about 25 steps, one in 10^6 needs 40,000 */
#define TRACE_STEPS_MAX (UINT32_C(1) << 20)
#define CARD_COVERED 0xFE /* the top card of a column, face down until the trick is over */

/*
 * The search for the column from which each card was played. A view does not tell these columns, so
 * the search goes backwards. It starts from the current display and puts the last card back on a
 * column from which the rules would have taken the card, then the card before, and so on. Where
 * several columns are possible, it tries them one after the other.
 */
struct virtual_trace {
    uint8_t count;            /* number of cards played */
    uint8_t cards[SLOTS_MAX]; /* the cards played, in the order of the plays */
    uint8_t
        led[SLOTS_MAX]; /* the suit each card had to follow; SUIT_NONE for a card that was led */
    uint8_t leftmost[SLOTS_MAX]; /* by card: the number of earlier cards that did not follow suit */
    uint8_t columns[SLOTS_MAX];  /* the column to which each card goes back */
    uint8_t covers[SLOTS_MAX];   /* by card: the card that it covers when it is put back */
    uint8_t tops[HUND_COLUMNS];  /* the tops of the columns at the point the search has reached */
    uint8_t left[HUND_COLUMNS];  /* the number of cards in each column at the point the search has
                                    reached */
    uint8_t rows;
    uint8_t done; /* number of cards played in finished tricks; the cards that these uncovered are
                     face up */
};

static void read_plays_of_seat(const struct game_view *view, uint8_t seat,
                               struct virtual_trace *trace)
{
    struct view_play play;
    uint8_t led = SUIT_NONE;
    uint8_t leftmost = 0;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        led = i % view->seats == 0 ? SUIT_NONE : led;
        if (play.seat == seat && trace->count < SLOTS_MAX) {
            trace->cards[trace->count] = play.card;
            trace->led[trace->count] = led;
            trace->leftmost[trace->count++] = leftmost;
            leftmost = (uint8_t)(leftmost + (hund_suit(play.card) != led));
            trace->done = (uint8_t)(trace->done + (i / view->seats < view->past_count));
        }
        led = i % view->seats == 0 ? hund_suit(play.card) : led;
    }
}

/* Reads a column of the display: only the slots above its cards may be empty. False when the view
 * cannot be a virtual player's display. */
static bool read_column(const struct view_slot *hand, uint8_t column, struct virtual_trace *trace)
{
    trace->tops[column] = CARD_NONE;
    for (uint8_t height = 1; height <= trace->rows; height++) {
        const struct view_slot *slot = &hand[slot_in_column(column, height)];
        if (slot->is_empty) {
            continue;
        }
        if (trace->left[column] + 1 != height) {
            return false;
        }
        trace->left[column] = height;
        trace->tops[column] = slot->card == CARD_NONE ? CARD_COVERED : slot->card;
    }
    return true;
}

static bool read_display(const struct game_view *view, uint8_t seat, struct virtual_trace *trace)
{
    uint8_t left = 0;
    trace->rows = view->slot_count[seat] / HUND_COLUMNS;
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        if (!read_column(view->hands[seat], column, trace)) {
            return false;
        }
        left = (uint8_t)(left + trace->left[column]);
    }
    return left + trace->count == view->slot_count[seat];
}

/* Puts the card with this index back on a column. False when the rules would not have taken the
 * card from that column. */
static bool put_card_back(struct virtual_trace *trace, uint8_t index, uint8_t column)
{
    uint8_t covers = trace->tops[column];
    bool is_turned_up = covers != CARD_NONE && covers != CARD_COVERED;
    if (trace->left[column] == trace->rows || (index >= trace->done && is_turned_up)) {
        return false;
    }
    trace->tops[column] = trace->cards[index];
    bool is_rule = hund_virtual_choose_column(trace->tops, trace->led[index]) == column;
    for (uint8_t other = 0; other < HUND_COLUMNS; other++) {
        is_rule = is_rule && trace->tops[other] != CARD_COVERED;
    }
    if (!is_rule) {
        trace->tops[column] = covers;
        return false;
    }
    trace->left[column]++;
    trace->columns[index] = column;
    trace->covers[index] = covers;
    return true;
}

static void take_card_off_again(struct virtual_trace *trace, uint8_t index)
{
    uint8_t column = trace->columns[index];
    trace->left[column]--;
    trace->tops[column] = trace->covers[index];
}

/* Whether the display has room for all earlier cards that did not follow suit. Each of these cards
 * was the leftmost card when it was played, so it lay left of the present leftmost card, or above
 * that card. */
static bool has_room_for_earlier_cards(const struct virtual_trace *trace, uint8_t index)
{
    uint8_t room = 0;
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        room = (uint8_t)(room + trace->rows - trace->left[column]);
        if (trace->left[column] > 0) {
            break;
        }
    }
    return trace->leftmost[index] <= room;
}

/* Puts the card with this index back on the rightmost possible column before `column_end`. False
 * when there is none. Tries the rightmost column first, because the rules empty the left columns
 * first: going backwards, the left columns are filled last. */
static bool put_card_back_before_column(struct virtual_trace *trace, uint8_t index,
                                        uint8_t column_end)
{
    for (uint8_t column = column_end; column-- > 0;) {
        bool is_put = put_card_back(trace, index, column);
        if (is_put && has_room_for_earlier_cards(trace, index)) {
            return true;
        }
        if (is_put) {
            take_card_off_again(trace, index);
        }
    }
    return false;
}

bool hund_virtual_trace_plays(const struct game_view *view, uint8_t slots[SLOTS_MAX])
{
    uint8_t seat = (uint8_t)(view->seats - 1);
    struct virtual_trace trace = {.count = 0};
    read_plays_of_seat(view, seat, &trace);
    if (!read_display(view, seat, &trace)) {
        return false;
    }
    uint8_t at = trace.count; /* number of cards not yet put back */
    uint8_t column_end = HUND_COLUMNS;
    for (uint32_t steps = 0; at > 0; steps++) {
        if (put_card_back_before_column(&trace, (uint8_t)(at - 1), column_end)) {
            at--;
            slots[at] = slot_in_column(trace.columns[at], trace.left[trace.columns[at]]);
            column_end = HUND_COLUMNS;
            continue;
        }
        if (at == trace.count || steps >= TRACE_STEPS_MAX) {
            return false;
        }
        column_end = trace.columns[at];
        take_card_off_again(&trace, at++);
    }
    return true;
}

/* Moves a number of the designation pile to a round (from 0). The numbers of rounds before `from`
 * stay where they are; false when the number is among them or is no number of the pile. */
static bool put_number_at_round(struct hund *state, uint8_t from, uint8_t round, uint8_t number)
{
    uint8_t at = from;
    while (at < HUND_SUITS && state->pile[at] != number) {
        at++;
    }
    if (at == HUND_SUITS) {
        return false;
    }
    state->pile[at] = state->pile[round];
    state->pile[round] = number;
    return true;
}

/* Fills in the designation pile, which has one number for each round. The current round's number
 * and those of earlier rounds are known; the other numbers are in random order. */
static bool fill_designation_pile_at_random(const struct game_view *view, struct hund *state,
                                            struct quick_random *random)
{
    const struct hund_known *known = hund_known(view);
    if (state->has_select) {
        return known->designator == INFO_NONE && known->past_designators[0] == INFO_NONE;
    }
    for (uint8_t i = 0; i < HUND_SUITS; i++) {
        uint8_t other = (uint8_t)quick_random_draw_below(random, i + 1U);
        state->pile[i] = state->pile[other];
        state->pile[other] = (uint8_t)(i + 1);
    }
    uint8_t round = 0;
    for (; round + 1 < view->round; round++) {
        if (!put_number_at_round(state, round, round, known->past_designators[round])) {
            return false;
        }
    }
    return put_number_at_round(state, round, round, known->designator);
}

/* Reads the basic facts of the round: round, number, dealer and first player. */
static bool read_round_from_view(const struct game_view *view, struct hund *state,
                                 struct quick_random *random)
{
    struct table_state *table = &state->table;
    uint8_t dealer = hund_known(view)->dealer;
    uint8_t slots = (uint8_t)(HUND_SUITS * state->values / table->seats);
    if (view->slot_count[0] != slots || dealer >= table->players ||
        !fill_designation_pile_at_random(view, state, random)) {
        return false;
    }
    table_begin_round(table, view->round, slots);
    hund_set_up_round(state, dealer);
    return true;
}

/* Puts all cards of the game into the pool, and notes which suits each seat cannot hold. */
static void fill_card_pool(const struct game_view *view, const struct hund *state,
                           struct sample_pool *pool)
{
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        for (uint8_t value = 1; value <= state->values; value++) {
            pool->cards[pool->count++] = card_of(&hund_deck, suit, value);
        }
    }
    sample_record_void_suits(view, pool);
    if (hund_virtual_seat(state) != HUND_SEAT_NONE) {
        /* the virtual player follows suit only with face-up cards */
        pool->bans[hund_virtual_seat(state)] = 0;
    }
}

/* Puts the virtual player's played cards back where they lay, and lays out its hand. */
static bool restore_virtual_player_display(const struct game_view *view, struct hund *state)
{
    uint8_t seat = hund_virtual_seat(state);
    uint8_t slots[SLOTS_MAX] = {0};
    uint8_t cards[SLOTS_MAX];
    struct view_play play;
    if (seat == HUND_SEAT_NONE) {
        return true;
    }
    if (!hund_virtual_trace_plays(view, slots)) {
        return false;
    }
    memcpy(cards, state->table.slots[seat], sizeof(cards));
    uint8_t played = 0;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        if (play.seat == seat) {
            cards[slots[played++]] = play.card;
        }
    }
    table_give_hand(&state->table, seat, cards, state->table.slot_count);
    hund_virtual_lay_out_hand(state);
    return true;
}

/* If a seat has to choose the first player now, that is the seat whose turn it is. After the
 * choice, it does not matter who chose. */
static bool restore_first_player_chooser(const struct game_view *view, struct hund *state)
{
    state->table.phase = HUND_START;
    for (uint8_t seat = 0; seat < state->table.players; seat++) {
        if (view->to_act == SIGHT_OF(seat)) {
            state->chooser = seat;
            state->table.to_act = view->to_act;
            return view->round > 1;
        }
    }
    return false;
}

/* Replays the round's public moves. The rules make the virtual player's moves by themselves. */
static bool replay_public_moves(const struct game_view *view, struct hund *state, uint8_t first)
{
    hund_start_round(state, first, NULL);
    for (const uint8_t *set = hund_known(view)->sets; *set != CARD_NONE; set++) {
        uint8_t seat = 0;
        while (seat < SEATS_MAX && (state->table.to_act >> seat & 1) == 0) {
            seat++;
        }
        if (game_try_move(view->game, &state->table, seat, (uint8_t)(HUND_SELECT_FIRST + *set),
                          NULL) != GAME_OK) {
            return false;
        }
    }
    return sample_replay_plays(view, &state->table);
}

static bool restore_round(const struct game_view *view, struct hund *state)
{
    uint8_t first = hund_known(view)->first;
    if (first == HUND_SEAT_NONE) {
        return restore_first_player_chooser(view, state);
    }
    /* The totals decide whether this round was the last. They are known only after the round. */
    uint8_t rounds = state->table.rounds;
    state->table.rounds = view->phase == PHASE_OVER ? view->round : rounds;
    if (!replay_public_moves(view, state, first)) {
        return false;
    }
    state->table.rounds = rounds;
    memcpy(state->table.scores, view->scores, sizeof(state->table.scores));
    return view->phase != PHASE_OVER || hund_game_is_over(state);
}

static bool hund_sample_state(const struct game_view *view, struct quick_random *random,
                              void *state_bytes)
{
    struct hund *state = state_bytes;
    struct sample_pool pool = {.deck = &hund_deck};
    if (!read_round_from_view(view, state, random)) {
        return false;
    }
    fill_card_pool(view, state, &pool);
    return sample_deal_hands(view, &pool, random, &state->table) &&
           restore_virtual_player_display(view, state) && restore_round(view, state);
}

const struct game_def hund_game = {
    .id = "hund", /* stored in histories: never changes */
    .title = N_("HUND"),
    .seats_min = 2,
    .seats_max = HUND_SEATS_MAX,
    .seats_filled = 3,
    .options = hund_options,
    .option_count = ARRAY_LEN(hund_options),
    .short_form = {.players = 3, .minutes = 12},
    .deck = &hund_deck,
    .phases = hund_phases,
    .phase_count = ARRAY_LEN(hund_phases),
    .state_size = sizeof(struct hund),
    .init = init_game,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = hund_fill_view,
    .info = hund_info,
    .sample = hund_sample_state,
    .score = table_fill_outcome,
    .moves = hund_moves,
    .encode = &hund_encode,
    .claim = hund_claim,
    .face = &hund_face,
    .stat = {.title = N_("hund bonuses"), .is_hit = has_hund_bonus},
};
