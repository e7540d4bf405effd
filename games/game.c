#include "games/game.h"

#include "games/card.h"
#include "games/hidden.h"

#include <assert.h>
#include <string.h>

#define MOVE_WORDS (MOVES_MAX / 64)
#define OPTION_TEXT_MAX 24

uint8_t move_set_count(const struct move_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < MOVE_WORDS; i++) {
        count += bits_count(set->bits[i]);
    }
    return (uint8_t)count;
}

uint8_t move_set_nth(const struct move_set *set, uint8_t n)
{
    unsigned i = 0;
    uint8_t count = bits_count(set->bits[0]);
    while (n >= count) {
        assert(i + 1 < MOVE_WORDS);
        n = (uint8_t)(n - count);
        count = bits_count(set->bits[++i]);
    }
    return (uint8_t)(i * 64 + bits_index_of_nth_set_bit(set->bits[i], n));
}

uint8_t move_set_next(const struct move_set *set, unsigned from)
{
    for (unsigned i = from / 64; i < MOVE_WORDS; i++) {
        uint64_t word = set->bits[i];
        if (i == from / 64) {
            word &= ~UINT64_C(0) << (from % 64);
        }
        if (word != 0) {
            return (uint8_t)(i * 64 + bits_index_of_lowest(word));
        }
    }
    return MOVE_NONE;
}

/* Writes the comma and the key before a value. */
static void put_key(struct text *out, const char *key)
{
    const char *last = out->len == 0 ? "[" : &out->at[out->len - 1];
    if (*last != '[' && *last != '{' && *last != ':') {
        text_put_char(out, ',');
    }
    if (key != NULL) {
        text_put_json(out, key);
        text_put_char(out, ':');
    }
}

void json_put_null(struct text *out, const char *key)
{
    put_key(out, key);
    text_put(out, "null");
}

void json_put_true(struct text *out, const char *key)
{
    put_key(out, key);
    text_put(out, "true");
}

void json_put_number(struct text *out, const char *key, int32_t number)
{
    put_key(out, key);
    text_put_number(out, number);
}

void json_put_text(struct text *out, const char *key, const char *text)
{
    put_key(out, key);
    text_put_json(out, text);
}

void json_put_card(struct text *out, const char *key, const struct deck_def *deck, uint8_t card)
{
    put_key(out, key);
    text_put_char(out, '"');
    card_write_name(deck, card_number_without_copy(deck, card), out);
    text_put_char(out, '"');
}

void json_open(struct text *out, const char *key, char bracket)
{
    put_key(out, key);
    text_put_char(out, bracket);
}

void json_close(struct text *out, char bracket)
{
    text_put_char(out, bracket);
}

void json_put_bits(struct text *out, const char *key, uint16_t bits)
{
    json_open(out, key, '[');
    for (uint8_t bit = 0; bits >> bit != 0; bit++) {
        if ((bits >> bit & 1) != 0) {
            json_put_number(out, NULL, bit);
        }
    }
    json_close(out, ']');
}

static const struct game_def *const games[] = {
#define GAME(name) &(name),
#include "games/games.def"
#undef GAME
};

static bool game_texts_equal(const char *a, const char *b)
{
    size_t size = strlen(a) + 1;
    return size == strlen(b) + 1 && memcmp(a, b, size) == 0;
}

uint8_t game_count(void)
{
    return (uint8_t)ARRAY_LEN(games);
}

const struct game_def *game_at(uint8_t index)
{
    return index < ARRAY_LEN(games) ? games[index] : NULL;
}

const struct game_def *game_find(const char *id)
{
    for (size_t i = 0; i < ARRAY_LEN(games); i++) {
        if (game_texts_equal(games[i]->id, id)) {
            return games[i];
        }
    }
    return NULL;
}

uint8_t game_seats(const struct game_def *game, const struct game_config *config)
{
    return config->players < game->seats_filled ? game->seats_filled : config->players;
}

struct game_config game_config_default(const struct game_def *game, uint8_t players)
{
    (void)game; /* game_config_default relies on this: index 0 is every option's default value */
    return (struct game_config){.players = players};
}

