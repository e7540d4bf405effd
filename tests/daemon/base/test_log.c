#include "daemon/base/base.h"
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char line[4 * LOG_LINE_MAX];

/* Redirects standard error into a pipe until tear_down_stderr_pipe is called. */
static int set_up_stderr_pipe(void **state)
{
    static int fds[2]; /* the pipe's reading end, and a copy of the real standard error */
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -1;
    }
    fds[0] = ends[0];
    fds[1] = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    process_set_name("house-test");
    *state = fds;
    return 0;
}

static int tear_down_stderr_pipe(void **state)
{
    const int *fds = *state;
    dup2(fds[1], STDERR_FILENO);
    close(fds[0]);
    close(fds[1]);
    return 0;
}

/* Returns the lines logged since the last call; "" if there are none. */
static const char *read_logged_text(void **state)
{
    const int *fds = *state;
    ssize_t len = read(fds[0], line, sizeof line - 1);
    line[len > 0 ? len : 0] = '\0';
    return line;
}

static void a_log_line_has_time_process_connection_and_event(void **state)
{
    log_event(LOG_LEVEL_INFO, 812, "signed in as %s", "mira");
    const char *text = read_logged_text(state);
    assert_int_equal(strspn(text, "0123456789-T:.Z"), strlen("2026-11-20T06:26:46.123Z"));
    assert_string_equal(text + strlen("2026-11-20T06:26:46.123Z"),
                        " house-test info conn=812 event=note what=\"signed in as mira\"\n");
}

static void a_log_line_about_no_connection_has_a_dash(void **state)
{
    log_event(LOG_LEVEL_ERROR, 0, "disk full");
    assert_non_null(strstr(read_logged_text(state),
                           "Z house-test error conn=- event=note what=\"disk full\"\n"));
}

static void newlines_and_control_characters_are_escaped(void **state)
{
    log_event(LOG_LEVEL_WARN, 1, "name '%s'", "a\nb\x1b[2J\\\xc3\xa9\x7f");
    assert_non_null(
        strstr(read_logged_text(state), " what=\"name 'a\\x0ab\\x1b[2J\\x5c\\xc3\\xa9\\x7f'\"\n"));
}

static void a_key_without_a_value_is_not_logged(void **state)
{
    log_pairs(LOG_LEVEL_INFO, 7, "sign-in",
              LOG_PAIRS("method", "key", "account", NULL, "try", LOG_NUMBER(-3)));
    assert_non_null(strstr(read_logged_text(state), " conn=7 event=sign-in method=key try=-3\n"));
}

/* Somebody may choose a name that looks like part of a log line, to make the log accuse somebody
 * else. */
