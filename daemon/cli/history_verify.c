#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#define PLACE_BYTES 96
#define EVENT_SHOWN 200

struct check {
    const struct history_record *record;
    size_t at; /* index of the next event */
    bool differs;
    struct text *why;
};

/* Writes the path of a difference: "events[57] (trick)", then the path inside the event. */
static struct text write_event_path(char *buffer, size_t index, const char *kind,
                                    const char *path_in_event)
{
    struct text path = text_init(buffer, PLACE_BYTES);
    text_put(&path, "events[");
    text_put_number(&path, (int64_t)index);
    text_put(&path, "] (");
    text_put(&path, kind);
    text_put_char(&path, ')');
    text_put(&path, path_in_event);
    return path;
}

static bool report_difference(struct check *check, const char *path, const char *expectation,
                              const json_t *found)
{
    check->differs = true;
    return json_diff_report(check->why, path, expectation, found);
}

static bool report_different_value(struct check *check, const char *path,
                                   const char *expected_value, const json_t *found)
{
    check->differs = true;
    return json_diff_report_value(check->why, path, expected_value, found);
}

/* Reads past the seat changes that stand next. *entry becomes the event after them; at the end of
 * the history its type is HISTORY_ENTRY_OTHER. If an event is malformed, notes a difference and
 * returns false. */
static bool skip_seat_changes(struct check *check, struct history_entry *entry)
{
    for (;; check->at++) {
        *entry = (struct history_entry){.type = HISTORY_ENTRY_OTHER};
        if (check->at == json_array_size(check->record->events)) {
            return true;
        }
        if (!history_entry_read(check->record, check->at, entry, check->why)) {
            check->differs = true;
            return false;
        }
        if (entry->type != HISTORY_ENTRY_SEAT) {
            return true;
        }
    }
}

/* True for the events that are no consequence of a move, so that seat changes may stand before
 * them. */
static bool is_round_or_end(const struct field *kind)
{
    return kind != NULL && (strcmp(kind->text, "round") == 0 || strcmp(kind->text, "end") == 0);
}

/* Compares an event that the game reports with the next event of the history. */
static void check_event(void *context, const struct fields *event)
{
    struct check *check = context;
    struct history_entry entry;
    const struct field *kind = fields_find(event, "e");
    bool may_follow_seat_change = check->at > 0 && is_round_or_end(kind);
    if (check->differs || (may_follow_seat_change && !skip_seat_changes(check, &entry))) {
        return;
    }
    char buffer[PLACE_BYTES];
    struct text path = write_event_path(buffer, check->at, kind == NULL ? "" : kind->text, "");
    json_t *found = json_array_get(check->record->events, check->at);
    if (found == NULL) {
        char shown[EVENT_SHOWN];
        struct text expected = text_init(shown, sizeof(shown));
        fields_write(event, &expected);
        (void)report_different_value(check, path.at, expected.at, NULL);
        return;
    }
    check->differs = !json_diff_compare(event, found, false, path.at, check->why);
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
    char shown[sizeof("expected ") - 1 + EVENT_SHOWN];
    struct text full_expectation = text_init(shown, sizeof(shown));
    text_put(&full_expectation, expectation);
    for (size_t i = 0; i < move_texts->count; i++) {
        text_put_char(&full_expectation, ' ');
        text_put(&full_expectation, move_texts->texts[i]);
    }
    char buffer[PLACE_BYTES];
    struct text path = write_event_path(buffer, check->at, "move", key);
    return report_difference(check, path.at, full_expectation.at, found);
}

static bool check_legal_moves(struct check *check, const json_t *recorded, struct move_texts *legal)
{
    char buffer[PLACE_BYTES];
    struct text path = write_event_path(buffer, check->at, "move", ".legal");
    for (size_t index = 0; index < json_array_size(recorded); index++) {
        json_t *listed = json_array_get(recorded, index);
        size_t found = find_move_text(legal, listed, index);
        if (found == legal->count) {
            return report_difference(check, path.at, _("expected only legal moves"), listed);
        }
        if (legal->is_listed[found]) {
            return report_difference(check, path.at, _("expected each legal move only once"),
                                     listed);
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
        char buffer[PLACE_BYTES];
        struct text path = write_event_path(buffer, check->at, "move", ".seat");
        json_t *event = json_array_get(check->record->events, check->at);
        return report_difference(check, path.at, _("expected a seat that is to act"),
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
        char buffer[PLACE_BYTES];
        struct text path = write_event_path(buffer, check->at, "move", "");
        return report_difference(check, path.at, _("expected a move"),
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
    return !check->differs;
}

static bool compare_commitment_with_seed_hash(struct check *check)
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, check->record->seed, SEED_BYTES);
    if (memcmp(hash, check->record->commitment, sizeof(hash)) == 0) {
        return true;
    }
    char buffer[2 * sizeof(hash) + 3];
    struct text expected = text_init(buffer, sizeof(buffer));
    text_put_char(&expected, '"');
    text_put_hex(&expected, hash, sizeof(hash));
    text_put_char(&expected, '"');
    return report_different_value(check, "commitment", expected.at,
                                  json_object_get(check->record->root, "commitment"));
}

static bool check_result_and_no_more_events(struct check *check, const struct game_state *state)
{
    const struct history_record *record = check->record;
    if (check->at < json_array_size(record->events)) {
        char buffer[PLACE_BYTES];
        struct text path = write_event_path(buffer, check->at, "after the end", "");
        return report_difference(check, path.at, _("expected nothing"),
                                 json_array_get(record->events, check->at));
    }
    struct fields result;
    history_fill_result(record->game, record->seats, state, &result);
    return json_diff_compare(&result, record->result, true, "result", check->why);
}

enum history_verdict history_verify(const struct history_record *record, uint32_t *correct_moves,
                                    struct text *why)
{
    *correct_moves = 0;
    if (!record->is_finished) {
        return HISTORY_UNFINISHED;
    }
    struct check check = {.record = record, .why = why};
    if (!compare_commitment_with_seed_hash(&check)) {
        return HISTORY_DIFFERS;
    }
    struct game_log log = {.context = &check, .event = check_event};
    struct game_state state;
    enum game_result went = game_start(record->game, &record->config, record->seed, &state, &log);
    assert(went == GAME_OK); /* history_read has accepted these players and options */
    (void)went;
    if (check.differs) {
        return HISTORY_DIFFERS;
    }
    while (game_seats_to_act(&state) != 0) {
        if (!play_next_move(&check, &state, &log)) {
            return HISTORY_DIFFERS;
        }
        ++*correct_moves;
    }
    return check_result_and_no_more_events(&check, &state) ? HISTORY_HOLDS : HISTORY_DIFFERS;
}
