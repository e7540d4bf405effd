#include "games/game.h"
#include "lobby/house/parts.h"
#include "tests/cluster/evening_rig.h"
#include "tests/cluster/postgres_rig.h"
#include "tests/cluster/same_rows.h"
#include "tests/lobby/data_dump.h"
#include "tests/lobby/evening_messages.h"
#include "tests/lobby/evening_orders.h"
#include "tests/lobby/full_house.h"
#include "tests/lobby/house_data.h"
#include "tests/lobby/seen_by_all.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * SQLite and PostgreSQL must mean the same by each statement of storage/. So the same house does
 * the same in both, from the same data, at the same times and with the same random numbers. Then
 * everybody must see the same, byte for byte, and all rows must be the same, to the last bit.
 */

#define AT_ONCE 12 /* messages or commands between two comparisons */
#define MESSAGES_OF_TWO_STEPS 250
#define FULL_HOUSE_GAMES 3000
#define FULL_HOUSE_VOID 1000 /* the game that is declared void: many later ones are rated again */

static struct same_rows_tables compared;

/* What a house does in both databases. */
typedef void deed(struct driver *driver, const void *what);

/* Ends the core of a house in SQLite and copies the house's file. */
static void copy_closed_file(struct driver *driver, char path[128])
{
    driver_stop_core(driver);
    (void)snprintf(path, 128, "%s/closed.db", driver->folder);
    house_data_copy_file(driver->path, path);
}

/* Does the deed on copies of the evening's data, first in SQLite, then in PostgreSQL. Returns
 * whether everybody sees the same then, and all rows are the same. */
static bool does_the_same(struct driver *driver, const char *title, deed *act, const void *what)
{
    char path[128];
    const struct house_config config = driver->config;
    driver_use_database(driver, "");
    evening_restore_house(driver);
    act(driver, what);
    char *in_sqlite = seen_collect_text(driver);
    copy_closed_file(driver, path);
    driver->config = config;
    driver_use_database(driver, evening_rig_url());
    evening_restore_house(driver);
    act(driver, what);
    char *in_postgres = seen_collect_text(driver);
    driver_stop_core(driver);
    driver->config = config;
    bool is_same = data_dumps_are_equal(in_sqlite, in_postgres, title);
    is_same &= same_rows_in_both(path, evening_rig_url(), title, &compared);
    free(in_sqlite);
    free(in_postgres);
    (void)unlink(path);
    return is_same;
}

static void do_nothing(struct driver *driver, const void *what)
{
    (void)driver;
    (void)what;
}

static void everybody_sees_the_same_in_a_copied_house(void **state)
{
    assert_true(does_the_same(*state, "a copied house", do_nothing, NULL));
}

static void a_restart_changes_nothing_in_a_copied_house(void **state)
{
    struct driver *driver = *state;
    driver_use_database(driver, evening_rig_url());
    evening_restore_house(driver);
    assert_true(seen_stays_same_over_restart(driver, "a copied house"));
}

static void the_same_evening_leaves_the_same_rows(void **state)
{
    char path[128];
    void *in_sqlite = NULL;
    void *in_postgres = NULL;
    (void)state;
    assert_int_equal(driver_setup(&in_sqlite), 0);
    assert_int_equal(driver_setup(&in_postgres), 0);
    driver_use_database(in_postgres, evening_rig_url());
    driver_restart_core(in_postgres);
    evening_make(in_sqlite);
    copy_closed_file(in_sqlite, path);
    evening_make(in_postgres);
    driver_stop_core(in_postgres);
    bool is_same = same_rows_in_both(path, evening_rig_url(), "a whole evening", &compared);
    (void)unlink(path);
    (void)driver_teardown(&in_sqlite);
    (void)driver_teardown(&in_postgres);
    assert_true(is_same);
}

/* Some of the evening's messages or commands: those from `first` on. */
struct some {
    size_t first, count;
};

/* Whether the connection is still there, after everybody who was sent `bye` has gone. */
static bool is_there(struct driver *driver, int64_t conn)
{
    seen_disconnect_those_sent_bye(driver);
    return conn < DRIVER_FIRST || conn_find(driver->house, conn) != NULL;
}

/* Later messages may be refused because of earlier ones, in both databases alike. */
static void send_messages(struct driver *driver, const void *what)
{
    const struct some *some = what;
    for (size_t i = some->first; i < some->first + some->count; i++) {
        const struct evening_message *message = evening_message_at(i);
        if (message->prepare != NULL || is_there(driver, message->conn)) {
            (void)evening_message_send(driver, message, NULL);
        }
    }
    driver_pass_time(driver, MINUTE_MS);
}

/* Counts the messages from `first` on that can be sent one after the other in the same house:
 * nothing has to be prepared. */
