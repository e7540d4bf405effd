#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACE_BYTES 64
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

static void append_element_path(struct text *path, const char *list, size_t index)
{
    text_put(path, list);
    text_put_char(path, '[');
    text_put_number(path, (int64_t)index);
    text_put_char(path, ']');
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
    char *copy = malloc(len + 1);
    bool is_quoted = false;
    if (copy == NULL) {
        abort(); /* out of memory */
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
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
        history_record_clear(record);
        return false;
    }
    return true;
}

void history_record_clear(struct history_record *record)
{
    json_decref(record->root);
    *record = (struct history_record){0};
}

/* True if the event has no other keys than its `required_count` required keys, which it is known to
 * have, and the optional key. */
static bool has_only_keys(const json_t *event, size_t required_count, const char *optional_key)
{
    return json_object_size(event) ==
           required_count + (json_object_get(event, optional_key) == NULL ? 0 : 1);
}

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

bool history_entry_read(const struct history_record *record, size_t index,
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
        append_element_path(&path, "events", index);
        text_put(&path, entry->type == HISTORY_ENTRY_MOVE   ? " (move)"
                        : entry->type == HISTORY_ENTRY_SEAT ? " (seat)"
                                                            : "");
        return json_diff_report(why, path.at, expected, event);
    }
    return true;
}

#define READ_BYTES 65536

static const char too_long[] = N_("the history that begins here is longer than 16 MiB");

bool json_stream_open(struct json_stream *stream, const char *path)
{
    *stream = (struct json_stream){.fd = STDIN_FILENO};
    if (strcmp(path, "-") != 0) {
        stream->fd = open(path, O_RDONLY | O_CLOEXEC);
        stream->is_fd_ours = true;
    }
    /* Each read drops the bytes before the current object, to make room for further bytes. */
    bytes_init(&stream->held, JSON_STREAM_OBJECT_MAX + READ_BYTES);
    return stream->fd >= 0;
}

void json_stream_close(struct json_stream *stream)
{
    if (stream->is_fd_ours) {
        close(stream->fd);
    }
    bytes_clear(&stream->held);
}

/* Ends the reading. Returns false, for callers to return. */
static bool stop_reading(struct json_stream *stream, const char *why)
{
    stream->why = why;
    return false;
}

static bool read_next_bytes(struct json_stream *stream)
{
    bytes_drop_first(&stream->held, stream->start);
    stream->next -= stream->start;
    stream->start = 0;
    char buffer[READ_BYTES];
    ssize_t got;
    do {
        got = read(stream->fd, buffer, sizeof(buffer));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        stream->line = 0;
        return stop_reading(stream, strerror(errno));
    }
    stream->is_at_end = got == 0;
    return bytes_add(&stream->held, buffer, (size_t)got) || stop_reading(stream, _(too_long));
}

/* Makes sure that there is a byte at stream->next. Returns false if there is none: at the end,
 * `why_at_end` then says why not. */
static bool ensure_next_byte(struct json_stream *stream, const char *why_at_end)
{
    while (stream->next == stream->held.len) {
        if (stream->is_at_end) {
            return stop_reading(stream, why_at_end);
        }
        if (!read_next_bytes(stream)) {
            return false;
        }
    }
    return true;
}

static char take_byte(struct json_stream *stream)
{
    char c = stream->held.at[stream->next++];
    if (c == '\n') {
        stream->lines_passed++;
    }
    return c;
}

static bool is_white_space(char c)
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

bool json_stream_read_next(struct json_stream *stream, const char **text, size_t *len)
{
    char c = ' ';
    while (is_white_space(c)) {
        stream->start = stream->next;
        if (!ensure_next_byte(stream, NULL)) {
            return false;
        }
        c = take_byte(stream);
    }
    stream->line = stream->lines_passed + 1;
    struct nesting nesting = {0};
    if (c != '{') {
        return stop_reading(stream, _("a history begins with \"{\""));
    }
    while (!closes_outermost_object(&nesting, c)) {
        if (!ensure_next_byte(stream, _("the history that begins here has no end"))) {
            return false;
        }
        c = take_byte(stream);
    }
    *text = stream->held.at + stream->start;
    *len = stream->next - stream->start;
    return *len <= JSON_STREAM_OBJECT_MAX || stop_reading(stream, _(too_long));
}

static enum history_file_result report_failure(const struct history_file *file, const char *what)
{
    (void)subcommand_fail(file->self, file->path, what);
    return HISTORY_FILE_FAILED;
}

enum history_file_result history_file_open(struct history_file *file, const struct subcommand *self,
                                           const char *path)
{
    *file = (struct history_file){.self = self, .path = path};
    if (!json_stream_open(&file->stream, path)) {
        return report_failure(file, strerror(errno));
    }
    return HISTORY_FILE_OK;
}

void history_file_close(struct history_file *file)
{
    json_stream_close(&file->stream);
}

static enum history_file_result read_next_json_object(struct history_file *file, const char **text,
                                                      size_t *len)
{
    const struct json_stream *stream = &file->stream;
    if (json_stream_read_next(&file->stream, text, len)) {
        file->count++;
        return HISTORY_FILE_OK;
    }
    if (stream->why == NULL && file->count > 0) {
        return HISTORY_FILE_END;
    }
    if (stream->why == NULL || stream->line == 0) {
        return report_failure(file, stream->why == NULL ? _("the file contains no history")
                                                        : stream->why);
    }
    fprintf(stderr, _("trickhouse %s: %s: line %" PRIu64 ": %s\n"), file->self->name, file->path,
            stream->line, stream->why);
    return HISTORY_FILE_FAILED;
}

enum history_file_result history_file_read_next(struct history_file *file,
                                                struct history_record *record)
{
    const char *bytes;
    size_t len;
    enum history_file_result found = read_next_json_object(file, &bytes, &len);
    if (found != HISTORY_FILE_OK) {
        return found;
    }
    struct text why = text_init(file->why, sizeof(file->why));
    return history_read(bytes, len, record, &why) ? HISTORY_FILE_OK : HISTORY_FILE_BAD;
}

enum history_file_result history_file_skip_next(struct history_file *file)
{
    const char *bytes;
    size_t len;
    return read_next_json_object(file, &bytes, &len);
}
