#include "lobby/protocol/protocol.h"

#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Games as JSON: their options, whole records, and views. */

#define CONFIG_TEXT_MAX 512
json_t *config_to_json(const struct game_def *game, const struct game_config *config)
{
    char buffer[CONFIG_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    game_config_write(game, config, &text);
    return json_loads(buffer, 0, NULL);
}

/* Converts a JSON value to text for game_config_set. Returns NULL for a type that no option has. */
static const char *get_option_value_text(const json_t *value, char *number_buffer, size_t cap)
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    if (json_is_boolean(value)) {
        return json_is_true(value) ? "true" : "false";
    }
    if (json_is_integer(value)) {
        (void)snprintf(number_buffer, cap, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return number_buffer;
    }
    return NULL;
}

bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config)
{
    if (!json_is_object(options)) {
        return false;
    }
    /* Only the game's own keys are looked up, so an unknown key is never taken for an option. */
    size_t found = 0;
    for (uint8_t i = 0; i < game->option_count; i++) {
        const json_t *value = json_object_get(options, game->options[i].key);
        if (value == NULL) {
            continue;
        }
        found++;
        char number[24];
        const char *word = get_option_value_text(value, number, sizeof(number));
        if (word == NULL || !game_config_set(game, config, game->options[i].key, word)) {
            return false;
        }
    }
    game_config_reset_unused_options(game, config);
    return found == json_object_size(options);
}

#define RECORD_MOVES_MAX 20000

static json_t *make_hex_json(const uint8_t *bytes, size_t len)
{
    char buffer[2 * SEED_BYTES + 1];
    struct text text = text_init(buffer, sizeof(buffer));
    text_put_hex(&text, bytes, len);
    return json_string(buffer);
}

static json_t *make_seat_json(const struct history_seat *seat)
{
    json_t *object = json_pack("{s:s}", "name", seat->name);
    if (seat->bot != NULL) {
        (void)json_object_set_new(object, "bot", json_string(seat->bot));
    }
    return object;
}

