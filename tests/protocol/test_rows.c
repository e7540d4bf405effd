#include "lobby/protocol/protocol.h"
#include "tests/protocol/protocol_page.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares each row of rows.def as a struct, as JSON in messages, and in the tables of
 * PROTOCOL.md. */

#define CELL_MAX 128

/* Writes what the second cell of a field's row in PROTOCOL.md must be. */
static void write_expected_second_cell(const struct row_field *field, char *out, size_t cap)
{
    static const char *const words[] = {
        [ROW_IS_TEXT] = "text",     [ROW_IS_WORD] = "",     [ROW_IS_NUMBER] = "number",
        [ROW_IS_TIME] = "time",     [ROW_IS_FLAG] = "bool", [ROW_IS_TENTHS] = "decimal",
        [ROW_IS_OBJECT] = "object", [ROW_IS_LIST] = "list", [ROW_IS_GAME] = "game",
    };
    struct text text = text_init(out, cap);
    text_put(&text, field->type == ROW_IS_PART ? field->part->form : words[field->type]);
    for (size_t i = 0; field->type == ROW_IS_WORD && i < field->words->count; i++) {
        bool is_absent = field->when == ROW_ABSENT_IF && (int64_t)i == field->none;
        text_put(&text, is_absent ? "" : text.len > 0 ? ", `" : "`");
        text_put(&text, is_absent ? "" : field->words->texts[i]);
        text_put(&text, is_absent ? "" : "`");
    }
    text_put(&text, field->when == ROW_NULL_IF ? " or null" : "");
}

static const struct row_def *const row_defs[] = {
#define ROW(row) &row##_row_def,
#include "lobby/protocol/rows.def"
};

/* Returns the section of PROTOCOL.md that describes the row `name`, for the caller to free. */
static char *read_row_section(const char *name)
{
    char heading[64];
    (void)snprintf(heading, sizeof(heading), "### %s row", name);
    return protocol_page_read_section(heading);
}

static void protocol_md_lists_every_field_with_its_type_and_possible_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(row_defs); i++) {
        const struct row_def *def = row_defs[i];
        char *section = read_row_section(def->name);
        for (size_t at = 0; at < def->count; at++) {
            const struct row_field *field = &def->fields[at];
            char value[CELL_MAX], line[2 * CELL_MAX];
            write_expected_second_cell(field, value, sizeof(value));
            (void)snprintf(line, sizeof(line), "\n| `%s`%s | %s |", field->key,
                           field->when == ROW_ABSENT_IF ? "?" : "", value);
            if (strstr(section, line) == NULL) {
                fail_msg("the %s row's table in PROTOCOL.md has to say %s", def->name, line + 1);
            }
        }
        free(section);
    }
}

static bool has_field(const struct row_def *def, const char *key, size_t len)
{
    for (size_t i = 0; i < def->count; i++) {
        if (strlen(def->fields[i].key) == len && memcmp(def->fields[i].key, key, len) == 0) {
            return true;
        }
    }
    return false;
}

static void protocol_md_lists_no_field_that_is_missing_in_rows_def(void **state)
{
    (void)state;
    char *page = protocol_page_read();
    size_t tables = 0;
    for (const char *at = page; (at = strstr(at, " row\n")) != NULL; at++) {
        const char *line = at;
        while (line[-1] != '\n') {
            line--;
        }
        tables += strncmp(line, "### ", 4) == 0;
    }
    assert_int_equal(tables, ARRAY_LEN(row_defs));
    for (size_t i = 0; i < ARRAY_LEN(row_defs); i++) {
        char *section = read_row_section(row_defs[i]->name);
        for (const char *at = section; (at = strstr(at, "\n| `")) != NULL;) {
            at += 4;
            if (!has_field(row_defs[i], at, strcspn(at, "`"))) {
                fail_msg("PROTOCOL.md's %s row has a field %.*s that rows.def does not have",
                         row_defs[i]->name, (int)strcspn(at, "`"), at);
            }
        }
        free(section);
    }
    free(page);
}