bool game_option_applies(const struct game_def *game, const struct game_config *config,
                         const struct option_def *option)
{
    for (uint8_t i = 0; option->needs != NULL && i < game->option_count; i++) {
        if (game_texts_equal(game->options[i].key, option->needs)) {
            return config->options[i] != 0;
        }
    }
    return true;
}

void game_config_reset_unused_options(const struct game_def *game, struct game_config *config)
{
    for (uint8_t i = 0; i < game->option_count; i++) {
        if (!game_option_applies(game, config, &game->options[i])) {
            config->options[i] = 0;
        }
    }
}

struct game_config game_config_short(const struct game_def *game)
{
    struct game_config config = game_config_default(game, game->short_form.players);
    memcpy(config.options, game->short_form.options, sizeof(config.options));
    return config;
}

enum game_result game_config_check(const struct game_def *game, const struct game_config *config)
{
    if (config->players < game->seats_min || config->players > game->seats_max) {
        return GAME_BAD_CONFIG;
    }
    for (uint8_t i = 0; i < GAME_OPTIONS_MAX; i++) {
        uint8_t values = i < game->option_count ? game->options[i].value_count : 1;
        if (config->options[i] >= values) {
            return GAME_BAD_CONFIG;
        }
    }
    struct game_config settled = *config;
    game_config_reset_unused_options(game, &settled);
    return memcmp(settled.options, config->options, sizeof(settled.options)) == 0 ? GAME_OK
                                                                                  : GAME_BAD_CONFIG;
}

/* Appends the value as histories write it; a word has no quotes. */
static void write_option_value(const struct option_def *option, const struct option_value *value,
                               struct text *out)
{
    switch ((enum option_type)option->type) {
    case OPTION_WORD:
        text_put(out, value->word);
        break;
    case OPTION_SWITCH:
        text_put(out, value->number != 0 ? "true" : "false");
        break;
    case OPTION_NUMBER:
        text_put_number(out, value->number);
        break;
    }
}

/* The index of the option's value that histories write as `value`; value_count when there is
 * none. */