json_t *record_to_json(const struct history_source *source, int64_t finished_at_ms)
{
    json_t *seats = json_array();
    for (uint8_t seat = 0; seat < source->config.players; seat++) {
        (void)json_array_append_new(seats, make_seat_json(&source->seats[seat]));
    }
    json_t *moves = json_array();
    for (uint32_t i = 0; i < source->move_count; i++) {
        char buffer[MOVE_TEXT_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        game_move_write(source->game, source->moves[i].move, &text);
        (void)json_array_append_new(moves, json_pack("[is]", source->moves[i].seat, buffer));
    }
    json_t *changes = json_array();
    for (uint32_t i = 0; i < source->change_count; i++) {
        json_t *change = make_seat_json(&source->changes[i].who);
        (void)json_object_set_new(change, "step", json_integer(source->changes[i].step));
        (void)json_object_set_new(change, "seat", json_integer(source->changes[i].seat));
        (void)json_array_append_new(changes, change);
    }
    return json_pack("{s:I,s:s,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:I}", "game_id",
                     (json_int_t)source->id, "game", source->game->id, "format", GAME_FORMAT,
                     "players", source->config.players, "options",
                     config_to_json(source->game, &source->config), "seats", seats, "seed",
                     make_hex_json(source->seed, SEED_BYTES), "commitment",
                     make_hex_json(source->commitment, sizeof(source->commitment)), "moves", moves,
                     "changes", changes, "at", (json_int_t)finished_at_ms);
}

/* Reads many values of a message. In the place of a wrong value it takes one within the bounds, and
 * goes on; the caller looks at is_wrong once. */
struct reader {
    bool is_wrong;
    struct game_view *view; /* the view that is read, whose game and number of seats set bounds */
};

static int64_t take_number(struct reader *reader, const json_t *value, int64_t min, int64_t max)
{
    int64_t number = min;
    reader->is_wrong |= !json_to_number(value, min, max, &number);
    return number;
}

static int64_t take_member(struct reader *reader, const json_t *object, const char *key,
                           int64_t min, int64_t max)
{
    return take_number(reader, json_object_get(object, key), min, max);
}

/* Returns the length of a list, which has at most `max` values. */
static uint32_t take_length(struct reader *reader, const json_t *list, size_t max)
{
    bool is_good = json_is_array(list) && json_array_size(list) <= max;
    reader->is_wrong |= !is_good;
    return is_good ? (uint32_t)json_array_size(list) : 0;
}

static uint8_t take_move(struct reader *reader, const struct game_def *game, const json_t *value)
{
    const char *text = json_string_value(value);
    uint8_t move = text != NULL ? game_move_parse(game, text) : MOVE_NONE;
    reader->is_wrong |= move == MOVE_NONE;
    return move;
}

static void take_hash(struct reader *reader, const json_t *object, const char *key,
                      uint8_t bytes[SEED_BYTES])
{
    const size_t len = 2 * (size_t)SEED_BYTES;
    const char *hex = json_read_text(object, key, len);
    if (hex == NULL || strspn(hex, "0123456789abcdef") != len) {
        reader->is_wrong = true;
        return;
    }
    for (size_t i = 0; i < SEED_BYTES; i++) {
        const char pair[] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static struct history_seat take_record_seat(struct reader *reader, const json_t *object)
{
    const struct history_seat seat = {.name = json_read_text(object, "name", HISTORY_NAME_MAX),
                                      .bot = json_read_text(object, "bot", HISTORY_NAME_MAX)};
    reader->is_wrong |= seat.name == NULL;
    return seat;
}

/* Reads all but the moves and the changes of seats. */
static void read_record_head(struct reader *reader, const json_t *object, struct record *record)
{
    struct history_source *source = &record->source;
    const char *id = json_read_text(object, "game", 32);
    const json_t *seats = json_object_get(object, "seats");
    source->game = id == NULL ? NULL : game_find(id);
    if (source->game == NULL) {
        reader->is_wrong = true;
        return;
    }
    uint8_t players = (uint8_t)take_member(reader, object, "players", 1, SEATS_MAX);
    (void)take_member(reader, object, "format", GAME_FORMAT, GAME_FORMAT);
    source->id = take_member(reader, object, "game_id", 0, INT64_MAX);
    record->at_ms = take_member(reader, object, "at", 0, INT64_MAX);
    record->is_void = json_read_bool(object, "is_void", false);
    source->config = game_config_default(source->game, players);
    reader->is_wrong |=
        !config_from_json(source->game, json_object_get(object, "options"), &source->config) ||
        game_config_check(source->game, &source->config) != GAME_OK ||
        json_array_size(seats) != players;
    for (uint8_t seat = 0; seat < players; seat++) {
        record->seats[seat] = take_record_seat(reader, json_array_get(seats, seat));
    }
    source->seats = record->seats;
    take_hash(reader, object, "seed", source->seed);
    take_hash(reader, object, "commitment", source->commitment);
}

static void read_record_moves(struct reader *reader, const json_t *moves, struct record *record)
{
    uint32_t count = take_length(reader, moves, RECORD_MOVES_MAX);
    record->moves = calloc(count + 1, sizeof(*record->moves));
    reader->is_wrong |= record->moves == NULL;
    for (uint32_t i = 0; i < count && !reader->is_wrong; i++) {
        const json_t *pair = json_array_get(moves, i);
        record->moves[i].seat =
            (uint8_t)take_number(reader, json_array_get(pair, 0), 0, SEATS_MAX - 1);
        record->moves[i].move = take_move(reader, record->source.game, json_array_get(pair, 1));
    }
    record->source.moves = record->moves;
    record->source.move_count = count;
}

static void read_record_seat_changes(struct reader *reader, const json_t *changes,
                                     struct record *record)
{
    uint32_t count = take_length(reader, changes, RECORD_MOVES_MAX);
    record->changes = calloc(count + 1, sizeof(*record->changes));
    reader->is_wrong |= record->changes == NULL;
    for (uint32_t i = 0; i < count && !reader->is_wrong; i++) {
        const json_t *change = json_array_get(changes, i);
        record->changes[i] = (struct history_change){
            .step = (uint32_t)take_member(reader, change, "step", 0, RECORD_MOVES_MAX),
            .seat =
                (uint8_t)take_member(reader, change, "seat", 0, record->source.config.players - 1),
            .who = take_record_seat(reader, change),
        };
    }
    record->source.changes = record->changes;
    record->source.change_count = count;
}

bool record_from_json(json_t *object, struct record *record)
{
    struct reader reader = {.is_wrong = false};
    *record = (struct record){.json = json_incref(object)};
    read_record_head(&reader, object, record);
    if (!reader.is_wrong) {
        read_record_moves(&reader, json_object_get(object, "moves"), record);
        read_record_seat_changes(&reader, json_object_get(object, "changes"), record);
    }
    if (reader.is_wrong) {
        record_clear(record);
    }
    return !reader.is_wrong;
}

void record_clear(struct record *record)
{
    free(record->changes);
    free(record->moves);
    json_decref(record->json);
    *record = (struct record){0};
}

static void read_game_and_phase(struct reader *reader, const json_t *object)
{
    struct game_view *view = reader->view;
    const char *id = json_read_text(object, "game", 32);
    const char *phase = json_read_text(object, "phase", 32);
    view->game = id == NULL ? NULL : game_find(id);
    if (view->game == NULL || phase == NULL) {
        reader->is_wrong = true;
        return;
    }
    view->step = (uint16_t)take_member(reader, object, "step", 0, UINT16_MAX);
    (void)take_member(reader, object, "format", GAME_FORMAT, GAME_FORMAT);
    view->round = (uint8_t)take_member(reader, object, "round", 0, UINT8_MAX);
    if (!json_read_key_is_absent(object, "rounds")) {
        view->rounds = (uint8_t)take_member(reader, object, "rounds", 1, UINT8_MAX);
    }
    if (strcmp(phase, "over") == 0) {
        view->phase = PHASE_OVER;
        return;
    }
    while (view->phase < view->game->phase_count &&
           strcmp(view->game->phases[view->phase].name, phase) != 0) {
        view->phase++;
    }
    reader->is_wrong |= view->phase == view->game->phase_count;
}

static uint8_t take_seat(struct reader *reader, const json_t *value)
{
    return (uint8_t)take_number(reader, value, 0, reader->view->seats - 1);
}

static uint8_t take_card(struct reader *reader, const json_t *value)
{
    const char *text = json_string_value(value);
    uint8_t card = text != NULL ? card_parse(reader->view->game->deck, text) : CARD_NONE;
    reader->is_wrong |= card == CARD_NONE;
    return card;
}

static void read_slot(struct reader *reader, const json_t *value, struct view_slot *slot)
{
    const struct deck_def *deck = reader->view->game->deck;
    const json_t *card = json_object_get(value, "card");
    const char *suit = json_read_text(value, "suit", 32);
    int64_t number = 0;
    slot->is_empty = json_is_null(value);
    reader->is_wrong |= !slot->is_empty && !json_is_object(value);
    if (card != NULL) {
        slot->card = take_card(reader, card);
    }
    for (uint8_t i = 0; suit != NULL && i < deck->suit_count; i++) {
        if (strcmp(deck->suits[i].id, suit) == 0) {
            slot->suit = i;
        }
    }
    if (json_read_number(value, "value", 1, UINT8_MAX, &number)) {
        slot->value = (uint8_t)number;
    }
    slot->is_traded = json_read_bool(value, "traded", false);
}

/* Reads the hands. They are read first, because the number of hands is the number of seats. */
static void read_hands(struct reader *reader, const json_t *hands)
{
    struct game_view *view = reader->view;
    view->seats = (uint8_t)take_length(reader, hands, SEATS_MAX);
    reader->is_wrong |= view->seats == 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        const json_t *hand = json_array_get(hands, seat);
        view->slot_count[seat] = (uint8_t)take_length(reader, hand, SLOTS_MAX);
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            read_slot(reader, json_array_get(hand, i), &view->hands[seat][i]);
        }
    }
}

static void read_viewer(struct reader *reader, const json_t *object)
{
    struct game_view *view = reader->view;
    const json_t *to_act = json_object_get(object, "to_act");
    if (!json_read_key_is_absent(object, "seat")) {
        view->seat = (int8_t)take_seat(reader, json_object_get(object, "seat"));
    }
    reader->is_wrong |= !json_is_array(to_act);
    for (size_t i = 0; i < json_array_size(to_act); i++) {
        view->to_act = (uint8_t)(view->to_act | 1U << take_seat(reader, json_array_get(to_act, i)));
    }
}

/* Reads the slot from which a card was played: present exactly if the view tells slots. */
static uint8_t take_played_slot(struct reader *reader, const json_t *value)
{
    if (view_tells_slots(reader->view)) {
        return (uint8_t)take_number(reader, value, 0, SLOTS_MAX - 1);
    }
    reader->is_wrong |= value != NULL;
    return SLOT_NONE;
}

static void read_plays(struct reader *reader, const json_t *plays, struct view_trick *trick)
{
    trick->count = (uint8_t)take_length(reader, plays, SEATS_MAX);
    for (uint8_t i = 0; i < trick->count; i++) {
        const json_t *play = json_array_get(plays, i);
        trick->plays[i] = (struct view_play){
            .seat = take_seat(reader, json_object_get(play, "seat")),
            .card = take_card(reader, json_object_get(play, "card")),
            .slot = take_played_slot(reader, json_object_get(play, "slot")),
        };
    }
}

static void read_trick(struct reader *reader, const json_t *value, struct view_trick *trick)
{
    trick->winner = take_seat(reader, json_object_get(value, "winner"));
    read_plays(reader, json_object_get(value, "cards"), trick);
}

static void read_tricks(struct reader *reader, const json_t *object)
{
    struct game_view *view = reader->view;
    const json_t *past = json_object_get(object, "past");
    read_plays(reader, json_object_get(object, "trick"), &view->trick);
    view->past_count = (uint8_t)take_length(reader, past, TRICKS_MAX);
    for (uint8_t i = 0; i < view->past_count; i++) {
        read_trick(reader, json_array_get(past, i), &view->past[i]);
    }
    view->has_last_trick = !json_read_key_is_absent(object, "last_trick");
    if (view->has_last_trick) {
        read_trick(reader, json_object_get(object, "last_trick"), &view->last_trick);
    }
}

static void read_bids_tricks_and_scores(struct reader *reader, const json_t *object)
{
    struct game_view *view = reader->view;
    const json_t *bids = json_object_get(object, "bids");
    const json_t *tricks = json_object_get(object, "tricks");
    const json_t *scores = json_object_get(object, "scores");
    view->has_bids = json_array_size(bids) > 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        const json_t *bid = json_array_get(bids, seat);
        if (view->has_bids && !json_is_null(bid)) {
            view->bids[seat] = (int8_t)take_number(reader, bid, 0, INT8_MAX);
        }
        view->tricks[seat] =
            (uint8_t)take_number(reader, json_array_get(tricks, seat), 0, UINT8_MAX);
        view->scores[seat] =
            (int16_t)take_number(reader, json_array_get(scores, seat), INT16_MIN, INT16_MAX);
    }
}

