#include "games/macros.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/*
 * One player types hostile text, and another player's screen of 80×24 is checked: the frames stay
 * in place, nothing changes outside the chat, and neither cursor nor title changes.
 */
#define ROWS 24
#define COLUMNS 80
#define TALKERS 6
#define LINES_EACH 5 /* number of lines that one person may send to the chat without a pause */

struct people {
    struct house_fixture house;
    struct terminal *ada;              /* the player whose screen is checked */
    struct terminal *talkers[TALKERS]; /* the guests who type hostile text */
    size_t said;
};

static int set_up(void **state)
{
    static struct people people;
    char last[32];
    house_open(&people.house);
    people.ada = people_connect(&people.house, "ada", COLUMNS, ROWS);
    for (size_t i = 0; i < TALKERS; i++) {
        people.talkers[i] = guests_connect(&people.house);
    }
    snprintf(last, sizeof(last), "guest-%d", TALKERS);
    terminal_expect(people.ada, last);
    *state = &people;
    return 0;
}

static int tear_down(void **state)
{
    struct people *people = *state;
    for (size_t i = 0; i < TALKERS; i++) {
        terminal_free(people->talkers[i]);
    }
    terminal_free(people->ada);
    house_close(&people->house);
    return 0;
}

/* Chooses a guest who may still chat: the house refuses further lines from a guest who has just
 * sent LINES_EACH. */
static struct terminal *choose_chatting_guest(struct people *people)
{
    size_t turn = people->said++ / LINES_EACH;
    assert_true(turn < TALKERS);
    return people->talkers[turn];
}

/* A copy of a screen: every cell, the cursor and the title */
struct snapshot {
    char cells[ROWS][COLUMNS][32];
    int cursor;
    char title[256];
};

static void take_snapshot(struct terminal *terminal, struct snapshot *out)
{
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            snprintf(out->cells[row][column], sizeof(out->cells[row][column]), "%s",
                     terminal_read_cell(terminal, row, column));
        }
    }
    out->cursor = terminal_cursor_position(terminal);
    snprintf(out->title, sizeof(out->title), "%s", terminal_title(terminal));
}

/* Frames are drawn with U+2500 to U+257F. */
static bool is_frame_character(const char *cell)
{
    return strncmp(cell, "\xe2\x94", 2) == 0 || strncmp(cell, "\xe2\x95", 2) == 0;
}

/* Finds the first row of the chat. */
static int find_chat_row(const struct snapshot *snapshot)
{
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column + 1 < COLUMNS; column++) {
            if (strcmp(snapshot->cells[row][column], "#") == 0 &&
                strcmp(snapshot->cells[row][column + 1], "l") == 0) {
                return row;
            }
        }
    }
    fail_msg("there is no chat on the screen");
    return 0;
}

static void assert_screen_unharmed(const struct snapshot *before, struct terminal *terminal)
{
    static struct snapshot now;
    take_snapshot(terminal, &now);
    int chat = find_chat_row(before);
    for (int row = 0; row < ROWS; row++) {
        bool is_kept = row <= chat || row == ROWS - 1;
        for (int column = 0; column < COLUMNS; column++) {
            const char *was = before->cells[row][column];
            const char *is = now.cells[row][column];
            if ((is_kept || is_frame_character(was) || is_frame_character(is)) &&
                strcmp(was, is) != 0) {
                terminal_print(terminal, "harmed");
                fail_msg("row %d, column %d: \"%s\" became \"%s\"", row, column, was, is);
            }
        }
    }
    assert_int_equal(now.cursor, before->cursor);
    assert_string_equal(now.title, before->title);
}

/* A text to type, and the part of it that appears on the other screen. */
struct saying {
    const char *typed, *shown;
};