static uint8_t find_option_value(const struct option_def *option, const char *value)
{
    uint8_t index = 0;
    for (; index < option->value_count; index++) {
        char buffer[OPTION_TEXT_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        write_option_value(option, &option->values[index], &text);
        if (game_texts_equal(buffer, value)) {
            break;
        }
    }
    return index;
}

bool game_config_set(const struct game_def *game, struct game_config *config, const char *key,
                     const char *value)
{
    for (uint8_t i = 0; i < game->option_count; i++) {
        if (!game_texts_equal(game->options[i].key, key)) {
            continue;
        }
        uint8_t index = find_option_value(&game->options[i], value);
        if (index < game->options[i].value_count) {
            config->options[i] = index;
            return true;
        }
    }
    return false;
}

void game_config_write(const struct game_def *game, const struct game_config *config,
                       struct text *out)
{
    text_put_char(out, '{');
    for (uint8_t i = 0; i < game->option_count; i++) {
        const struct option_def *option = &game->options[i];
        const char *quote = option->type == OPTION_WORD ? "\"" : "";
        text_put(out, i > 0 ? "," : "");
        text_put_json(out, option->key);
        text_put_char(out, ':');
        text_put(out, quote);
        write_option_value(option, &option->values[config->options[i]], out);
        text_put(out, quote);
    }
    text_put_char(out, '}');
}

static void init_state(const struct game_def *game, const struct game_config *config,
                       const uint8_t seed[SEED_BYTES], struct game_state *state)
{
    assert(game->state_size <= sizeof(state->bytes));
    memset(state->bytes, 0, sizeof(state->bytes));
    table_init((void *)state->bytes, game_seats(game, config), config, seed);
    game->init(state->bytes, config);
}

enum game_result game_start(const struct game_def *game, const struct game_config *config,
                            const uint8_t seed[SEED_BYTES], struct game_state *state,
                            const struct game_log *log)
{
    if (game_config_check(game, config) != GAME_OK) {
        return GAME_BAD_CONFIG;
    }
    init_state(game, config, seed, state);
    game->start(state->bytes, log);
    return GAME_OK;
}

uint8_t game_seats_to_act(const struct game_state *state)
{
    return ((const struct table_state *)(const void *)state->bytes)->to_act;
}

uint8_t game_first_leader(const struct game_state *state)
{
    return ((const struct table_state *)(const void *)state->bytes)->leads[0];
}

void game_find_legal_moves(const struct game_def *game, const struct game_state *state,
                           uint8_t seat, struct move_set *moves)
{
    *moves = move_set_empty();
    if (table_check_turn((const void *)state->bytes, seat) == GAME_OK) {
        game->legal(state->bytes, seat, moves);
    }
}

enum game_result game_try_move(const struct game_def *game, struct table_state *table, uint8_t seat,
                               uint8_t move, const struct game_log *log)
{
    struct move_set legal = move_set_empty();
    enum game_result turn = table_check_turn(table, seat);
    if (turn != GAME_OK) {
        return turn;
    }
    game->legal(table, seat, &legal);
    if (!move_set_has(&legal, move)) {
        return GAME_ILLEGAL;
    }
    game_make_legal_move(game, table, seat, move, log);
    return GAME_OK;
}

enum game_result game_apply(const struct game_def *game, struct game_state *state, uint8_t seat,
                            uint8_t move, const struct game_log *log)
{
    return game_try_move(game, (void *)state->bytes, seat, move, log);
}

void game_fill_view(const struct game_def *game, const struct game_state *state, int8_t seat,
                    struct game_view *view)
{
    assert(seat >= SPECTATOR && seat < SEATS_MAX);
    view_clear(view);
    view->game = game;
    view->seat = seat;
    view->has_bids = game_find_bids(game) != NULL;
    table_fill_view((const void *)state->bytes, view);
    game->view(state->bytes, seat, view);
    if (game->deck->copies > 1) {
        view_hide_copy_numbers(view);
    }
    if (view_viewer_may_move(view)) {
        game->legal(state->bytes, (uint8_t)seat, &view->legal);
    }
}

/* Copies from the view what replaying the round's moves does not rebuild. False when the table is
 * not in the position that the view describes. */
static bool copy_scores_and_last_trick(const struct game_view *view, struct table_state *table)
{
    if (table->round != view->round || table->phase != view->phase ||
        table->to_act != view->to_act || table->past_count != view->past_count ||
        memcmp(table->tricks, view->tricks, view->seats) != 0 ||
        memcmp(table->bids, view->bids, view->seats) != 0) {
        return false;
    }
    table->step = view->step;
    memcpy(table->scores, view->scores, sizeof(table->scores));
    if (view->has_last_trick && view->past_count == 0) {
        table->last_trick = view->last_trick;
    }
    return true;
}

enum game_result game_sample_state(const struct game_view *view, const struct game_config *config,
                                   struct quick_random *random, struct game_state *state)
{
    if (game_config_check(view->game, config) != GAME_OK) {
        return GAME_BAD_CONFIG;
    }
    uint8_t seed[SEED_BYTES]; /* for the deals of later rounds */
    for (unsigned i = 0; i < SEED_BYTES; i++) {
        seed[i] = (uint8_t)quick_random_draw_below(random, 256);
    }
    init_state(view->game, config, seed, state);
    struct table_state *table = (void *)state->bytes;
    bool is_round = view->round >= 1 && (table->rounds == 0 || view->round <= table->rounds);
    bool fits = is_round && view->seats == table->seats && view->rounds == table->rounds &&
                sample_view_is_well_formed(view) &&
                view->game->sample(view, random, state->bytes) &&
                copy_scores_and_last_trick(view, table);
    return fits ? GAME_OK : GAME_BAD_VIEW;
}

void game_fill_outcome(const struct game_def *game, const struct game_state *state,
                       struct game_outcome *outcome)
{
    memset(outcome, 0, sizeof(*outcome));
    game->score(state->bytes, outcome);
}

const struct move_def *game_find_kind(const struct game_def *game, uint8_t move)
{
    for (const struct move_def *kind = game->moves; kind != NULL && kind->word != NULL; kind++) {
        if (move >= kind->first && move < kind->first + kind->count) {
            return kind;
        }
    }
    return NULL;
}

const struct move_def *game_find_bids(const struct game_def *game)
{
    const struct move_def *kind = game->moves;
    while (kind != NULL && kind->word != NULL && kind->form != MOVE_BID) {
        kind++;
    }
    return kind != NULL && kind->word != NULL ? kind : NULL;
}

void game_move_write(const struct game_def *game, uint8_t move, struct text *out)
{
    const struct move_def *kind = game_find_kind(game, move);
    uint8_t number = kind == NULL ? 0 : (uint8_t)(move - kind->first);
    if (kind == NULL) {
        return;
    }
    text_put(out, kind->word);
    text_put_char(out, ':');
    switch ((enum move_form)kind->form) {
    case MOVE_CARD:
        card_write_name(game->deck, number, out);
        break;
    case MOVE_SLOT:
    case MOVE_SEAT:
    case MOVE_BID:
        text_put_number(out, number);
        break;
    case MOVE_SUIT:
        text_put(out, game->deck->suits[number].id);
        break;
    case MOVE_OWN:
        kind->write(number, out);
        break;
    }
}

uint8_t game_move_parse(const struct game_def *game, const char *text)
{
    if (text[0] == '\0') {
        return MOVE_NONE;
    }
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        char buffer[MOVE_TEXT_MAX];
        struct text spelling = text_init(buffer, sizeof(buffer));
        game_move_write(game, move, &spelling);
        if (game_texts_equal(buffer, text)) {
            return move;
        }
    }
    return MOVE_NONE;
}

