#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 160
#define SHOW_MAX 120

/* A list or object being compared. */
struct level {
    json_t *found;
    json_t *expected;
    void *member; /* of an object: the next expected member */
    size_t index; /* of a list: the index of the next member */
    size_t path_len;
};

#define LEVELS_MAX 9

struct walk {
    bool allows_more_keys;
    struct level levels[LEVELS_MAX];
    size_t depth;
    struct text path;
    struct text *why;
};

/* Appends the value as JSON, truncated; "nothing" for NULL. */
static void json_diff_write_value(const json_t *value, struct text *out)
{
    if (value == NULL) {
        text_put(out, _("nothing"));
        return;
    }
    char buffer[SHOW_MAX];
    size_t len = json_dumpb(value, buffer, sizeof(buffer),
                            JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    text_put_bytes(out, buffer, len < sizeof(buffer) ? len : sizeof(buffer));
    if (len > sizeof(buffer)) {
        text_put(out, "...");
    }
}

static bool write_difference(struct text *why, const char *path, const char *before_expected,
                             const char *expected, const json_t *found)
{
    text_put(why, path);
    text_put(why, before_expected);
    text_put(why, expected);
    text_put(why, _(", found "));
    json_diff_write_value(found, why);
    return false;
}

/* Writes "PATH: EXPECTATION, found …" into `why`; `expectation` is a text such as "expected a
 * list". Returns false, for callers to return. */
static bool json_diff_report(struct text *why, const char *path, const char *expectation,
                             const json_t *found)
{
    return write_difference(why, path, ": ", expectation, found);
}

/* Writes "PATH: expected VALUE, found …" into `why`; `expected_value` is JSON. Returns false, for
 * callers to return. */
static bool json_diff_report_value(struct text *why, const char *path, const char *expected_value,
                                   const json_t *found)
{
    return write_difference(why, path, _(": expected "), expected_value, found);
}

static bool report_member(struct walk *walk, const json_t *expected, const json_t *found)
{
    struct text shown = TEXT_OF(SHOW_MAX);
    char *dumped = json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY);
    text_put(&shown, dumped == NULL ? "" : dumped);
    free(dumped);
    return json_diff_report_value(walk->why, walk->path.at, shown.at, found);
}

static void truncate_path(struct text *path, size_t len)
{
    path->len = len;
    path->at[len] = '\0';
}

static bool is_container(const json_t *value)
{
    return json_is_array(value) || json_is_object(value);
}

/* Whether the values are equal; of lists and objects, only whether both are of this type. */
static bool is_same_value(json_t *expected, json_t *found)
{
    return is_container(expected) ? found != NULL && json_typeof(expected) == json_typeof(found)
                                  : json_equal(expected, found) != 0;
}

static void append_element_path(struct text *path, const char *list, size_t index)
{
    text_put(path, list);
    text_put_char(path, '[');
    text_put_number(path, (int64_t)index);
    text_put_char(path, ']');
}

/* Returns the next expected member, with the found one in *found, NULL if absent, and the path to
 * them. Returns NULL after the last one. */
static json_t *take_next_member(struct walk *walk, struct level *level, json_t **found)
{
    truncate_path(&walk->path, level->path_len);
    if (json_is_array(level->expected)) {
        append_element_path(&walk->path, "", level->index);
        *found = json_array_get(level->found, level->index);
        return json_array_get(level->expected, level->index++);
    }
    if (level->member == NULL) {
        return NULL;
    }
    const char *key = json_object_iter_key(level->member);
    json_t *expected = json_object_iter_value(level->member);
    text_put_char(&walk->path, '.');
    text_put(&walk->path, key);
    *found = json_object_get(level->found, key);
    level->member = json_object_iter_next(level->expected, level->member);
    return expected;
}

static bool report_surplus_key(struct walk *walk, const char *key)
{
    json_t *name = json_string(key);
    text_put(walk->why, walk->path.at);
    text_put(walk->why, _(": there should be no key "));
    json_diff_write_value(name, walk->why);
    json_decref(name);
    return false;
}

static void enter_nested_value(struct walk *walk, json_t *found, json_t *expected)
{
    assert(walk->depth < ARRAY_LEN(walk->levels));
    walk->levels[walk->depth++] = (struct level){
        .found = found,
        .expected = expected,
        .member = json_is_object(expected) ? json_object_iter(expected) : NULL,
        .path_len = walk->path.len,
    };
}

/* Checks that a list or object, whose expected members were all found, has no others. `more` is the
 * next member of a list. */
static bool leave_nested_value(struct walk *walk, json_t *more)
{
    struct level *level = &walk->levels[--walk->depth];
    if (json_is_array(level->found)) {
        return more == NULL ||
               json_diff_report(walk->why, walk->path.at, _("expected nothing"), more);
    }
    const char *key;
    json_t *member;
    bool allows_more_keys = walk->allows_more_keys && walk->depth == 0;
    json_object_foreach(level->found, key, member)
    {
        if (!allows_more_keys && json_object_get(level->expected, key) == NULL) {
            return report_surplus_key(walk, key);
        }
    }
    return true;
}