static const struct saying sayings[] = {
    {"over \xe2\x80\xae"
     "ride \xe2\x81\xa6"
     "and\xe2\x81\xa9 on",
     "over ride and on"},
    {"zero\xe2\x80\x8bwidth\xe2\x80\x8d\xe2\x81\xa0\xc2\xad.", "zerowidth."},
    {"mark \xef\xbb\xbf"
     "of order",
     "mark of order"},
    {"tags\xf3\xa0\x81\xa8\xf3\xa0\x81\xa9\xf3\xa0\x81\xbf end", "tags end"},
    {"filler\xe3\x85\xa4\xe1\x85\x9f\xef\xbe\xa0 end", "filler end"},
    {"Z\xcc\xb4\xcd\x9d\xcd\xa8\xcc\x86\xcc\x88\xcc\xa3\xcc\xa4\xcc\xa5\xcc\xa6"
     "algo",
     "algo"},
    {"漢字かな交じり文と한국어와 wide", "漢字かな交じり文と한국어와 wide"},
    {"family \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 home",
     "family \xf0\x9f\x91\xa9\xf0\x9f\x91\xa9\xf0\x9f\x91\xa7 home"},
    {"heart \xe2\x9d\xa4\xef\xb8\x8f end", "heart \xe2\x9d\xa4 end"},
    {"שלום עולם مرحبا right", "שלום עולם مرحبا right"},
    {"private \xee\x80\x80\xf4\x8f\xbf\xbd use", "private use"},
    {"line\xe2\x80\xa8paragraph\xe2\x80\xa9.", "lineparagraph."},
    {"\xc2\x9b"
     "31mred\xc2\x9d"
     "0;owned\xc2\x9c.",
     "red"},
};

static void type_words(struct terminal *from, const char *prefix, const char *words)
{
    terminal_type(from, "c");
    terminal_type(from, prefix);
    terminal_type(from, words);
    terminal_type(from, "\r\x1b");
    terminal_expect(from, "c to talk");
}

static void hostile_chat_lines_stay_within_the_chat(void **state)
{
    struct people *people = *state;
    static struct snapshot before;
    take_snapshot(people->ada, &before);
    for (size_t i = 0; i < ARRAY_LEN(sayings); i++) {
        type_words(choose_chatting_guest(people), "", sayings[i].typed);
        terminal_expect(people->ada, sayings[i].shown);
        assert_screen_unharmed(&before, people->ada);
    }
}

static void hostile_actions_and_messages_stay_within_the_chat(void **state)
{
    struct people *people = *state;
    static struct snapshot before;
    take_snapshot(people->ada, &before);
    type_words(choose_chatting_guest(people), "/me ",
               "turns \xe2\x80\xae"
               "around");
    terminal_expect(people->ada, "turns around");
    assert_screen_unharmed(&before, people->ada);
    type_words(choose_chatting_guest(people), "/tell ada ",
               "psst\xe2\x80\x8b \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 wide");
    terminal_expect(people->ada, "psst \xf0\x9f\x91\xa9\xf0\x9f\x91\xa7 wide");
    assert_screen_unharmed(&before, people->ada);
}

/* A player types keys that would be control sequences on a terminal. Whatever the keys do for that
 * player, the others see nothing of them. */
static void typed_control_sequences_reach_no_other_screen(void **state)
{
    static const char *const sequences[] = {
        "\x1b[2J\x1b[H", "\x1b]0;owned\x07", "\x1b[31mred",           "\x9b\x32J",
        "\x1b(0lqk",     "\x0e\x0f",         "one\ttwo\x0bthree\x0c",
    };
    struct people *people = *state;
    static struct snapshot before;
    take_snapshot(people->ada, &before);
    for (size_t i = 0; i < ARRAY_LEN(sequences); i++) {
        struct terminal *from = guests_connect(&people->house);
        terminal_type(from, "c");
        terminal_type(from, sequences[i]);
        terminal_free(from);
    }
    type_words(choose_chatting_guest(people), "", "after the storm");
    terminal_expect(people->ada, "after the storm");
    terminal_expect(people->ada, "7 here ·");
    assert_screen_unharmed(&before, people->ada);
}

static void long_chat_lines_wrap_within_the_frame_and_too_long_ones_are_refused(void **state)
{
    struct people *people = *state;
    static struct snapshot before;
    char words[3 * 110 + 1] = "";
    struct terminal *from = choose_chatting_guest(people);
    take_snapshot(people->ada, &before);
    for (int i = 0; i < 110; i++) {
        memcpy(words + 3 * i, "\xe9\x95\xb7",
               4); /* each character takes two columns, so the line takes 220 */
    }
    type_words(from, "", words);
    assert_false(terminal_shows(people->ada, "\xe9\x95\xb7"));
    words[3 * 95] = '\0';
    type_words(choose_chatting_guest(people), "", words);
    terminal_expect(people->ada, "\xe9\x95\xb7\xe9\x95\xb7");
    assert_screen_unharmed(&before, people->ada);
}

