#include "hostile_session.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/gate/gate.h"
#include "gate_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Tests that a session that an attacker controls can harm only itself. The gate's log is a file
 * that all its processes share, like house.log. */

static const char first_line[] = "the first line of the log\n";

struct attack {
    struct house house;
    struct person person;
    int log;
    off_t from; /* the test reads the log from this position on */
    char text[1 << 16];
};

static void begin_attack_with_config(struct attack *attack, const struct config *config,
                                     off_t log_len)
{
    memset(attack, 0, sizeof *attack);
    int made = memfd_create("log", MFD_CLOEXEC);
    char path[32];
    assert_true(made >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", made);
    attack->log = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    assert_true(attack->log >= 0);
    close(made);
    assert_int_equal(write(attack->log, first_line, sizeof first_line - 1), sizeof first_line - 1);
    attack->from = (off_t)sizeof first_line - 1;
    if (log_len > attack->from) {
        assert_int_equal(ftruncate(attack->log, log_len), 0);
        attack->from = log_len;
    }
    house_open_with_config(&attack->house, 10, attack->log, config);
    person_connect(&attack->person, &attack->house, "guest", NULL, NULL);
    assert_true(person_expect(&attack->person, "ANSWER 1"));
}

static void begin_attack(struct attack *attack)
{
    begin_attack_with_config(attack, NULL, 0);
}

static void read_log_since_attack_began(struct attack *attack)
{
    ssize_t got = pread(attack->log, attack->text, sizeof attack->text - 1, attack->from);
    attack->text[got > 0 ? got : 0] = '\0';
}

/* Waits until the text has been logged since the attack began. Returns false if it takes longer
 * than `patience_ms`. */
static bool is_logged_within(struct attack *attack, const char *text, int64_t patience_ms)
{
    int64_t deadline_ms = clock_steady_ms() + patience_ms;
    read_log_since_attack_began(attack);
    while (strstr(attack->text, text) == NULL && clock_steady_ms() < deadline_ms) {
        (void)poll(NULL, 0, 5);
        read_log_since_attack_began(attack);
    }
    bool is_there = strstr(attack->text, text) != NULL;
    if (!is_there) {
        print_message("not logged: %s\nbut: %s\n", text, attack->text);
    }
    return is_there;
}

static bool is_logged(struct attack *attack, const char *text)
{
    return is_logged_within(attack, text, HOUSE_PATIENCE_MS);
}

static int count_occurrences(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        found++;
    }
    return found;
}

static void end_attack(struct attack *attack)
{
    char begins[sizeof first_line] = "";
    person_type_text(&attack->person, "q");
    person_wait_for_end(&attack->person);
    house_close(&attack->house);
    assert_int_equal(pread(attack->log, begins, sizeof first_line - 1, 0), sizeof first_line - 1);
    assert_string_equal(begins,
                        first_line); /* the attack has not overwritten the first line of the log */
    close(attack->log);
}

static void a_hostile_session_shares_no_open_file_and_overwrites_no_log_line(void **state)
{
    static struct attack attack;
    (void)state;
    begin_attack(&attack);
    person_type_text(&attack.person, (const char[]){'!', HOSTILE_SESSION_REWIND, '\0'});
    assert_true(person_expect(&attack.person, "DONE rewound nothing"));
    assert_true(
        is_logged(&attack, "conn=100 event=note what=\"the session said: FORGED over what"));
    assert_int_equal(count_occurrences(attack.text, "FORGED"),
                     1); /* only standard error leads to a log */
    end_attack(&attack);
}

static void a_hostile_session_cannot_forge_log_lines_of_others(void **state)
{
    static struct attack attack;
    (void)state;
    begin_attack(&attack);
    person_type_text(&attack.person, (const char[]){'!', HOSTILE_SESSION_FORGE, '\0'});
    assert_true(is_logged(&attack, "what\\x3d\\x22x\\x22 event\\x3ddenied\\x0a"));
    assert_int_equal(count_occurrences(attack.text, "the session said: "), 4);
    assert_int_equal(count_occurrences(attack.text, " event=sign-in"), 0);
    assert_int_equal(count_occurrences(attack.text, "\n2026-11-20T06:26:46.123Z"), 0);
    end_attack(&attack);
}

static void the_log_lines_of_a_hostile_session_are_limited_in_rate(void **state)
{
    static struct attack attack;
    (void)state;
    begin_attack(&attack);
    person_type_text(&attack.person, (const char[]){'!', HOSTILE_SESSION_FLOOD, '\0'});
    assert_true(is_logged(&attack, "the session logs too much"));
    assert_true(person_expect(&attack.person, "DONE flooded"));
    read_log_since_attack_began(&attack);
    assert_in_range(count_occurrences(attack.text, "FORGED"), 1, GATE_LOG_BURST + 2);
    end_attack(&attack);
}

/* Beside other tests a session, which comes after the core, would not get the processor time that
 * ends it. Raises the priority of the gate's children as far as the test may. */
static void put_sessions_first(const struct attack *attack)
{
    char path[64], children[256] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)attack->house.gate,
             (int)attack->house.gate);
    int list = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = list >= 0 ? read(list, children, sizeof children - 1) : 0;
    close(list);
    for (char *at = children, *end = at; len > 0; at = end) {
        id_t child = (id_t)strtoul(at, &end, 10);
        if (end == at) {
            break;
        }
        (void)setpriority(PRIO_PROCESS, child, -10);
    }
}

static void a_session_that_disarms_its_watchdog_is_ended_all_the_same(void **state)
{
    static struct attack attack;
    struct config config = config_make_default();
    (void)state;
    config.connection_cpu_window_s = 1;
    begin_attack_with_config(&attack, &config, 0);
    put_sessions_first(&attack);
    person_type_text(&attack.person, (const char[]){'!', HOSTILE_SESSION_SPIN, '\0'});
    /* other tests may be running, so that a session needs a while to use so much processor time */
    assert_true(
        is_logged_within(&attack, "conn=100 event=end reason=watchdog", 4 * HOUSE_PATIENCE_MS));
    end_attack(&attack);
}

/* The log begins with 5 MiB, which is more than a session's limit for the size of a file
 * (RLIMIT_FSIZE, 4 MiB). */
static void log_lines_of_sessions_are_relayed_whatever_the_size_of_the_log(void **state)
{
    static struct attack attack;
    (void)state;
    begin_attack_with_config(&attack, NULL, 5 << 20);
    assert_true(is_logged(&attack, " session info conn=100 event=key-exchange "));
    end_attack(&attack);
}

TEST_GROUP(hostile_session)
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