static size_t count_messages_at_once(size_t first)
{
    const struct evening_message *message = evening_message_at(first);
    size_t count = 1;
    while (message->prepare == NULL && count < AT_ONCE &&
           (message = evening_message_at(first + count)) != NULL && message->prepare == NULL) {
        count++;
    }
    return count;
}

static void every_message_has_the_same_effect(void **state)
{
    struct driver *driver = *state;
    unsigned wrong = 0;
    for (size_t first = 0; evening_message_at(first) != NULL;) {
        const struct some some = {first, count_messages_at_once(first)};
        const struct evening_message *message = evening_message_at(first);
        char title[200];
        (void)snprintf(title, sizeof title, "%zu messages from %s %s", some.count, message->type,
                       message->fields);
        wrong += !does_the_same(driver, title, send_messages, &some);
        first += some.count;
    }
    assert_int_equal(wrong, 0);
}

static void give_commands(struct driver *driver, const void *what)
{
    const struct some *some = what;
    for (size_t i = some->first; i < some->first + some->count; i++) {
        const struct evening_order *order = evening_order_at(i);
        char line[EVENING_ORDER_SIZE];
        evening_order_write(order, line);
        if (is_there(driver, order->conn)) {
            (void)driver_request(driver, order->conn, "{'t':'mod','line':'%s'}", line);
        }
    }
    driver_pass_time(driver, MINUTE_MS);
}

static void every_moderation_command_has_the_same_effect(void **state)
{
    unsigned wrong = 0;
    for (struct some some = {0, 0}; evening_order_at(some.first) != NULL;
         some.first += some.count) {
        char title[200];
        for (some.count = 1; some.count < AT_ONCE; some.count++) {
            if (evening_order_at(some.first + some.count) == NULL) {
                break;
            }
        }
        (void)snprintf(title, sizeof title, "%zu commands from /%s %s", some.count,
                       evening_order_at(some.first)->command, evening_order_at(some.first)->line);
        wrong += !does_the_same(*state, title, give_commands, &some);
    }
    assert_int_equal(wrong, 0);
}

static void play_to_the_end(struct driver *driver, const void *what)
{
    static const int64_t rated[] = {BOB, CYD};
    (void)what;
    (void)driver_play_moves(driver, rated, ARRAY_LEN(rated), SIZE_MAX);
    assert_non_null(driver_newest_message(driver, BOB, "result"));
    driver_pass_time(driver, MINUTE_MS);
}

static void a_game_ends_in_the_same_ratings(void **state)
{
    assert_true(does_the_same(*state, "a rated game", play_to_the_end, NULL));
}

/* Everybody has left; the house deletes what is old, and closes what nobody uses. */
static void let_data_become_old(struct driver *driver, const void *what)
{
    (void)what;
    driver->config.retention_chat_days = 1;
    driver->config.retention_messages_days = 1;
    driver->config.retention_addresses_days = 1;
    driver->config.retention_cases_days = 1;
    driver_pass_time(driver, 3 * DAY_MS);
}

static void the_same_data_become_old(void **state)
{
    assert_true(does_the_same(*state, "three days", let_data_become_old, NULL));
}

/* Commands that leave work for later, or rows that nothing else leaves. */
static void give_one_command(struct driver *driver, const void *line)
{
    (void)order_ok(driver, ADA, line);
}

/* So many messages get their sender's new name in several steps, of which the command does one. */
static void write_much_before_command(struct driver *driver, const void *line)
{
    for (unsigned i = 0; i < MESSAGES_OF_TWO_STEPS; i++) {
        driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'message %u'}", i);
    }
    give_one_command(driver, line);
}

static void work_is_left_for_later_in_the_same_rows(void **state)
{
    static const char *const lines[] = {"yes void @1 why", "yes refund uma why",
                                        "yes rename uma umami why", "yes merge kim uma why"};
    unsigned wrong = 0;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        wrong += !does_the_same(*state, lines[i], give_one_command, lines[i]);
    }
    wrong += !does_the_same(*state, "many messages", write_much_before_command,
                            "yes rename eve evelyn why");
    assert_int_equal(wrong, 0);
}

