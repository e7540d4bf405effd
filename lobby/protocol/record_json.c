#include "lobby/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>

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

static bool read_record_hex(const json_t *object, const char *key, uint8_t bytes[SEED_BYTES])
{
    const size_t len = 2 * (size_t)SEED_BYTES;
    const char *hex = json_read_text(object, key, len);
    if (hex == NULL || strspn(hex, "0123456789abcdef") != len) {
        return false;
    }
    for (size_t i = 0; i < SEED_BYTES; i++) {
        const char pair[] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

static bool read_record_seat(const json_t *object, struct history_seat *seat)
{
    seat->name = json_read_text(object, "name", HISTORY_NAME_MAX);
    seat->bot = json_read_text(object, "bot", HISTORY_NAME_MAX);
    return seat->name != NULL;
}

static bool read_record_game_and_seats(const json_t *object, struct record *record)
{
    const char *id = json_read_text(object, "game", 32);
    struct history_source *source = &record->source;
    int64_t players = 0;
    int64_t format = 0;
    if (id == NULL || (source->game = game_find(id)) == NULL ||
        !json_read_number(object, "players", 1, SEATS_MAX, &players) ||
        !json_read_number(object, "game_id", 0, INT64_MAX, &source->id) ||
        !json_read_number(object, "at", 0, INT64_MAX, &record->at_ms) ||
        !json_read_number(object, "format", GAME_FORMAT, GAME_FORMAT, &format)) {
        return false;
    }
    record->is_void = json_read_bool(object, "is_void", false);
    source->config = game_config_default(source->game, (uint8_t)players);
    const json_t *seats = json_object_get(object, "seats");
    if (!config_from_json(source->game, json_object_get(object, "options"), &source->config) ||
        game_config_check(source->game, &source->config) != GAME_OK ||
        json_array_size(seats) != (size_t)players) {
        return false;
    }
    for (size_t seat = 0; seat < (size_t)players; seat++) {
        if (!read_record_seat(json_array_get(seats, seat), &record->seats[seat])) {
            return false;
        }
    }
    source->seats = record->seats;
    return read_record_hex(object, "seed", source->seed) &&
           read_record_hex(object, "commitment", source->commitment);
}

static bool read_record_moves(const json_t *moves, struct record *record)
{
    size_t count = json_array_size(moves);
    if (!json_is_array(moves) || count > RECORD_MOVES_MAX) {
        return false;
    }
    record->moves = calloc(count + 1, sizeof(*record->moves));
    for (size_t i = 0; record->moves != NULL && i < count; i++) {
        const json_t *pair = json_array_get(moves, i);
        const json_t *seat = json_array_get(pair, 0);
        const char *text = json_string_value(json_array_get(pair, 1));
        if (!json_is_integer(seat) || json_integer_value(seat) < 0 ||
            json_integer_value(seat) >= SEATS_MAX || text == NULL) {
            return false;
        }
        record->moves[i].seat = (uint8_t)json_integer_value(seat);
        record->moves[i].move = game_move_parse(record->source.game, text);
        if (record->moves[i].move == MOVE_NONE) {
            return false;
        }
    }
    record->source.moves = record->moves;
    record->source.move_count = (uint32_t)count;
    return record->moves != NULL;
}

static bool read_record_seat_changes(const json_t *changes, struct record *record)
{
    size_t count = json_array_size(changes);
    if (!json_is_array(changes) || count > RECORD_MOVES_MAX) {
        return false;
    }
    record->changes = calloc(count + 1, sizeof(*record->changes));
    for (size_t i = 0; record->changes != NULL && i < count; i++) {
        const json_t *change = json_array_get(changes, i);
        int64_t step = 0;
        int64_t seat = 0;
        if (!json_read_number(change, "step", 0, RECORD_MOVES_MAX, &step) ||
            !json_read_number(change, "seat", 0, record->source.config.players - 1, &seat) ||
            !read_record_seat(change, &record->changes[i].who)) {
            return false;
        }
        record->changes[i].step = (uint32_t)step;
        record->changes[i].seat = (uint8_t)seat;
    }
    record->source.changes = record->changes;
    record->source.change_count = (uint32_t)count;
    return record->changes != NULL;
}

bool record_from_json(json_t *object, struct record *record)
{
    *record = (struct record){.json = json_incref(object)};
    if (!read_record_game_and_seats(object, record) ||
        !read_record_moves(json_object_get(object, "moves"), record) ||
        !read_record_seat_changes(json_object_get(object, "changes"), record)) {
        record_clear(record);
        return false;
    }
    return true;
}

void record_clear(struct record *record)
{
    free(record->changes);
    free(record->moves);
    json_decref(record->json);
    *record = (struct record){0};
}