/* Compares the next member of the innermost list or object. */
static bool compare_next_member(struct walk *walk)
{
    json_t *found = NULL;
    json_t *expected = take_next_member(walk, &walk->levels[walk->depth - 1], &found);
    if (expected == NULL) {
        return leave_nested_value(walk, found);
    }
    if (found == NULL || !is_same_value(expected, found)) {
        return report_member(walk, expected, found);
    }
    if (is_container(expected)) {
        enter_nested_value(walk, found, expected);
    }
    return true;
}

/* Compares JSON with the expected text. Objects must have exactly the expected keys; with
 * `allows_more_keys` the outermost object may have more. On a difference returns false, and `why`
 * says where the first one is: a path that begins with `path_start`. */
static bool json_diff_compare(const char *expected, json_t *found, bool allows_more_keys,
                              const char *path_start, struct text *why)
{
    struct walk walk = {
        .allows_more_keys = allows_more_keys, .path = TEXT_OF(PATH_BYTES), .why = why};
    text_put(&walk.path, path_start);
    if (!json_is_object(found)) {
        return json_diff_report(why, walk.path.at, _("expected an object"), found);
    }
    json_t *root = json_loads(expected, 0, NULL);
    assert(root != NULL); /* the games write valid JSON */
    bool is_same = true;
    enter_nested_value(&walk, found, root);
    while (is_same && walk.depth > 0) {
        is_same = compare_next_member(&walk);
    }
    json_decref(root);
    return is_same;
}

#define PLACE_BYTES 96
#define EXPECTATION_BYTES 256

static bool equals_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

/* Reads 64 lower-case hex digits. Returns false for any other value. */
static bool read_hash(const json_t *value, uint8_t bytes[32])
{
    size_t count = 0;
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64 &&
           sodium_hex2bin(bytes, 32, text, 64, NULL, &count, NULL) == 0 && count == 32;
}

static bool matches_option_value(const struct option_def *option, const struct option_value *value,
                                 const json_t *found)
{
    switch ((enum option_type)option->type) {
    case OPTION_WORD:
        return equals_text(found, value->word);
    case OPTION_SWITCH:
        return value->number != 0 ? json_is_true(found) : json_is_false(found);
    case OPTION_NUMBER:
        return json_is_integer(found) && json_integer_value(found) == value->number;
    }
    return false;
}

static bool read_option(struct history_record *record, uint8_t option_index, const json_t *found,
                        struct text *why)
{
    const struct option_def *option = &record->game->options[option_index];
    for (uint8_t v = 0; v < option->value_count; v++) {
        if (matches_option_value(option, &option->values[v], found)) {
            record->config.options[option_index] = v;
            return true;
        }
    }
    struct text path = TEXT_OF(PLACE_BYTES);
    text_put(&path, "options.");
    text_put(&path, option->key);
    return json_diff_report(why, path.at, _("expected a value that this option allows"), found);
}

/* Accepts an object with all options of the game and no others. */
static bool read_options(struct history_record *record, struct text *why)
{
    json_t *options = json_object_get(record->root, "options");
    if (!json_is_object(options)) {
        return json_diff_report(why, "options", _("expected an object"), options);
    }
    for (uint8_t i = 0; i < record->game->option_count; i++) {
        if (!read_option(record, i, json_object_get(options, record->game->options[i].key), why)) {
            return false;
        }
    }
    if (json_object_size(options) != record->game->option_count) {
        return json_diff_report(why, "options", _("expected only options that the game has"),
                                options);
    }
    return true;
}

static bool is_seat_well_formed(const json_t *seat, bool is_virtual)
{
    const json_t *name = json_object_get(seat, "name");
    const json_t *bot = json_object_get(seat, "bot");
    const json_t *mark = json_object_get(seat, "virtual");
    if (is_virtual) {
        return equals_text(name, HISTORY_VIRTUAL_NAME) && bot == NULL && json_is_true(mark);
    }
    return json_is_string(name) && (bot == NULL || json_is_string(bot)) && mark == NULL;
}

/* Reads the seats. Their number determines the number of players, which does not include the
 * virtual seats at the end of the list. */
static bool read_seats(struct history_record *record, struct text *why)
{
    json_t *seats = json_object_get(record->root, "seats");
    size_t count = json_array_size(seats);
    size_t players = count;
    while (players > 0 &&
           json_is_true(json_object_get(json_array_get(seats, players - 1), "virtual"))) {
        players--;
    }
    if (count > SEATS_MAX || players < record->game->seats_min ||
        players > record->game->seats_max) {
        return json_diff_report(why, "seats", _("expected as many seats as the game has"), seats);
    }
    record->config.players = (uint8_t)players;
    if (game_config_check(record->game, &record->config) != GAME_OK) {
        return json_diff_report(why, "seats", _("expected as many seats as the options allow"),
                                seats);
    }
    record->seats = game_seats(record->game, &record->config);
    if (record->seats != count) {
        return json_diff_report(why, "seats", _("expected as many virtual seats as the game has"),
                                seats);
    }
    for (size_t s = 0; s < count; s++) {
        const json_t *seat = json_array_get(seats, s);
        if (!is_seat_well_formed(seat, s >= players)) {
            struct text path = TEXT_OF(PLACE_BYTES);
            append_element_path(&path, "seats", s);
            return json_diff_report(why, path.at,
                                    s < players
                                        ? _("expected the key \"name\", and for a bot also \"bot\"")
                                        : _("expected the virtual player"),
                                    seat);
        }
    }
    return true;
}