/* Writes the answers to requests for leaderboards of all kinds. */
static void write_leaders(struct driver *driver, FILE *out)
{
    static const char *const spans[] = {"", ",'span':'month'", ",'span':'week'", ",'span':'season'",
                                        ",'span':'season','season':20252"};
    static const char *const filters[] = {"", ",'players':2", ",'players':7", ",'bots':true"};
    for (size_t i = 0; i < ARRAY_LEN(spans) * ARRAY_LEN(filters) * 3; i++) {
        const size_t offset = i % 3 * 150;
        const char *filter = filters[i / 3 % ARRAY_LEN(filters)];
        const char *span = spans[i / 3 / ARRAY_LEN(filters)];
        json_t *answer = json_deep_copy(
            driver_request(driver, ADA, "{'t':'leaders','game':'%s','offset':%zu,'count':50%s%s}",
                           game_at(0)->id, offset, span, filter));
        (void)json_object_del(answer, "id");
        char *text = json_dumps(answer, JSON_SORT_KEYS | JSON_INDENT(1));
        assert_non_null(text);
        fprintf(out, "%s%s from %zu: %s\n", span, filter, offset, text);
        free(text);
        json_decref(answer);
    }
}

/* Starts a core on a copy of the full house. An admin looks at the leaderboards, and declares an
 * old game void. `ms` later they look again. Returns what they saw, which the caller frees. */
static char *void_game_in_full_house(struct driver *driver, const char *path, int64_t ms)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    driver->random = 0;
    driver->next_id = 1;
    driver_start_house_on_copy(driver, path);
    driver_sign_up(driver, ADA, "ada");
    driver_disconnect(driver, ADA);
    order_set_role(driver, "ada", STORAGE_ROLE_ADMIN);
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    write_leaders(driver, out);
    driver_ok(driver, ADA, "{'t':'mod','line':'yes void @%d why'}", FULL_HOUSE_VOID);
    driver_pass_time(driver, ms);
    write_leaders(driver, out);
    assert_int_equal(fclose(out), 0);
    driver_stop_core(driver);
    return text;
}

/* Does so in both databases. Returns whether all that was seen is the same, and all rows are. */
static bool voids_game_with_same_effect(struct driver *driver, const char *path, int64_t ms)
{
    char closed[128];
    const int64_t now_ms = driver->now_ms;
    driver_use_database(driver, "");
    char *in_sqlite = void_game_in_full_house(driver, path, ms);
    copy_closed_file(driver, closed);
    driver->now_ms = now_ms;
    driver_use_database(driver, evening_rig_url());
    char *in_postgres = void_game_in_full_house(driver, path, ms);
    driver->now_ms = now_ms;
    bool is_same = data_dumps_are_equal(in_sqlite, in_postgres, "a full house");
    is_same &= same_rows_in_both(closed, evening_rig_url(), "a full house", &compared);
    free(in_sqlite);
    free(in_postgres);
    (void)unlink(closed);
    return is_same;
}

static void a_full_house_has_the_same_leaderboards_and_rates_again_alike(void **state)
{
    void *fresh = NULL;
    char path[128];
    (void)state;
    assert_int_equal(driver_setup(&fresh), 0);
    struct driver *driver = fresh;
    const struct full_house contents = {
        .accounts = 1000, .games = FULL_HOUSE_GAMES, .seed = 3, .now_ms = driver->now_ms};
    (void)snprintf(path, sizeof path, "%s/full.db", driver->folder);
    full_house_create(&contents, path);
    driver->config.limits_input_burst = 100000;
    /* once in the midst of rating again, once after its end */
    bool is_same = voids_game_with_same_effect(driver, path, 200);
    is_same &= voids_game_with_same_effect(driver, path, 10 * MINUTE_MS);
    (void)unlink(path);
    (void)driver_teardown(&fresh);
    assert_true(is_same);
}

/* The other tests prove something only about tables with rows. */
static void every_table_had_rows_when_it_was_compared(void **state)
{
    unsigned empty = 0;
    (void)state;
    assert_true(compared.count > 0);
    for (size_t i = 0; i < compared.count; i++) {
        if (!compared.tables[i].has_rows) {
            print_error("no row in %s\n", compared.tables[i].name);
            empty++;
        }
    }
    assert_int_equal(empty, 0);
}

TEST_GROUP(engines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_sees_the_same_in_a_copied_house),
        cmocka_unit_test(a_restart_changes_nothing_in_a_copied_house),
        cmocka_unit_test(the_same_evening_leaves_the_same_rows),
        cmocka_unit_test(every_message_has_the_same_effect),
        cmocka_unit_test(every_moderation_command_has_the_same_effect),
        cmocka_unit_test(a_game_ends_in_the_same_ratings),
        cmocka_unit_test(the_same_data_become_old),
        cmocka_unit_test(work_is_left_for_later_in_the_same_rows),
        cmocka_unit_test(a_full_house_has_the_same_leaderboards_and_rates_again_alike),
        cmocka_unit_test(every_table_had_rows_when_it_was_compared),
    };
    if (!postgres_rig_is_installed()) {
        return POSTGRES_RIG_SKIPPED;
    }
    return cmocka_run_group_tests(tests, evening_rig_setup, evening_rig_teardown);
}