uint8_t policy_random_move(const struct game_view *view, UNUSED const struct game_config *config,
                           struct quick_random *random)
{
    uint8_t count = move_set_count(&view->legal);
    assert(count > 0);
    return move_set_nth(&view->legal, (uint8_t)quick_random_draw_below(random, count));
}

void event_init(struct game_event *event, const char *kind)
{
    event->kind = kind;
    event->is_score = false;
    event->json = text_init(event->bytes, sizeof(event->bytes));
    json_open(&event->json, NULL, '{');
    json_put_text(&event->json, "e", kind);
}

void event_send(const struct game_log *log, struct game_event *event)
{
    json_close(&event->json, '}');
    assert(!event->json.is_cut);
    if (log->event != NULL) {
        log->event(log->context, event);
    }
}

void event_add_hands(struct game_event *event, const struct table_state *table,
                     const struct deck_def *deck)
{
    json_open(&event->json, "hands", '[');
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        json_open(&event->json, NULL, '[');
        for (uint8_t i = 0; i < table->slot_count; i++) {
            json_put_card(&event->json, NULL, deck, table->slots[seat][i]);
        }
        json_close(&event->json, ']');
    }
    json_close(&event->json, ']');
}

void event_init_round(struct game_event *event, const struct table_state *table,
                      const struct deck_def *deck)
{
    event_init(event, "round");
    json_put_number(&event->json, "n", table->round);
    event_add_hands(event, table, deck);
}

void event_send_played(const struct game_log *log, const struct deck_def *deck, uint8_t seat,
                       uint8_t card, uint8_t slot)
{
    struct game_event event FILLED_LATER;
    event_init(&event, "played");
    json_put_number(&event.json, "seat", seat);
    json_put_card(&event.json, "card", deck, card);
    if (slot != SLOT_NONE) {
        json_put_number(&event.json, "slot", slot);
    }
    event_send(log, &event);
}

void event_send_trick(const struct game_log *log, uint8_t winner)
{
    struct game_event event FILLED_LATER;
    event_init(&event, "trick");
    json_put_number(&event.json, "winner", winner);
    event_send(log, &event);
}

static void add_points(struct game_event *event, const char *key, const int16_t *points,
                       uint8_t seat_count)
{
    json_open(&event->json, key, '[');
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        json_put_number(&event->json, NULL, points[seat]);
    }
    json_close(&event->json, ']');
}

void event_init_score(struct game_event *event, const struct table_state *table,
                      const int16_t points[SEATS_MAX])
{
    struct score_row *row = &event->row;
    event_init(event, "score");
    event->is_score = true;
    *row = (struct score_row){.seats = table->seats, .round = table->round};
    memcpy(row->bids, table->bids, sizeof(row->bids));
    memcpy(row->tricks, table->tricks, sizeof(row->tricks));
    memcpy(row->points, points, sizeof(row->points));
    memcpy(row->totals, table->scores, sizeof(row->totals));
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        row->has_bids = row->has_bids || table->bids[seat] != BID_NONE;
    }
    add_points(event, "round", points, table->seats);
    add_points(event, "total", table->scores, table->seats);
}