static bool read_seed(struct history_record *record, struct text *why)
{
    const json_t *seed = json_object_get(record->root, "seed");
    const json_t *commitment = json_object_get(record->root, "commitment");
    if (!read_hash(commitment, record->commitment)) {
        return json_diff_report(why, "commitment", _("expected 64 lower-case hex digits"),
                                commitment);
    }
    record->is_finished = !json_is_null(seed);
    if (record->is_finished && !read_hash(seed, record->seed)) {
        return json_diff_report(why, "seed", _("expected 64 lower-case hex digits or null"), seed);
    }
    return true;
}

static bool read_format(struct history_record *record, struct text *why)
{
    const json_t *format = json_object_get(record->root, "format");
    struct text name = TEXT_OF(PLACE_BYTES);
    text_put(&name, HISTORY_FORMAT);
    text_put_number(&name, GAME_FORMAT);
    if (equals_text(format, name.at)) {
        return true;
    }
    char expectation[EXPECTATION_BYTES];
    (void)snprintf(expectation, sizeof(expectation),
                   _("expected \"%s\", the only format that this program reads"), name.at);
    return json_diff_report(why, "format", expectation, format);
}

static bool read_header(struct history_record *record, struct text *why)
{
    if (!read_format(record, why)) {
        return false;
    }
    const json_t *id = json_object_get(record->root, "id");
    if (!json_is_integer(id)) {
        return json_diff_report(why, "id", _("expected an integer"), id);
    }
    const json_t *is_void = json_object_get(record->root, "void");
    if (is_void != NULL && !json_is_true(is_void)) {
        return json_diff_report(why, "void", _("expected true, or no such key"), is_void);
    }
    const json_t *game = json_object_get(record->root, "game");
    record->game = json_is_string(game) ? game_find(json_string_value(game)) : NULL;
    if (record->game == NULL) {
        return json_diff_report(why, "game", _("expected the id of a game that this program knows"),
                                game);
    }
    record->events = json_object_get(record->root, "events");
    if (!json_is_array(record->events)) {
        return json_diff_report(why, "events", _("expected a list"), record->events);
    }
    record->result = json_object_get(record->root, "result");
    return read_options(record, why) && read_seats(record, why) && read_seed(record, why);
}

/* Overwrites the number of `len` characters at text[at] with 1.0 if it is too large for jansson. */
static void replace_if_large(char *text, size_t at, size_t len)
{
    const char *number = text + at - (at > 0 && text[at - 1] == '-');
    errno = 0;
    if (strspn(text + at, "0123456789") == len) {
        (void)strtoll(number, NULL, 10);
    } else {
        (void)strtod(number, NULL);
    }
    if (errno == ERANGE && len >= 3) {
        memset(text + at, '0', len);
        text[at] = '1';
        text[at + 1] = '.';
    }
}

/* Jansson takes no number that is too large for its types, although readers ignore the values of
 * keys that they do not know. Returns a copy of the text, which the caller frees, in which 1.0
 * stands for each such number: no key of a history takes a number with a point. */
static char *replace_large_numbers(const char *text, size_t len)
{
    char *copy = must_allocate(len + 1);
    bool is_quoted = false;
    memcpy(copy, text, len);
    for (size_t at = 0; at < len; at++) {
        if (copy[at] == '"') {
            is_quoted = !is_quoted;
        } else if (is_quoted) {
            at += copy[at] == '\\'; /* what it escapes may be a quotation mark */
        } else if (isdigit((unsigned char)copy[at])) {
            size_t count = strspn(copy + at, "0123456789.eE+-");
            replace_if_large(copy, at, count);
            at += count - 1;
        }
    }
    return copy;
}

static json_t *load_history(const char *text, size_t len, json_error_t *error)
{
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, error);
    if (root == NULL && json_error_code(error) == json_error_numeric_overflow) {
        char *copy = replace_large_numbers(text, len);
        root = json_loadb(copy, len, JSON_REJECT_DUPLICATES, error);
        free(copy);
    }
    return root;
}

bool history_read(const char *text, size_t len, struct history_record *record, struct text *why)
{
    json_error_t error;
    *record = (struct history_record){0};
    record->root = load_history(text, len, &error);
    if (record->root == NULL) {
        /* json_string returns NULL if error.text quotes bytes that are not UTF-8 */
        json_t *said = json_string(error.text);
        text_put(why, _("not JSON at byte "));
        text_put_number(why, error.position);
        if (said != NULL) {
            text_put(why, ": ");
            json_diff_write_value(said, why);
        }
        json_decref(said);
        return false;
    }
    if (!read_header(record, why)) {
        json_decref(record->root);
        return false;
    }
    return true;
}

/* True if the event has no other keys than its `required_count` required keys, which it is known to
 * have, and the optional key. */
static bool has_only_keys(const json_t *event, size_t required_count, const char *optional_key)
{
    return json_object_size(event) ==
           required_count + (json_object_get(event, optional_key) == NULL ? 0 : 1);
}