static void read_legal_moves(struct reader *reader, const json_t *legal)
{
    reader->is_wrong |= !json_is_array(legal);
    for (size_t i = 0; i < json_array_size(legal) && !reader->is_wrong; i++) {
        move_set_add(&reader->view->legal,
                     take_move(reader, reader->view->game, json_array_get(legal, i)));
    }
}

#define FACT_TEXT_MAX 80

/* Reads what view_write_fact has written: tries each value. */
static uint8_t take_fact(struct reader *reader, const struct info_def *def, const json_t *found)
{
    const struct game_view *view = reader->view;
    char text[FACT_TEXT_MAX];
    size_t len = json_dumpb(found, text, sizeof(text), JSON_COMPACT | JSON_ENCODE_ANY);
    uint8_t end = def->form == INFO_SEAT   ? view->seats
                  : def->form == INFO_CARD ? card_count(view->game->deck)
                  : def->form == INFO_SUIT ? view->game->deck->suit_count
                                           : def->end;
    for (uint8_t value = 0; value < end; value++) {
        struct text tried = TEXT_OF(FACT_TEXT_MAX);
        view_write_fact(view, def, NULL, value, &tried);
        if (tried.len == len && memcmp(tried.at, text, len) == 0) {
            return value;
        }
    }
    reader->is_wrong = true;
    return INFO_NONE;
}