void json_put_outcome(struct text *out, const struct game_outcome *outcome, uint8_t seat_count)
{
    json_open(out, "ranks", '[');
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        if (outcome->ranks[seat] == 0) {
            json_put_null(out, NULL);
        } else {
            json_put_number(out, NULL, outcome->ranks[seat]);
        }
    }
    json_close(out, ']');
    json_put_bits(out, "winners", outcome->winners);
}

/* Sends the last event of a finished game. */
static void event_send_end(const struct game_log *log, const struct game_outcome *outcome,
                           uint8_t seat_count)
{
    struct game_event event FILLED_LATER;
    event_init(&event, "end");
    json_put_outcome(&event.json, outcome, seat_count);
    event_send(log, &event);
}

void table_init(struct table_state *table, uint8_t seat_count, const struct game_config *config,
                const uint8_t seed[SEED_BYTES])
{
    deal_stream_init(&table->stream, seed);
    table->seats = seat_count;
    table->players = config->players;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        table->next[seat] = (uint8_t)((seat + 1) % seat_count);
    }
}

/* Returns the slot in which the seat held a card that it has played in this round. */
static uint8_t find_slot_of_played_card(const struct table_state *table, uint8_t seat, uint8_t card)
{
    uint8_t slot = 0;
    while (slot < table->slot_count && table->slots[seat][slot] != card) {
        slot++;
    }
    return slot;
}

/* Returns trick number `index` of the round, finished or current. */
static struct view_trick get_trick(const struct table_state *table, uint8_t index)
{
    struct view_trick trick = {0};
    uint8_t first = (uint8_t)(index * table->seats);
    bool is_finished = index < table->past_count;
    trick.count = is_finished ? table->seats : table->trick_count;
    trick.winner = is_finished ? table->leads[index + 1] : 0;
    uint8_t seat = table->leads[index];
    for (uint8_t i = 0; i < trick.count; i++) {
        uint8_t card = table->plays[first + i];
        uint8_t slot = find_slot_of_played_card(table, seat, card);
        trick.plays[i] = (struct view_play){.seat = seat, .card = card, .slot = slot};
        seat = table->next[seat];
    }
    return trick;
}

void table_deal(struct table_state *table, uint8_t *cards, uint8_t card_count, uint8_t hand_size)
{
    assert(hand_size <= SLOTS_MAX && table->seats * hand_size <= card_count);
    if (table->past_count > 0) {
        table->last_trick = get_trick(table, (uint8_t)(table->past_count - 1));
    }
    deal_stream_shuffle(&table->stream, cards, card_count);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table_give_hand(table, seat, cards + (size_t)seat * hand_size, hand_size);
    }
    table_begin_round(table, (uint8_t)(table->round + 1), hand_size);
}

void table_begin_round(struct table_state *table, uint8_t round, uint8_t hand_size)
{
    table->round = round;
    table->slot_count = hand_size;
    table->play_count = 0;
    table->past_count = 0;
    table->trick_count = 0;
    table->led_card = CARD_NONE;
    memset(table->bids, BID_NONE, sizeof(table->bids));
    memset(table->tricks, 0, sizeof(table->tricks));
}

void table_reopen_round(struct table_state *table)
{
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        for (uint8_t slot = 0; slot < table->slot_count; slot++) {
            card_set_add(&table->hands[seat], table->slots[seat][slot]);
        }
    }
    table_begin_round(table, table->round, table->slot_count);
}

void table_give_hand(struct table_state *table, uint8_t seat, const uint8_t *cards,
                     uint8_t hand_size)
{
    /* Works on a copy of the set of cards in two local variables, so that it stays in registers:
     * dealing takes most of the time of a fast simulated game. */
    uint64_t low = 0;
    uint64_t high = 0;
    for (uint8_t i = 0; i < hand_size; i++) {
        uint64_t bit = UINT64_C(1) << (cards[i] % 64);
        low |= cards[i] < 64 ? bit : 0;
        high |= cards[i] < 64 ? 0 : bit;
        table->slots[seat][i] = cards[i];
    }
    table->hands[seat] = (struct card_set){{low, high}};
    memset(table->sight[seat], SIGHT_OF(seat), sizeof(table->sight[seat]));
}

