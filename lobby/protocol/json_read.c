#include "lobby/protocol/protocol.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* What a scan of a JSON text knows about the bytes that it has read so far. */
struct scan {
    size_t values, depth, scalar;
    bool is_text;    /* the scan is inside a string */
    bool is_escaped; /* the last byte, inside a string, was a backslash */
    bool is_empty;   /* the innermost object or list has no member yet */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void scan_string_byte(struct scan *scan, char c)
{
    scan->is_text = c != '"' || scan->is_escaped;
    scan->is_escaped = c == '\\' && !scan->is_escaped;
}

/* Handles a byte outside strings. */
static void scan_byte_outside_strings(struct scan *scan, char c)
{
    bool is_end = c == '}' || c == ']';
    bool is_mark = is_end || c == '{' || c == '[' || c == ',' || c == ':' || c == '"';
    if (is_blank(c)) {
        scan->scalar = 0;
        return;
    }
    scan->values += (scan->is_empty && !is_end) || c == ',';
    scan->is_empty = c == '{' || c == '[';
    scan->depth += scan->is_empty;
    scan->depth -= is_end && scan->depth > 0;
    scan->scalar = is_mark ? 0 : scan->scalar + 1;
    scan->is_text = c == '"';
}

bool json_bounds_allow(const struct json_bounds *bounds, const char *text, size_t len)
{
    struct scan scan = {0};
    bool is_held = len <= bounds->bytes;
    for (size_t i = 0; i < len && is_held; i++) {
        if (scan.is_text) {
            scan_string_byte(&scan, text[i]);
        } else {
            scan_byte_outside_strings(&scan, text[i]);
            is_held = scan.values <= bounds->values && scan.depth <= bounds->depth &&
                      scan.scalar <= bounds->scalar;
        }
    }
    return is_held;
}

json_t *json_read_object(const char *bytes, size_t len)
{
    json_t *object = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(object)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *json_read_request(const char *bytes, size_t len)
{
    static const struct json_bounds bounds = {
        .bytes = SIZE_MAX,
        .values = REQUEST_VALUES_MAX,
        .depth = REQUEST_DEPTH_MAX,
        .scalar = REQUEST_SCALAR_MAX,
    };
    return json_bounds_allow(&bounds, bytes, len) ? json_read_object(bytes, len) : NULL;
}

const char *json_read_text(const json_t *object, const char *key, size_t max_bytes)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value) || json_string_length(value) > max_bytes) {
        return NULL;
    }
    return json_string_value(value);
}

const char *json_read_type(const json_t *message)
{
    const char *type = json_read_text(message, "t", JSON_NAME_MAX);
    return type != NULL ? type : "";
}

void name_to_lower(char *name)
{
    for (; *name != '\0'; name++) {
        if (*name >= 'A' && *name <= 'Z') {
            *name = (char)(*name - 'A' + 'a');
        }
    }
}

const char *json_read_name(json_t *object, const char *key)
{
    char name[JSON_NAME_MAX + 1];
    const char *text = json_read_text(object, key, JSON_NAME_MAX);
    if (text == NULL) {
        return NULL;
    }
    (void)snprintf(name, sizeof(name), "%s", text);
    name_to_lower(name);
    return json_string_set(json_object_get(object, key), name) == 0
               ? json_string_value(json_object_get(object, key))
               : NULL;
}

bool json_to_number(const json_t *value, int64_t min, int64_t max, int64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        return false;
    }
    *number = json_integer_value(value);
    return true;
}

bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number)
{
    return json_to_number(json_object_get(object, key), min, max, number);
}

int json_read_word(const json_t *object, const char *key, const char *const *words, int absent)
{
    return json_read_key_is_absent(object, key)
               ? absent
               : text_find_word(words, json_string_value(json_object_get(object, key)));
}

bool json_read_optional_number(const json_t *object, const char *key, int64_t min, int64_t max,
                               int64_t *number)
{
    return json_read_key_is_absent(object, key) || json_read_number(object, key, min, max, number);
}

bool json_read_bool(const json_t *object, const char *key, bool fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : fallback;
}

bool json_read_key_is_absent(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value == NULL || json_is_null(value);
}

/* Returns true if the character may be drawn. The core has cleaned the text already; checking again
 * keeps out the characters with which our screens mark styles. */
static bool is_drawable(utf8proc_int32_t code)
{
    const unsigned hidden = 1u << UTF8PROC_CATEGORY_CC | 1u << UTF8PROC_CATEGORY_CF |
                            1u << UTF8PROC_CATEGORY_CS | 1u << UTF8PROC_CATEGORY_CO |
                            1u << UTF8PROC_CATEGORY_CN | 1u << UTF8PROC_CATEGORY_ZL |
                            1u << UTF8PROC_CATEGORY_ZP;
    return (hidden >> utf8proc_category(code) & 1) == 0;
}

void drawable_copy_text(const json_t *value, char *out, size_t cap)
{
    size_t len = 0;
    const char *text = json_string_value(value);
    utf8proc_int32_t code;
    utf8proc_ssize_t step;
    for (; text != NULL && *text != '\0'; text += step > 0 ? step : 1) {
        step = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
        if (step <= 0 || !is_drawable(code)) {
            continue;
        }
        if (len + (size_t)step >= cap) {
            break;
        }
        memcpy(out + len, text, (size_t)step);
        len += (size_t)step;
    }
    out[len] = '\0';
}

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
        const char *text = json_string_value(json_array_get(pair, 1));
        int64_t seat = 0;
        if (!json_to_number(json_array_get(pair, 0), 0, SEATS_MAX - 1, &seat) || text == NULL) {
            return false;
        }
        record->moves[i].seat = (uint8_t)seat;
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
