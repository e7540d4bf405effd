#include "daemon/session/session_state.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <stdlib.h>

#include <string.h>

static void valid_terminal_names_are_kept_unchanged(void **state)
{
    (void)state;
    static const char *const good[] = {
        "xterm-256color", "vt100", "rxvt-unicode+x_1.2",
        "9term",          "a",     "abcdefghijklmnopqrstuvwxyz012345",
    };
    char name[TERMINAL_NAME_SIZE];
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        terminal_name_copy(name, good[i]);
        assert_string_equal(name, good[i]);
    }
}

static void an_invalid_terminal_name_becomes_an_unknown_terminal(void **state)
{
    (void)state;
    static const char *const bad[] = {
        NULL,
        "",
        "../../etc/passwd",
        "-x",
        ".x",
        "xterm color",
        "xterm\x1b[2J",
        "a/b",
        "x\xc3\xa9",
        "abcdefghijklmnopqrstuvwxyz0123456",
    };
    char name[TERMINAL_NAME_SIZE];
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        terminal_name_copy(name, bad[i]);
        assert_string_equal(name, "unknown");
    }
}

static void assert_size(struct terminal_size size, int columns, int rows)
{
    assert_int_equal(size.columns, columns);
    assert_int_equal(size.rows, rows);
}

static void window_sizes_are_clamped_and_an_unknown_size_is_80_by_24(void **state)
{
    (void)state;
    assert_size(terminal_size_clamp(120, 40), 120, 40);
    assert_size(terminal_size_clamp(0, 0), 80, 24);
    assert_size(terminal_size_clamp(100, 0), 80, 24);
    assert_size(terminal_size_clamp(-1, 50), 80, 24);
    assert_size(terminal_size_clamp(1, 1), 20, 10);
    assert_size(terminal_size_clamp(2147483647, 2147483647), 500, 200);
}

static void the_locale_decides_whether_a_terminal_shows_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *names[3], *values[3];
        bool is_ascii;
    } cases[] = {
        {{NULL}, {NULL}, false},
        {{"LANG"}, {"C"}, true},
        {{"LANG"}, {"C.UTF-8"}, false},
        {{"LANG"}, {"de_DE.utf8@euro"}, false},
        {{"LANG"}, {"de_DE"}, true},
        {{"LANG"}, {"de_DE.ISO-8859-15"}, true},
        {{"LANG"}, {""}, false},
        {{"LC_ALL", "LANG"}, {"C", "de_DE.UTF-8"}, true},
        {{"LANG", "LC_ALL"}, {"de_DE.UTF-8", "POSIX"}, true},
        {{"LANG", "LC_ALL"}, {"C", "en_US.UTF-8"}, false},
        {{"LANG", "LC_CTYPE", "LC_ALL"}, {"C", "en_US.UTF-8", ""}, false},
        {{"LC_TIME", "EDITOR"}, {"C", "C"}, false},
        {{"LANG", "LC_CTYPE"}, {"en_US.UTF-8", "UTF-8"}, false}, /* what macOS sends */
        {{"LANG", "LC_ALL"}, {"C", "utf8"}, false},
        {{"LC_CTYPE"}, {"ISO-8859-1"}, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal;
        terminal_init(&terminal, 100);
        for (size_t j = 0; j < 3 && cases[i].names[j] != NULL; j++) {
            bool is_known =
                terminal_take_env_variable(&terminal, cases[i].names[j], cases[i].values[j]);
            assert_int_equal(is_known, strcmp(cases[i].names[j], "EDITOR") != 0);
        }
        assert_int_equal(terminal.is_ascii, cases[i].is_ascii);
    }
}