void table_set_lead(struct table_state *table, uint8_t seat)
{
    table->leads[0] = seat;
    table->to_act = (uint8_t)(1U << seat);
}

void table_add_points(struct table_state *table, const int16_t points[SEATS_MAX])
{
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table->scores[seat] = (int16_t)(table->scores[seat] + points[seat]);
    }
}

void table_score_round(struct table_state *table, const int16_t points[SEATS_MAX],
                       const struct game_log *log)
{
    table_add_points(table, points);
    if (log != NULL) {
        struct game_event event FILLED_LATER;
        event_init_score(&event, table, points);
        event_send(log, &event);
    }
}

void table_end_game(struct table_state *table,
                    void (*compute_outcome)(const void *state, struct game_outcome *outcome),
                    const struct game_log *log)
{
    struct game_outcome outcome = {.winners = 0};
    table->phase = PHASE_OVER;
    table->to_act = 0;
    if (log != NULL) {
        compute_outcome(table, &outcome);
        event_send_end(log, &outcome, table->seats);
    }
}

void table_compute_ranks(const int32_t *keys, uint8_t count, uint8_t *ranks)
{
    for (uint8_t i = 0; i < count; i++) {
        ranks[i] = 1;
        for (uint8_t j = 0; j < count; j++) {
            ranks[i] = (uint8_t)(ranks[i] + (keys[j] > keys[i]));
        }
    }
}

void table_fill_outcome(const void *state, struct game_outcome *outcome)
{
    const struct table_state *table = state;
    int32_t keys[SEATS_MAX];
    assert(table->players <= table->seats);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        outcome->scores[seat] = table->scores[seat];
        keys[seat] = table->scores[seat];
    }
    table_compute_ranks(keys, table->players, outcome->ranks);
    for (uint8_t seat = 0; seat < table->players; seat++) {
        outcome->winners |= (uint8_t)((outcome->ranks[seat] == 1) << seat);
    }
}

static void fill_view_of_hand(const struct table_state *table, uint8_t owner,
                              struct game_view *view)
{
    uint8_t viewer = SIGHT_SPECTATOR;
    if (view->seat != SPECTATOR) {
        viewer = SIGHT_OF(view->seat);
    }
    view->slot_count[owner] = table->slot_count;
    for (uint8_t i = 0; i < table->slot_count; i++) {
        struct view_slot *slot = &view->hands[owner][i];
        slot->is_empty = !table_seat_holds(table, owner, table->slots[owner][i]);
        if (!slot->is_empty && (table->sight[owner][i] & viewer) != 0) {
            slot->card = table->slots[owner][i];
        }
    }
}

/* Removes the slots from the trick's plays unless the view tells them. */
static void hide_slots_unless_told(const struct game_view *view, struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count && !view_tells_slots(view); i++) {
        trick->plays[i].slot = SLOT_NONE;
    }
}

void table_fill_view(const struct table_state *table, struct game_view *view)
{
    view->seats = table->seats;
    view->step = table->step;
    view->phase = table->phase;
    view->to_act = table->to_act;
    view->round = table->round;
    view->rounds = table->rounds;
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        fill_view_of_hand(table, seat, view);
    }
    view->past_count = table->past_count;
    for (uint8_t i = 0; i < table->past_count; i++) {
        view->past[i] = get_trick(table, i);
        hide_slots_unless_told(view, &view->past[i]);
    }
    view->trick = get_trick(table, table->past_count);
    hide_slots_unless_told(view, &view->trick);
    view->last_trick =
        table->past_count > 0 ? view->past[table->past_count - 1] : table->last_trick;
    hide_slots_unless_told(view, &view->last_trick);
    view->has_last_trick = view->last_trick.count > 0;
    memcpy(view->bids, table->bids, sizeof(view->bids));
    memcpy(view->tricks, table->tricks, sizeof(view->tricks));
    memcpy(view->scores, table->scores, sizeof(view->scores));
}