enum history_entry_type {
    HISTORY_ENTRY_MOVE,
    HISTORY_ENTRY_SEAT,
    HISTORY_ENTRY_OTHER, /* events of the game's engine: deals and consequences of moves */
};

/* An event of a history. Only moves and seat changes have more than a type. */
struct history_entry {
    enum history_entry_type type;
    uint8_t seat;  /* seat of a person or bot, for moves and seat changes */
    json_t *move;  /* text of the move (any string); only for moves */
    json_t *legal; /* array of legal moves; only for moves, NULL if absent */
};

static const char *read_move(json_t *event, struct history_entry *entry)
{
    entry->move = json_object_get(event, "move");
    entry->legal = json_object_get(event, "legal");
    if (!json_is_string(entry->move) || !has_only_keys(event, 3, "legal") ||
        (entry->legal != NULL && !json_is_array(entry->legal))) {
        return _("expected the keys \"e\", \"seat\" and \"move\", and optionally a list \"legal\"");
    }
    return NULL;
}

static const char *check_seat_change(const json_t *event)
{
    const json_t *bot = json_object_get(event, "bot");
    if (!json_is_string(json_object_get(event, "name")) || !has_only_keys(event, 3, "bot") ||
        (bot != NULL && !json_is_string(bot))) {
        return _("expected the keys \"e\", \"seat\" and \"name\", and for a bot also \"bot\"");
    }
    return NULL;
}

/* Writes the path of an event into `out`: "events[57] (trick)". `kind` may be NULL. */
static const char *write_event_path(size_t index, const char *kind, struct text *out)
{
    append_element_path(out, "events", index);
    if (kind != NULL) {
        text_put(out, " (");
        text_put(out, kind);
        text_put_char(out, ')');
    }
    return out->at;
}

/* Reads the event at `index`, which is less than the number of events. Returns false if the event
 * is invalid; `why` then says what is wrong. */
static bool history_entry_read(const struct history_record *record, size_t index,
                               struct history_entry *entry, struct text *why)
{
    json_t *event = json_array_get(record->events, index);
    const json_t *kind = json_object_get(event, "e");
    *entry = (struct history_entry){.type = HISTORY_ENTRY_OTHER};
    const char *expected = NULL;
    if (equals_text(kind, "move")) {
        entry->type = HISTORY_ENTRY_MOVE;
        expected = read_move(event, entry);
    } else if (equals_text(kind, "seat")) {
        entry->type = HISTORY_ENTRY_SEAT;
        expected = check_seat_change(event);
    } else if (!json_is_string(kind)) {
        expected = _("expected an event whose key e is a text");
    }
    if (expected == NULL && entry->type != HISTORY_ENTRY_OTHER) {
        const json_t *seat = json_object_get(event, "seat");
        json_int_t number = json_is_integer(seat) ? json_integer_value(seat) : -1;
        if (number < 0 || number >= record->config.players) {
            expected = _("expected the number of a player's seat in \"seat\"");
        } else {
            entry->seat = (uint8_t)number;
        }
    }
    if (expected != NULL) {
        struct text path = TEXT_OF(PLACE_BYTES);
        const char *called = entry->type == HISTORY_ENTRY_OTHER ? NULL : json_string_value(kind);
        return json_diff_report(why, write_event_path(index, called, &path), expected, event);
    }
    return true;
}

#define EVENT_SHOWN 200
#define RESULT_BYTES 1024

struct check {
    const struct history_record *record;
    size_t at;        /* index of the next event */
    struct text *why; /* the first difference; empty: none was found yet */
};

/* Reports a difference in the next event, which should be a move. `key` is the path inside the
 * event. Returns false. */
static bool report_move(struct check *check, const char *key, const char *expectation,
                        const json_t *found)
{
    struct text path = TEXT_OF(PLACE_BYTES);
    (void)write_event_path(check->at, "move", &path);
    text_put(&path, key);
    return json_diff_report(check->why, path.at, expectation, found);
}

/* Reads past the seat changes that stand next. *entry becomes the event after them; at the end of
 * the history its type is HISTORY_ENTRY_OTHER. If an event is malformed, reports that and returns
 * false. */
static bool skip_seat_changes(struct check *check, struct history_entry *entry)
{
    for (;; check->at++) {
        *entry = (struct history_entry){.type = HISTORY_ENTRY_OTHER};
        if (check->at == json_array_size(check->record->events)) {
            return true;
        }
        if (!history_entry_read(check->record, check->at, entry, check->why)) {
            return false;
        }
        if (entry->type != HISTORY_ENTRY_SEAT) {
            return true;
        }
    }
}

/* True for the events that are no consequence of a move, so that seat changes may stand before
 * them. */
static bool is_round_or_end(const struct game_event *event)
{
    return strcmp(event->kind, "round") == 0 || strcmp(event->kind, "end") == 0;
}