static void a_logged_value_cannot_pose_as_a_key_or_another_line(void **state)
{
    static const struct {
        const char *name, *written;
    } names[] = {
        {"mira", "name=mira\n"},
        {"", "name=\"\"\n"},
        {"a b", "name=\"a b\"\n"},
        {"x account=root", "name=\"x account\\x3droot\"\n"},
        {"x\" account=root", "name=\"x\\x22 account\\x3droot\"\n"},
        {"\"", "name=\"\\x22\"\n"},
        {"x\\", "name=\"x\\x5c\"\n"},
        {"x\\x22", "name=\"x\\x5cx22\"\n"},
        {"x\n2026-11-20T06:26:46.123Z core info conn=1 event=sign-in",
         "name=\"x\\x0a2026-11-20T06:26:46.123Z core info conn\\x3d1 event\\x3dsign-in\"\n"},
        {"\x1b]0;x\a", "name=\"\\x1b]0;x\\x07\"\n"},
        {"\xe2\x80\xae"
         "arim",
         "name=\"\\xe2\\x80\\xaearim\"\n"},
        {"\xff\xc0", "name=\"\\xff\\xc0\"\n"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        log_pairs(LOG_LEVEL_INFO, 1, "denied", LOG_PAIRS("name", names[i].name));
        const char *text = read_logged_text(state);
        assert_string_equal(strstr(text, "name="), names[i].written);
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    }
}

static void a_long_text_is_truncated_and_stays_on_one_line(void **state)
{
    char text[3 * LOG_LINE_MAX];
    memset(text, '\n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    log_event(LOG_LEVEL_WARN, 1, "%s", text);
    size_t len = strlen(read_logged_text(state));
    assert_true(len <= LOG_LINE_MAX);
    assert_int_equal(line[len - 1], '\n');
    assert_int_equal(line[len - 2], '"');
    assert_memory_equal(line + len - 6, "\\x0a",
                        4); /* truncating the text does not split its last escape sequence */
    assert_ptr_equal(strchr(line, '\n'), line + len - 1);
}

static void debug_lines_are_logged_only_if_the_environment_enables_them(void **state)
{
    unsetenv("TRICKHOUSE_DEBUG");
    log_event(LOG_LEVEL_DEBUG, 0, "quiet");
    assert_string_equal(read_logged_text(state), "");
    setenv("TRICKHOUSE_DEBUG", "1", 1);
    log_event(LOG_LEVEL_DEBUG, 0, "loud");
    assert_non_null(strstr(read_logged_text(state), "debug conn=- event=note what=loud\n"));
    unsetenv("TRICKHOUSE_DEBUG");
}

static void logging_does_not_change_errno(void **state)
{
    errno = ENOSPC;
    log_event(LOG_LEVEL_ERROR, 0, "%s", strerror(errno));
    assert_int_equal(errno, ENOSPC);
    assert_non_null(strstr(read_logged_text(state), "No space left"));
}

static const char *const events[] = {"note", "end", NULL};

#define TIME "2026-11-20T06:26:46.123Z"

static void lines_of_another_process_are_relayed_with_its_name_and_the_current_time(void **state)
{
    static const char *const lines[] = {
        " session warn conn=7 event=end",
        " session error conn=7 event=note what=\"a \\x22b\\x22\" more-of_it=1",
        " session info conn=7 event=note what=\"\"",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, TIME "%s", lines[i]);
        assert_true(log_relay_line("session", 7, text, events));
        const char *written = read_logged_text(state);
        assert_memory_not_equal(written, TIME, strlen(TIME));
        snprintf(text, sizeof text, "%s\n", lines[i]);
        assert_string_equal(written + strlen(TIME), text);
    }
    assert_true(
        log_relay_line("session", 7, TIME " session info conn=- event=note what=x", events));
    assert_non_null(strstr(read_logged_text(state), " session info conn=7 event=note what=x\n"));
}

static void malformed_lines_are_not_relayed(void **state)
{
    static const char *const lines[] = {
        "",
        "x",
        TIME,
        TIME " ",
        TIME " session",
        TIME " session info conn=7",
        TIME " core info conn=7 event=note what=x",
        TIME " sessions info conn=7 event=note what=x",
        TIME " session loud conn=7 event=note what=x",
        TIME " session info conn=8 event=note what=x",
        TIME " session info conn=77 event=note what=x",
        TIME " session info conn=7 event=sign-in account=x",
        TIME " session info conn=7 event=notes what=x",
        TIME " session info conn=7 event=\"note\" what=x",
        TIME " session info conn=7 what=x event=note",
        TIME " session info conn=7 event=note conn=8",
        TIME " session info conn=7 event=note event=end",
        TIME " session info conn=7 event=note process=core",
        TIME " session info conn=007 event=note what=x",
        TIME " session info conn=7 event=note what",
        TIME " session info conn=7 event=note what=",
        TIME " session info conn=7 event=note =x",
        TIME " session info conn=7 event=note  what=x",
        TIME " session info conn=7 event=note what=\"x",
        TIME " session info conn=7 event=note what=\"x\"y",
        TIME " session info conn=7 event=note what=\"x=y\"",
        TIME " session info conn=7 event=note what=\"x\\y\"",
        TIME " session info conn=7 event=note what=\"x\\x2\"",
        TIME " session info conn=7 event=note what=\"x\ny\"",
        TIME " session info conn=7 event=note what=\"\xc3\xa9\"",
        TIME " session info conn=7 event=note what=x\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_false(log_relay_line("session", 7, lines[i], events));
        assert_string_equal(read_logged_text(state), "");
    }
    char text[LOG_LINE_MAX + 64] = TIME " session info conn=7 event=note what=";
    memset(text + strlen(text), 'x', sizeof text - 1 - strlen(text));
    assert_false(log_relay_line("session", 7, text, events));
    assert_string_equal(read_logged_text(state), "");
}

TEST_GROUP(log)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_log_line_has_time_process_connection_and_event,
                                        set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(a_log_line_about_no_connection_has_a_dash,
                                        set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(newlines_and_control_characters_are_escaped,
                                        set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(a_key_without_a_value_is_not_logged, set_up_stderr_pipe,
                                        tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(a_logged_value_cannot_pose_as_a_key_or_another_line,
                                        set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(a_long_text_is_truncated_and_stays_on_one_line,
                                        set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(debug_lines_are_logged_only_if_the_environment_enables_them,
                                        set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(logging_does_not_change_errno, set_up_stderr_pipe,
                                        tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(
            lines_of_another_process_are_relayed_with_its_name_and_the_current_time,
            set_up_stderr_pipe, tear_down_stderr_pipe),
        cmocka_unit_test_setup_teardown(malformed_lines_are_not_relayed, set_up_stderr_pipe,
                                        tear_down_stderr_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