/* Reads a fact or object to `at`, where INFO_NONE stands. */
static void read_fact_or_object(struct reader *reader, const struct info_def *def,
                                const json_t *found, uint8_t *at)
{
    if (json_is_null(found) && (def->absence == INFO_NULL || def->absence == INFO_PRIVATE)) {
        return;
    }
    if (def->form != INFO_OBJECT) {
        *at = take_fact(reader, def, found);
        return;
    }
    reader->is_wrong |= !json_is_object(found);
    for (const struct info_def *member = def->members; member->key != NULL; member++) {
        const json_t *value = json_object_get(found, member->key);
        if (value != NULL) {
            at[member->at] = take_fact(reader, member, value);
        } else {
            reader->is_wrong |= member->absence != INFO_LEFT_OUT;
        }
    }
}

static void read_list_of_facts(struct reader *reader, const struct info_def *def,
                               const json_t *list)
{
    struct game_view *view = reader->view;
    uint8_t most = def->repeat == INFO_BY_SEAT ? view->seats : def->most;
    unsigned count = take_length(reader, list, most);
    reader->is_wrong |= def->repeat != INFO_LIST && count != most;
    for (unsigned i = 0; i < count; i++) {
        read_fact_or_object(reader, def, json_array_get(list, i),
                            &view->info[view_find_fact(def, i)]);
    }
}

