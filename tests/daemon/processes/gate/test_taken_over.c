#include "taken_over.h"

#include "daemon/base/clock.h"
#include "daemon/config/config.h"
#include "daemon/processes/gate/gate_log.h"
#include "gate_fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/* A session that an attacker controls can harm only itself. The gate's log is a file that all its
 * processes share, like house.log. */

static const char first_line[] = "the first line of the log\n";

struct visit {
    struct house house;
    struct person person;
    int log;
    off_t from; /* the test reads the log from this position */
    char text[1 << 16];
};

static void begin_visit_with_config(struct visit *visit, const struct config *config, off_t log_len)
{
    memset(visit, 0, sizeof *visit);
    int made = memfd_create("log", MFD_CLOEXEC);
    char path[32];
    assert_true(made >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", made);
    visit->log = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    assert_true(visit->log >= 0);
    close(made);
    assert_int_equal(write(visit->log, first_line, sizeof first_line - 1), sizeof first_line - 1);
    visit->from = (off_t)sizeof first_line - 1;
    if (log_len > visit->from) {
        assert_int_equal(ftruncate(visit->log, log_len), 0);
        visit->from = log_len;
    }
    house_open_with(&visit->house, 10, visit->log, config);
    person_connect(&visit->person, &visit->house, "guest", NULL, NULL);
    assert_true(person_expect(&visit->person, "ANSWER 1"));
}

static void begin_visit(struct visit *visit)
{
    begin_visit_with_config(visit, NULL, 0);
}

static void read_log(struct visit *visit)
{
    ssize_t got = pread(visit->log, visit->text, sizeof visit->text - 1, visit->from);
    visit->text[got > 0 ? got : 0] = '\0';
}

/* Waits until the text was logged since the visit began. */
static bool is_logged_within(struct visit *visit, const char *text, int64_t patience_ms)
{
    int64_t deadline_ms = clock_steady_ms() + patience_ms;
    read_log(visit);
    while (strstr(visit->text, text) == NULL && clock_steady_ms() < deadline_ms) {
        (void)poll(NULL, 0, 5);
        read_log(visit);
    }
    bool is_there = strstr(visit->text, text) != NULL;
    if (!is_there) {
        print_message("not logged: %s\nbut: %s\n", text, visit->text);
    }
    return is_there;
}

static bool is_logged(struct visit *visit, const char *text)
{
    return is_logged_within(visit, text, HOUSE_PATIENCE_MS);
}

static int count_occurrences(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        found++;
    }
    return found;
}

static void end_visit(struct visit *visit)
{
    char begins[sizeof first_line] = "";
    person_type(&visit->person, "q");
    person_wait_for_end(&visit->person);
    house_close(&visit->house);
    assert_int_equal(pread(visit->log, begins, sizeof first_line - 1, 0), sizeof first_line - 1);
    assert_string_equal(begins, first_line); /* the visit may have ended already */
    close(visit->log);
}

static void a_hostile_session_shares_no_open_file_and_overwrites_no_log_line(void **state)
{
    static struct visit visit;
    (void)state;
    begin_visit(&visit);
    person_type(&visit.person, (const char[]){'!', TAKEN_OVER_REWIND, '\0'});
    assert_true(person_expect(&visit.person, "DONE rewound nothing"));
    assert_true(is_logged(&visit, "conn=100 event=note what=\"the session said: FORGED over what"));
    assert_int_equal(count_occurrences(visit.text, "FORGED"),
                     1); /* only standard error leads to a log */
    end_visit(&visit);
}

static void a_hostile_session_cannot_forge_log_lines_of_others(void **state)
{
    static struct visit visit;
    (void)state;
    begin_visit(&visit);
    person_type(&visit.person, (const char[]){'!', TAKEN_OVER_FORGE, '\0'});
    assert_true(is_logged(&visit, "what\\x3d\\x22x\\x22 event\\x3ddenied\\x0a"));
    assert_int_equal(count_occurrences(visit.text, "the session said: "), 4);
    assert_int_equal(count_occurrences(visit.text, " event=sign-in"), 0);
    assert_int_equal(count_occurrences(visit.text, "\n2026-11-20T06:26:46.123Z"), 0);
    end_visit(&visit);
}

static void the_log_lines_of_a_hostile_session_are_limited_in_rate(void **state)
{
    static struct visit visit;
    (void)state;
    begin_visit(&visit);
    person_type(&visit.person, (const char[]){'!', TAKEN_OVER_FLOOD, '\0'});
    assert_true(is_logged(&visit, "the session logs too much"));
    assert_true(person_expect(&visit.person, "DONE flooded"));
    read_log(&visit);
    assert_in_range(count_occurrences(visit.text, "FORGED"), 1, GATE_LOG_BURST + 2);
    end_visit(&visit);
}

static void a_session_that_disarms_its_watchdog_is_ended_all_the_same(void **state)
{
    static struct visit visit;
    struct config config = config_default();
    (void)state;
    config.connection_cpu_window_s = 1;
    begin_visit_with_config(&visit, &config, 0);
    person_type(&visit.person, (const char[]){'!', TAKEN_OVER_SPIN, '\0'});
    /* other tests may be running, so it takes time to use that much processor time */
    assert_true(
        is_logged_within(&visit, "conn=100 event=end reason=watchdog", 4 * HOUSE_PATIENCE_MS));
    end_visit(&visit);
}

/* The test writes more than the RLIMIT_FSIZE of a session, which is 4 MiB. */
static void log_lines_of_sessions_are_relayed_whatever_the_size_of_the_log(void **state)
{
    static struct visit visit;
    (void)state;
    begin_visit_with_config(&visit, NULL, 5 << 20);
    assert_true(is_logged(&visit, " session info conn=100 event=key-exchange "));
    end_visit(&visit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostile_session_shares_no_open_file_and_overwrites_no_log_line),
        cmocka_unit_test(a_hostile_session_cannot_forge_log_lines_of_others),
        cmocka_unit_test(the_log_lines_of_a_hostile_session_are_limited_in_rate),
        cmocka_unit_test(a_session_that_disarms_its_watchdog_is_ended_all_the_same),
        cmocka_unit_test(log_lines_of_sessions_are_relayed_whatever_the_size_of_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