/* Compares an event that the game reports with the next event of the history. */
static void check_event(void *context, const struct game_event *event)
{
    struct check *check = context;
    struct history_entry entry;
    bool may_follow_seat_change = check->at > 0 && is_round_or_end(event);
    if (check->why->len > 0 || (may_follow_seat_change && !skip_seat_changes(check, &entry))) {
        return;
    }
    const char *path = write_event_path(check->at, event->kind, &TEXT_OF(PLACE_BYTES));
    json_t *found = json_array_get(check->record->events, check->at);
    if (found == NULL) {
        struct text expected = TEXT_OF(EVENT_SHOWN);
        text_put(&expected, event->json.at);
        (void)json_diff_report_value(check->why, path, expected.at, NULL);
        return;
    }
    (void)json_diff_compare(event->json.at, found, false, path, check->why);
    check->at++;
}

/* The legal moves of a seat as text: comparing texts is far faster than parsing them. */
struct move_texts {
    uint8_t count;
    uint8_t moves[MOVES_MAX];
    bool is_listed[MOVES_MAX];
    char texts[MOVES_MAX][MOVE_TEXT_MAX];
};

static void write_legal_moves(const struct game_def *game, const struct game_state *state,
                              uint8_t seat, struct move_texts *out)
{
    struct move_set legal = move_set_empty();
    game_find_legal_moves(game, state, seat, &legal);
    out->count = 0;
    for (uint8_t m = move_set_next(&legal, 0); m != MOVE_NONE; m = move_set_next(&legal, m + 1U)) {
        struct text text = text_init(out->texts[out->count], MOVE_TEXT_MAX);
        game_move_write(game, m, &text);
        out->is_listed[out->count] = false;
        out->moves[out->count++] = m;
    }
}

/* Returns the index of the move with this text; `count` if there is none. `value` may be any JSON.
 * Histories usually list moves in order, so the search begins at `first_index`. */
static size_t find_move_text(const struct move_texts *move_texts, const json_t *value,
                             size_t first_index)
{
    const char *text = json_string_value(value);
    for (size_t i = 0; text != NULL && i < move_texts->count; i++) {
        size_t at = (first_index + i) % move_texts->count;
        if (strcmp(move_texts->texts[at], text) == 0) {
            return at;
        }
    }
    return move_texts->count;
}

static bool report_wrong_move(struct check *check, const char *key, const char *expectation,
                              const struct move_texts *move_texts, const json_t *found)
{
    struct text full_expectation = TEXT_OF(sizeof("expected ") - 1 + EVENT_SHOWN);
    text_put(&full_expectation, expectation);
    for (size_t i = 0; i < move_texts->count; i++) {
        text_put_char(&full_expectation, ' ');
        text_put(&full_expectation, move_texts->texts[i]);
    }
    return report_move(check, key, full_expectation.at, found);
}

static bool check_legal_moves(struct check *check, const json_t *recorded, struct move_texts *legal)
{
    for (size_t index = 0; index < json_array_size(recorded); index++) {
        json_t *listed = json_array_get(recorded, index);
        size_t found = find_move_text(legal, listed, index);
        if (found == legal->count) {
            return report_move(check, ".legal", _("expected only legal moves"), listed);
        }
        if (legal->is_listed[found]) {
            return report_move(check, ".legal", _("expected each legal move only once"), listed);
        }
        legal->is_listed[found] = true;
    }
    if (json_array_size(recorded) < legal->count) {
        return report_wrong_move(check, ".legal", _("expected all legal moves:"), legal, recorded);
    }
    return true;
}

/* Checks the next move before it is played; *move becomes its number. */
static bool check_move(struct check *check, const struct game_state *state,
                       const struct history_entry *entry, uint8_t *move)
{
    const struct game_def *game = check->record->game;
    if ((game_seats_to_act(state) >> entry->seat & 1) == 0) {
        json_t *event = json_array_get(check->record->events, check->at);
        return report_move(check, ".seat", _("expected a seat that is to act"),
                           json_object_get(event, "seat"));
    }
    struct move_texts legal;
    write_legal_moves(game, state, entry->seat, &legal);
    size_t index = find_move_text(&legal, entry->move, 0);
    if (index == legal.count) {
        return report_wrong_move(check, ".move", _("expected one of"), &legal, entry->move);
    }
    *move = legal.moves[index];
    return entry->legal == NULL || check_legal_moves(check, entry->legal, &legal);
}

/* Reads past the seat changes before the next move, then plays that move. */
static bool play_next_move(struct check *check, struct game_state *state,
                           const struct game_log *log)
{
    struct history_entry entry;
    if (!skip_seat_changes(check, &entry)) {
        return false;
    }
    if (entry.type == HISTORY_ENTRY_OTHER) {
        return report_move(check, "", _("expected a move"),
                           json_array_get(check->record->events, check->at));
    }
    uint8_t move = MOVE_NONE;
    if (!check_move(check, state, &entry, &move)) {
        return false;
    }
    check->at++;
    enum game_result went = game_apply(check->record->game, state, entry.seat, move, log);
    assert(went == GAME_OK); /* check_move accepts legal moves only */
    (void)went;
    return check->why->len == 0;
}