/* Reads the view's `info`, after all other members. */
static void read_info(struct reader *reader, const json_t *info)
{
    struct game_view *view = reader->view;
    const struct info_def *def = view->game->info;
    reader->is_wrong |= !json_is_object(info);
    for (; def != NULL && def->key != NULL && !reader->is_wrong; def++) {
        const json_t *found = json_object_get(info, def->key);
        if (def->form == INFO_OWN && def->end == 0) {
            continue;
        }
        if (found == NULL) {
            reader->is_wrong = !view_leaves_out(view, def, INFO_NONE);
        } else if (def->repeat == INFO_ONCE || json_is_null(found)) {
            read_fact_or_object(reader, def, found, &view->info[def->at]);
        } else {
            read_list_of_facts(reader, def, found);
        }
    }
}

bool view_read(const json_t *object, struct game_view *view)
{
    struct reader reader = {.view = view};
    view_clear(view);
    read_game_and_phase(&reader, object);
    if (!reader.is_wrong) {
        read_hands(&reader, json_object_get(object, "hands"));
        read_viewer(&reader, object);
        read_tricks(&reader, object);
        read_bids_tricks_and_scores(&reader, object);
        read_legal_moves(&reader, json_object_get(object, "legal"));
    }
    if (!reader.is_wrong) {
        read_info(&reader, json_object_get(object, "info"));
    }
    return !reader.is_wrong;
}
