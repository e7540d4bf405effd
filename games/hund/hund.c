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