/* Reads a row from this JSON and returns the row written as JSON again. */
static json_t *read_and_write_row(const struct row_def *def, json_t *object)
{
    json_t *written = json_object();
    void *row = calloc(1, def->size);
    (void)row_read(def, object, row);
    /* A row that was refused may have no game, and a row without a game cannot be written. */
    for (size_t i = 0; i < def->count; i++) {
        const struct game_def *game = game_at(0);
        void *member = (char *)row + def->fields[i].offset;
        const void *none = NULL;
        if (def->fields[i].type == ROW_IS_GAME && memcmp(member, &none, sizeof(none)) == 0) {
            memcpy(member, &game, sizeof(game));
        }
    }
    row_write_fields(def, row, written);
    free(row);
    return written;
}

static void assert_within_bounds(const struct row_field *field, const json_t *value)
{
    if ((field->type == ROW_IS_NUMBER || field->type == ROW_IS_TENTHS) && json_is_number(value)) {
        double scale = field->type == ROW_IS_TENTHS ? 10.0 : 1.0;
        assert_true(scale * json_number_value(value) >= (double)field->min);
        assert_true(scale * json_number_value(value) <= (double)field->max);
    }
    if (field->type == ROW_IS_WORD && value != NULL) {
        assert_true(row_value_of_word(field->words, json_string_value(value)) <
                    field->words->count);
    }
    if (field->type == ROW_IS_TEXT && json_is_string(value)) {
        assert_true(json_string_length(value) < field->size);
        assert_null(strchr(json_string_value(value), '\x1b'));
    }
}

static void a_reader_keeps_every_row_within_its_bounds_whatever_the_input(void **state)
{
    (void)state;
    static const char *const values[] = {
        "null",
        "true",
        "-9223372036854775808",
        "9223372036854775807",
        "1e300",
        "-0.5",
        "\"\\u001b[2Jsomebody-with-a-name-that-is-longer-than-any-name-can-be-or-any-text\"",
        "\"guest\"",
        "[]",
        "[null,1,\"x\",{\"name\":7},[[]]]",
        "{\"kind\":[]}",
    };
    for (size_t i = 0; i < ARRAY_LEN(row_defs); i++) {
        const struct row_def *def = row_defs[i];
        for (size_t at = 0; at < ARRAY_LEN(values); at++) {
            json_t *object = json_object();
            for (size_t field = 0; field < def->count; field++) {
                (void)json_object_set_new(object, def->fields[field].key,
                                          json_loads(values[at], JSON_DECODE_ANY, NULL));
            }
            json_t *written = read_and_write_row(def, object);
            for (size_t field = 0; field < def->count; field++) {
                assert_within_bounds(&def->fields[field],
                                     json_object_get(written, def->fields[field].key));
            }
            json_t *twice = read_and_write_row(def, written);
            assert_true(json_equal(written, twice));
            json_decref(twice);
            json_decref(written);
            json_decref(object);
        }
        json_decref(read_and_write_row(def, NULL));
    }
}

static void row_keys_are_unique_and_struct_members_can_hold_the_largest_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(row_defs); i++) {
        const struct row_def *def = row_defs[i];
        for (size_t at = 0; at < def->count; at++) {
            const struct row_field *field = &def->fields[at];
            size_t same = 0;
            for (size_t other = 0; other < def->count; other++) {
                same += strcmp(def->fields[other].key, field->key) == 0;
            }
            assert_int_equal(same, 1);
            bool is_number = field->type == ROW_IS_NUMBER || field->type == ROW_IS_TENTHS;
            bool is_signed = field->min < 0 || field->none < 0 || field->size >= 4;
            int bits = 8 * (int)field->size - (is_signed ? 1 : 0);
            if (is_number && bits < 63) {
                assert_true(field->max < INT64_C(1) << bits);
                assert_true(field->min >= -(INT64_C(1) << bits));
            }
        }
    }
}