/* Lines of the house have a mark on the left. Nothing that a player writes reaches that column, in
 * the first row of a line or in the following rows. */
static void nobody_can_imitate_a_line_of_the_house(void **state)
{
    struct people *people = *state;
    char words[200];
    struct terminal *from = choose_chatting_guest(people);
    int len = snprintf(words, sizeof(words), "%-71s09:00 \xc2\xb7 The house closes now", "x");
    assert_true(len > 0 && (size_t)len < sizeof(words));
    type_words(from, "", words);
    terminal_expect(people->ada, "The house closes now");
    type_words(from, "/me ", "\xc2\xb7 The house opens again");
    terminal_expect(people->ada, "The house opens again");
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < 9; column++) {
            assert_string_not_equal(terminal_read_cell(people->ada, row, column), "\xc2\xb7");
        }
    }
}

static void the_log_has_whole_lines_of_plain_ascii(void **state)
{
    struct people *people = *state;
    char path[96], line[2048];
    int count = 0;
    snprintf(path, sizeof(path), "%s/data/house.log", people->house.folder);
    FILE *log = fopen(path, "re");
    assert_non_null(log);
    while (fgets(line, sizeof(line), log) != NULL) {
        size_t len = strlen(line);
        assert_true(len > 25 && line[len - 1] == '\n' && line[4] == '-' && line[23] == 'Z');
        for (size_t i = 0; i + 1 < len; i++) {
            assert_true(line[i] >= ' ' && line[i] <= '~');
        }
        count++;
    }
    fclose(log);
    assert_true(count > TALKERS);
    assert_int_equal(house_count_log_lines(&people->house, "ride"),
                     0); /* only the two people may read their direct messages */
}

static void a_name_with_forbidden_characters_is_refused(void **state)
{
    static const char *const names[] = {
        "ev\342\200\256il", "b\303\263b",  "ev\342\200\213il",
        "\320\265ve",       "sys\302\267", "tag\363\240\201\250",
    };
    static const char *const refusals[] = {"A name has only letters", "begins with a letter", NULL};
    struct people *people = *state;
    static struct snapshot before;
    take_snapshot(people->ada, &before);
    const struct connect_setup setup = {.user = "root", .key = "eve"};
    struct terminal *eve = house_connect_by_ssh(&people->house, &setup);
    terminal_expect(eve, "Choose a name:");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        terminal_type(eve, "\x15");
        terminal_type(eve, names[i]);
        (void)terminal_expect_any(eve, refusals);
        terminal_type(eve, "\r");
    }
    terminal_expect(eve, "Choose a name:");
    terminal_free(eve);
    assert_screen_unharmed(&before, people->ada);
}

/* Nobody else may see a password; the others only see that the table is locked. */
static void a_tables_password_is_never_shown(void **state)
{
    struct people *people = *state;
    struct terminal *host = people->talkers[TALKERS - 1];
    terminal_type(host, "n");
    terminal_expect(host, "A new table");
    terminal_type(host, "\r");
    terminal_expect(host, "about to begin");
    terminal_type(host, "/lock s\xe2\x80\xae"
                        "esame\xf0\x9f\x91\xa9\r");
    terminal_expect(people->ada, "guest-6");
    terminal_expect_gone(people->ada, "No table is open yet.");
    assert_false(terminal_shows(people->ada, "esame"));
    assert_int_equal(house_count_log_lines(&people->house, "esame"), 0);
}

TEST_GROUP(hostile_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_chat_lines_stay_within_the_chat),
        cmocka_unit_test(hostile_actions_and_messages_stay_within_the_chat),
        cmocka_unit_test(typed_control_sequences_reach_no_other_screen),
        cmocka_unit_test(long_chat_lines_wrap_within_the_frame_and_too_long_ones_are_refused),
        cmocka_unit_test(nobody_can_imitate_a_line_of_the_house),
        cmocka_unit_test(a_name_with_forbidden_characters_is_refused),
        cmocka_unit_test(a_tables_password_is_never_shown),
        cmocka_unit_test(the_log_has_whole_lines_of_plain_ascii),
    };
    return cmocka_run_group_tests_name("hostile text", tests, set_up, tear_down);
}