static void the_locale_variable_with_the_highest_priority_sets_the_language(void **state)
{
    (void)state;
    static const struct {
        const char *names[3], *values[3], *language;
    } cases[] = {
        {{NULL}, {NULL}, NULL},
        {{"LANG"}, {"de_DE.UTF-8"}, "de"},
        {{"LANG"}, {""}, NULL},
        {{"LC_CTYPE"}, {"de_DE.UTF-8"}, NULL},
        {{"LANG", "LC_MESSAGES"}, {"de_DE.UTF-8", "C"}, "en"},
        {{"LC_MESSAGES", "LANG"}, {"de_DE.UTF-8", "en_GB.UTF-8"}, "de"},
        {{"LC_ALL", "LC_MESSAGES", "LANG"}, {"de_AT", "en_US", "C"}, "de"},
        {{"LANG"}, {"tlh.UTF-8"}, "en"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal;
        terminal_init(&terminal, 100);
        for (size_t j = 0; j < 3 && cases[i].names[j] != NULL; j++) {
            assert_true(
                terminal_take_env_variable(&terminal, cases[i].names[j], cases[i].values[j]));
        }
        if (cases[i].language == NULL) {
            assert_null(terminal.language);
        } else {
            assert_string_equal(terminal.language, cases[i].language);
        }
    }
}

static void the_variable_tz_names_the_time_zone(void **state)
{
    (void)state;
    struct terminal terminal;
    terminal_init(&terminal, 100);
    assert_string_equal(terminal.timezone, "");
    assert_true(terminal_take_env_variable(&terminal, "TZ", "Europe/Berlin"));
    assert_string_equal(terminal.timezone, "Europe/Berlin");
    assert_true(terminal_take_env_variable(&terminal, "TZ", ":Asia/Tokyo"));
    assert_string_equal(terminal.timezone, "Asia/Tokyo");
}

static void only_text_of_several_lines_that_came_at_once_is_marked_as_a_paste(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *kept; /* kept: NULL: the same */
    } cases[] = {
        {"my shopping list\r3 eggs\r", "\033[200~my shopping list\r3 eggs\r\033[201~"},
        {"hi\nq\n", "\033[200~hi\nq\n\033[201~"},
        {"hi\nno", "\033[200~hi\nno\033[201~"},
        {"\r\n\tyes\r", "\033[200~\r\n\tyes\r\033[201~"},
        {"h\xc3\xa4\r\nq\r\n", "\033[200~h\xc3\xa4\r\nq\r\n\033[201~"},
        {"/who\r", NULL},
        {"hello", NULL},
        {"j\rk\r", NULL}, /* keys that were pressed quickly */
        {"/kick eve\ry", NULL},
        {"ok\r\r", NULL},
        {"\033[A\rhello", NULL},
        {"\x03\rhello", NULL},
        {"\033[200~a b\rc\033[201~", NULL}, /* the terminal has marked it */
        {"", NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct terminal terminal;
        const char *kept = cases[i].kept != NULL ? cases[i].kept : cases[i].typed;
        terminal_init(&terminal, 100);
        assert_true(bytes_add(&terminal.in, "x\r", 2));
        assert_true(bytes_add(&terminal.in, cases[i].typed, strlen(cases[i].typed)));
        terminal_mark_paste(&terminal, 2);
        assert_int_equal(terminal.in.len, 2 + strlen(kept));
        assert_memory_equal(terminal.in.at + 2, kept, strlen(kept));
        terminal.lines.is_on = true;
        size_t len = terminal.in.len;
        terminal_mark_paste(&terminal, 0);
        assert_int_equal(terminal.in.len, len);
        bytes_clear(&terminal.in);
    }
}

static void a_paste_without_room_for_its_marks_is_dropped(void **state)
{
    (void)state;
    struct terminal terminal;
    terminal_init(&terminal, 20);
    assert_true(bytes_add(&terminal.in, "x\rhello\r3\r", 10));
    terminal_mark_paste(&terminal, 2);
    assert_int_equal(terminal.in.len, 2);
    assert_true(terminal.is_overrun);
    bytes_clear(&terminal.in);
}

static void a_terminal_without_utf8_gets_only_ascii(void **state)
{
    (void)state;
    static const char text[] = "Caf\xc3\xa9 \xe2\x99\xa5 e\xcc\x81 \xff.\r\n";
    for (int is_ascii = 0; is_ascii < 2; is_ascii++) {
        const char *wanted = is_ascii ? "Cafe H e ?.\r\n" : text;
        struct terminal terminal;
        terminal_init(&terminal, 100);
        terminal.is_ascii = is_ascii;
        assert_true(bytes_add(&terminal.out, text, strlen(text)));
        terminal_convert_output(&terminal);
        assert_int_equal(terminal.out.len, strlen(wanted));
        assert_memory_equal(terminal.out.at, wanted, strlen(wanted));
        bytes_clear(&terminal.out);
    }
}

TEST_GROUP(terminal)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_text_of_several_lines_that_came_at_once_is_marked_as_a_paste),
        cmocka_unit_test(a_paste_without_room_for_its_marks_is_dropped),
        cmocka_unit_test(a_terminal_without_utf8_gets_only_ascii),
        cmocka_unit_test(valid_terminal_names_are_kept_unchanged),
        cmocka_unit_test(an_invalid_terminal_name_becomes_an_unknown_terminal),
        cmocka_unit_test(the_locale_decides_whether_a_terminal_shows_utf8),
        cmocka_unit_test(the_locale_variable_with_the_highest_priority_sets_the_language),
        cmocka_unit_test(the_variable_tz_names_the_time_zone),
        cmocka_unit_test(window_sizes_are_clamped_and_an_unknown_size_is_80_by_24),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