static void a_written_row_reads_back_the_same(void **state)
{
    (void)state;
    const struct leader_row leader = {
        .rank = 3,
        .change_week = -12,
        .name = "ada",
        .kind = PERSON_BOT,
        .role = ROLE_MOD,
        .rating = {1583, true},
        .deviation = 61,
        .games = 40,
        .wins_tenths = 333,
        .place_tenths = 1000,
        .stat_tenths = ROW_NONE,
        .finished_tenths = 975,
        .streak = -4,
        .best = 1622,
        .best_ms = 1700000000123,
        .seen_ms = 1700000000456,
    };
    struct leader_row read;
    json_t *object = leader_row_write(&leader);
    assert_true(leader_row_read(object, &read));
    assert_true(json_is_null(json_object_get(object, "stat")));
    json_t *twice = leader_row_write(&read);
    assert_true(json_equal(object, twice));
    assert_int_equal(read.wins_tenths, 333);
    assert_int_equal(read.stat_tenths, ROW_NONE);
    assert_int_equal(read.rating.value, 1583);
    assert_true(read.rating.is_provisional);
    json_decref(twice);
    json_decref(object);
}

static void an_empty_seat_is_null_and_the_others_keep_their_places(void **state)
{
    (void)state;
    const struct entered_row entered = {
        .seats = {.count = 3,
                  .at = {[1] = {.is_taken = true, .name = "ada", .kind = PERSON_GUEST}}},
        .game_id = 7,
    };
    struct entered_row read;
    json_t *object = entered_row_write(&entered);
    const json_t *seats = json_object_get(object, "seats");
    assert_int_equal(json_array_size(seats), 3);
    assert_true(json_is_null(json_array_get(seats, 0)));
    assert_true(entered_row_read(object, &read));
    assert_int_equal(read.seats.count, 3);
    assert_false(read.seats.at[0].is_taken);
    assert_true(read.seats.at[1].is_taken);
    assert_string_equal(read.seats.at[1].name, "ada");
    assert_int_equal(read.seats.at[1].kind, PERSON_GUEST);
    assert_false(read.seats.at[2].is_taken);
    json_decref(object);
}

static void more_seats_than_a_table_can_have_are_not_read(void **state)
{
    (void)state;
    struct entered_row read;
    json_t *seats = json_array();
    for (int i = 0; i < 2 * SEATS_MAX; i++) {
        (void)json_array_append_new(seats, json_pack("{s:s}", "name", "ada"));
    }
    json_t *object = json_pack("{s:o}", "seats", seats);
    assert_true(entered_row_read(object, &read));
    assert_int_equal(read.seats.count, SEATS_MAX);
    json_decref(object);
}

static void a_row_without_a_required_field_is_refused(void **state)
{
    (void)state;
    struct game_row row;
    json_t *object = json_pack("{s:i,s:s}", "game_id", 7, "game", game_at(0)->id);
    assert_true(game_row_read(object, &row));
    assert_int_equal(row.score, ROW_NONE);
    (void)json_object_set_new(object, "game_id", json_integer(0));
    assert_false(game_row_read(object, &row));
    (void)json_object_set_new(object, "game_id", json_string("7"));
    assert_false(game_row_read(object, &row));
    (void)json_object_set_new(object, "game_id", json_integer(7));
    (void)json_object_set_new(object, "game", json_string("no-such-game"));
    assert_false(game_row_read(object, &row));
    assert_false(game_row_read(NULL, &row));
    json_decref(object);
}

TEST_GROUP(rows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocol_md_lists_every_field_with_its_type_and_possible_words),
        cmocka_unit_test(protocol_md_lists_no_field_that_is_missing_in_rows_def),
        cmocka_unit_test(a_reader_keeps_every_row_within_its_bounds_whatever_the_input),
        cmocka_unit_test(row_keys_are_unique_and_struct_members_can_hold_the_largest_values),
        cmocka_unit_test(a_written_row_reads_back_the_same),
        cmocka_unit_test(an_empty_seat_is_null_and_the_others_keep_their_places),
        cmocka_unit_test(more_seats_than_a_table_can_have_are_not_read),
        cmocka_unit_test(a_row_without_a_required_field_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