static bool compare_commitment_with_seed_hash(struct check *check)
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, check->record->seed, SEED_BYTES);
    if (memcmp(hash, check->record->commitment, sizeof(hash)) == 0) {
        return true;
    }
    struct text expected = TEXT_OF(2 * sizeof(hash) + 3);
    text_put_char(&expected, '"');
    text_put_hex(&expected, hash, sizeof(hash));
    text_put_char(&expected, '"');
    return json_diff_report_value(check->why, "commitment", expected.at,
                                  json_object_get(check->record->root, "commitment"));
}

static bool check_result_and_no_more_events(struct check *check, const struct game_state *state)
{
    const struct history_record *record = check->record;
    if (check->at < json_array_size(record->events)) {
        const char *path = write_event_path(check->at, "after the end", &TEXT_OF(PLACE_BYTES));
        return json_diff_report(check->why, path, _("expected nothing"),
                                json_array_get(record->events, check->at));
    }
    struct text result = TEXT_OF(RESULT_BYTES);
    history_write_result(record->game, state, &result);
    return json_diff_compare(result.at, record->result, true, "result", check->why);
}

bool history_verify(const struct history_record *record, uint32_t *correct_moves, struct text *why)
{
    struct check check = {.record = record, .why = why};
    *correct_moves = 0;
    if (!compare_commitment_with_seed_hash(&check)) {
        return false;
    }
    struct game_log log = {.context = &check, .event = check_event};
    struct game_state state;
    enum game_result went = game_start(record->game, &record->config, record->seed, &state, &log);
    assert(went == GAME_OK); /* history_read has accepted these players and options */
    (void)went;
    if (why->len > 0) {
        return false;
    }
    while (game_seats_to_act(&state) != 0) {
        if (!play_next_move(&check, &state, &log)) {
            return false;
        }
        ++*correct_moves;
    }
    return check_result_and_no_more_events(&check, &state);
}

/* The subcommands `verify` and `replay`, which read files of histories. */

/* Size limit of a history; one of a thousand moves has about 300 KB. */
#define HISTORY_BYTES_MAX ((size_t)16 << 20)

/* A file of any size, of which one history at a time is read. */
struct history_file {
    const char *path;
    FILE *stream;
    struct bytes held;       /* the current history */
    uint64_t count;          /* number of the current history, from 1 */
    uint64_t line;           /* line of its first byte, from 1 */
    uint64_t lines_passed;   /* before the next byte */
    char why[JSON_DIFF_MAX]; /* why the history read last is invalid (HISTORY_FILE_BAD) */
};

enum history_file_result {
    HISTORY_FILE_OK = 0,
    HISTORY_FILE_END,
    HISTORY_FILE_BAD, /* this history is invalid, and `why` says how; the next history may be valid
                       */
    HISTORY_FILE_FAILED, /* the file cannot be read any further; a line on standard error says why
                          */
};

static bool is_white_space(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The reader's position within an object. Brackets inside strings do not count. */
struct nesting {
    size_t depth;
    bool is_in_string;
    bool is_escaped;
};

static bool closes_outermost_object(struct nesting *nesting, char c)
{
    if (nesting->is_in_string) {
        if (nesting->is_escaped) {
            nesting->is_escaped = false;
        } else if (c == '\\') {
            nesting->is_escaped = true;
        } else if (c == '"') {
            nesting->is_in_string = false;
        }
        return false;
    }
    if (c == '"') {
        nesting->is_in_string = true;
    } else if (c == '{' || c == '[') {
        nesting->depth++;
    } else if (c == '}' || c == ']') {
        nesting->depth--;
        return nesting->depth == 0;
    }
    return false;
}

static enum history_file_result fail_to_read(const struct history_file *file, const char *what)
{
    (void)subcommand_fail(file->path, what);
    return HISTORY_FILE_FAILED;
}

/* Reports what is wrong with the history that begins at file->line. If the file ends there because
 * it cannot be read, reports that instead. */
static enum history_file_result fail_at_line(const struct history_file *file, const char *what)
{
    if (ferror(file->stream) != 0) {
        return fail_to_read(file, strerror(errno));
    }
    fprintf(stderr, _("trickhouse %s: %s: line %" PRIu64 ": %s\n"), program_invocation_short_name,
            file->path, file->line, what);
    return HISTORY_FILE_FAILED;
}

/* Opens the file; the path "-" means standard input. After HISTORY_FILE_FAILED there is nothing to
 * close. */
static enum history_file_result history_file_open(struct history_file *file, const char *path)
{
    *file = (struct history_file){.path = path, .stream = stdin};
    bytes_init(&file->held, HISTORY_BYTES_MAX);
    if (strcmp(path, "-") != 0 && (file->stream = fopen(path, "re")) == NULL) {
        return fail_to_read(file, strerror(errno));
    }
    return HISTORY_FILE_OK;
}

static void history_file_close(struct history_file *file)
{
    (void)fclose(file->stream);
    bytes_clear(&file->held);
}

static int take_byte(struct history_file *file)
{
    int c = getc_unlocked(file->stream);
    file->lines_passed += c == '\n';
    return c;
}

/* Reads the bytes of the next history without parsing them: only finds its end. A history may be
 * one line, as we write it, or several lines, as other programs write it. Returns HISTORY_FILE_OK,
 * _END or _FAILED. A file that contains no history is a failure. */
static enum history_file_result history_file_skip_next(struct history_file *file)
{
    struct nesting nesting = {0};
    int c = take_byte(file);
    while (is_white_space(c)) {
        c = take_byte(file);
    }
    file->line = file->lines_passed + 1;
    bytes_drop_first(&file->held, file->held.len);
    if (c == EOF && ferror(file->stream) == 0) {
        return file->count > 0 ? HISTORY_FILE_END
                               : fail_to_read(file, _("the file contains no history"));
    }
    if (c != '{') {
        return fail_at_line(file, _("a history begins with \"{\""));
    }
    char byte = (char)c;
    while (bytes_add(&file->held, &byte, 1) && !closes_outermost_object(&nesting, byte)) {
        c = take_byte(file);
        byte = (char)c;
        if (c == EOF) {
            return fail_at_line(file, _("the history that begins here has no end"));
        }
    }
    if (nesting.depth > 0) {
        return fail_at_line(file, _("the history that begins here is longer than 16 MiB"));
    }
    file->count++;
    return HISTORY_FILE_OK;
}

/* Reads the next history. After HISTORY_FILE_OK the caller clears the record. */
static enum history_file_result history_file_read_next(struct history_file *file,
                                                       struct history_record *record)
{
    enum history_file_result found = history_file_skip_next(file);
    if (found != HISTORY_FILE_OK) {
        return found;
    }
    struct text why = text_init(file->why, sizeof(file->why));
    return history_read(file->held.at, file->held.len, record, &why) ? HISTORY_FILE_OK
                                                                     : HISTORY_FILE_BAD;
}

#define LINE_BYTES (JSON_DIFF_MAX + 128)

struct verification {
    uint64_t holding;
    uint64_t failing;
    char last[LINE_BYTES]; /* the line about the last correct history, printed if the file contains
                              only that history */
};

static void print_failure(struct verification *verification, const struct history_file *file,
                          const char *what, const char *why)
{
    printf(_("history %" PRIu64 " (line %" PRIu64 ") %s%s\n"), file->count, file->line, what, why);
    verification->failing++;
}

static void verify_history(struct verification *verification, const struct history_file *file,
                           const struct history_record *record)
{
    struct text why = TEXT_OF(JSON_DIFF_MAX);
    uint32_t moves;
    const char *more = json_is_true(json_object_get(record->root, "void"))
                           ? _("; the game was declared void")
                           : "";
    if (!record->is_finished) {
        print_failure(verification, file,
                      _("is of an unfinished game, so there is no seed to verify it by"), "");
    } else if (!history_verify(record, &moves, &why)) {
        print_failure(verification, file, _("differs at "), why.at);
    } else {
        verification->holding++;
        snprintf(
            verification->last, sizeof(verification->last),
            _("correct: %s, %u players, %" PRIu32 " moves, %zu events: commitment, deal, every "
              "event and the result%s\n"),
            record->game->id, record->config.players, moves, json_array_size(record->events), more);
    }
}

/* Prints one line for a single history. For several histories, prints those that failed and a
 * total. */
static void print_summary(const struct verification *verification)
{
    uint64_t all = verification->holding + verification->failing;
    if (all == 1 && verification->holding == 1) {
        printf("%s", verification->last);
    } else if (all > 1 && verification->failing == 0) {
        printf(_("%" PRIu64 " histories: all correct\n"), all);
    } else if (all > 1) {
        printf(_("%" PRIu64 " histories: %" PRIu64 " correct, %" PRIu64 " wrong\n"), all,
               verification->holding, verification->failing);
    }
}

static int verify_file(const char *path)
{
    struct history_file file;
    if (history_file_open(&file, path) != HISTORY_FILE_OK) {
        return 1;
    }
    output_begin();
    struct verification verification = {0};
    enum history_file_result next;
    do {
        struct history_record record;
        next = history_file_read_next(&file, &record);
        if (next == HISTORY_FILE_OK) {
            verify_history(&verification, &file, &record);
            json_decref(record.root);
        } else if (next == HISTORY_FILE_BAD) {
            print_failure(&verification, &file, _("cannot be read: "), file.why);
        }
        (void)fflush(stdout); /* somebody may be waiting for it */
    } while ((next == HISTORY_FILE_OK || next == HISTORY_FILE_BAD) && ferror(stdout) == 0);
    print_summary(&verification);
    history_file_close(&file);
    return (next == HISTORY_FILE_END && verification.failing == 0) || ferror(stdout) != 0 ? 0 : 1;
}

int subcommand_run_verify(char **argv)
{
    const char *path = NULL;
    const struct argument options[] = {{.text = &path, .called = "FILE", .is_needed = true}};
    if (!arguments_read(options, argv)) {
        return 2;
    }
    return verify_file(path);
}

#define EVERY_STEP UINT32_MAX

struct replay {
    const char *path;
    int8_t seat;   /* the seat whose views are shown, or SPECTATOR */
    uint32_t step; /* number of the only step to show, or EVERY_STEP */
    uint32_t game; /* number of the only history to show, from 1; 0: show all histories */
};

static void print_view(struct replay *replay, const struct history_record *record,
                       const struct game_state *state)
{
    char buffer[VIEW_TEXT_MAX] FILLED_LATER;
    struct text text = text_init(buffer, sizeof(buffer));
    struct game_view view FILLED_LATER;
    game_fill_view(record->game, state, replay->seat, &view);
    view_write(&view, &text);
    text_put_char(&text, '\n');
    assert(!text.is_cut);
    fwrite(text.at, 1, text.len, stdout);
}

/* Finds the next event that is a move. Returns false after the last move, or at an invalid event,
 * which `why` then explains. */
static bool find_next_move(const struct history_record *record, size_t *event_index,
                           struct history_entry *entry, struct text *why)
{
    while (*event_index < json_array_size(record->events)) {
        if (!history_entry_read(record, (*event_index)++, entry, why)) {
            return false;
        }
        if (entry->type == HISTORY_ENTRY_MOVE) {
            return true;
        }
    }
    return false;
}

/* Prints the views of one game. Returns false if the history is wrong; `why` says how. */
static bool replay_record(struct replay *replay, const struct history_record *record,
                          struct text *why)
{
    if (!record->is_finished) {
        text_put(why, _("the game is unfinished: without its seed it cannot be replayed"));
        return false;
    }
    if (replay->seat >= record->config.players) {
        text_put(why, _("there is no such seat; the last one is "));
        text_put_number(why, record->config.players - 1);
        return false;
    }
    struct game_state state;
    enum game_result went = game_start(record->game, &record->config, record->seed, &state, NULL);
    assert(went == GAME_OK); /* history_read has accepted these players and options */
    size_t at = 0;
    uint32_t step = 0;
    for (;;) {
        bool is_wanted = replay->step == EVERY_STEP || step == replay->step;
        if (is_wanted) {
            print_view(replay, record, &state);
        }
        struct history_entry entry;
        if (step == replay->step || !find_next_move(record, &at, &entry, why)) {
            break;
        }
        uint8_t move = game_move_parse(record->game, json_string_value(entry.move));
        went = game_apply(record->game, &state, entry.seat, move, NULL);
        if (went != GAME_OK) {
            text_put(why, "events[");
            text_put_number(why, (int64_t)at - 1);
            text_put(why, _("]: this move is not allowed: "));
            json_diff_write_value(entry.move, why);
            return false;
        }
        step++;
    }
    if (why->len == 0 && replay->step != EVERY_STEP && step < replay->step) {
        text_put(why, _("there is no such step; the last one is "));
        text_put_number(why, step);
    }
    return why->len == 0;
}

static bool report_error(const struct history_file *file, const char *why)
{
    fprintf(stderr, _("trickhouse %s: %s: history %" PRIu64 " (line %" PRIu64 "): %s\n"),
            program_invocation_short_name, file->path, file->count, file->line, why);
    return false;
}

/* Shows or skips one history; returns false after an error or at the end of the file. */
static bool replay_next_history(struct replay *replay, struct history_file *file, int *exit_status)
{
    enum history_file_result next;
    struct history_record record;
    bool is_skipped = file->count + 1 < replay->game;
    next = is_skipped ? history_file_skip_next(file) : history_file_read_next(file, &record);
    *exit_status = next == HISTORY_FILE_OK || next == HISTORY_FILE_END ? 0 : 1;
    if (next == HISTORY_FILE_BAD) {
        return report_error(file, file->why);
    }
    if (next != HISTORY_FILE_OK || is_skipped) {
        return next == HISTORY_FILE_OK;
    }
    struct text why = TEXT_OF(JSON_DIFF_MAX);
    bool is_done = replay_record(replay, &record, &why);
    json_decref(record.root);
    if (!is_done) {
        *exit_status = 1;
        return report_error(file, why.at);
    }
    return file->count != replay->game && ferror(stdout) == 0;
}

static int replay_file(struct replay *replay)
{
    struct history_file file;
    if (history_file_open(&file, replay->path) != HISTORY_FILE_OK) {
        return 1;
    }
    output_begin();
    int status = 0;
    while (replay_next_history(replay, &file, &status)) {
    }
    if (status == 0 && file.count < replay->game) {
        fprintf(stderr,
                _("trickhouse %s: %s: there is no history %" PRIu32 "; the last one is "
                  "%" PRIu64 "\n"),
                "replay", replay->path, replay->game, file.count);
        status = 1;
    }
    history_file_close(&file);
    return status;
}

int subcommand_run_replay(char **argv)
{
    struct replay replay = {.seat = SPECTATOR, .step = EVERY_STEP};
    bool is_spectator = false;
    uint32_t seat = SEATS_MAX; /* SEATS_MAX means that no seat was given */
    const struct argument options[] = {
        {.name = "seat", .number = &seat, .max = SEATS_MAX - 1},
        {.name = "spectator", .flag = &is_spectator},
        {.name = "step", .number = &replay.step, .max = UINT16_MAX},
        {.name = "game", .number = &replay.game, .min = 1, .max = UINT32_MAX},
        {.text = &replay.path, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (seat < SEATS_MAX) {
        replay.seat = (int8_t)seat;
    }
    if (is_spectator && seat < SEATS_MAX) {
        return subcommand_report_wrong_usage(_("--seat and --spectator exclude each other"));
    }
    return replay_file(&replay);
}
