#include "games/card.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "tests/environment.h"
#include "tests/lobby/evening_orders.h"
#include "tests/lobby/order_lines.h"
#include "tests/lobby/seen_by_all.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEQUENCE 24     /* number of commands given in one run of the test */
#define SEQUENCE_LOOK 4 /* number of commands before each restart and comparison of views */

/* Every command of mod_commands.def is carried out in a house full of people, tables and sanctions.
 * Then the core dies. Everybody must be shown the same by the next core as by the dead one. */

/* Returns true for the backup command: its answer comes later, when the keeper process has made the
 * backup. */
static bool is_answered_later(const struct evening_order *order)
{
    return strcmp(order->command, "backup") == 0;
}

static void everybody_sees_the_same_after_each_moderation_command_and_a_restart(void **state)
{
    struct driver *driver = *state;
    char line[EVENING_ORDER_SIZE];
    const struct evening_order *order = NULL;
    unsigned wrong = 0;
    for (size_t i = 0; (order = evening_order_at(i)) != NULL; i++) {
        if (!environment_tries(i)) {
            continue;
        }
        evening_restore_house(driver);
        evening_order_write(order, line);
        const json_t *answer = driver_request(driver, order->conn, "{'t':'mod','line':'%s'}", line);
        if (!is_answered_later(order) && strcmp(driver_read_text(answer, "t"), "ok") != 0) {
            print_error("%s: %s\n", line, driver_read_text(answer, "why"));
            wrong++;
        }
        wrong += !seen_stays_same_over_restart(driver, line);
    }
    assert_int_equal(wrong, 0);
}

static uint32_t draw_random_number(void *context, uint32_t limit)
{
    return quick_random_draw_below(context, limit);
}

static const char *draw_random_player_name(void *context)
{
    static const char *const players[] = {"ada", "max", "bob", "eve", "cyd",     "dan",    "uma",
                                          "jon", "kim", "zed", "hal", "guest-1", "guest-2"};
    return players[quick_random_draw_below(context, ARRAY_LEN(players))];
}

static uint32_t count_orders(void)
{
    uint32_t count = 0;
    while (evening_order_at(count) != NULL) {
        count++;
    }
    return count;
}

/* Writes one of the commands of evening_orders.c, or a random line that fits mod_commands.def.
 * Returns the connection of a person whose role allows the command. */
static int64_t draw_command_line(struct quick_random *random, int64_t serial,
                                 char line[4 + ORDER_LINE_SIZE])
{
    static const char *const times[] = {"15m", "12h", "7d", NULL};
    static const int64_t players[] = {BOB, CYD, DAN, EVE, JON, UMA};
    struct order_lines lines = {.context = random,
                                .below = draw_random_number,
                                .player = draw_random_player_name,
                                .tables = 7,
                                .games = 7,
                                .lines = 6,
                                .reports = 2,
                                .sanctions = 8,
                                .serial = serial,
                                .times = times};
    const struct evening_order *order =
        evening_order_at(quick_random_draw_below(random, count_orders()));
    if (quick_random_draw_below(random, 2) == 0) {
        evening_order_write(order, line);
        return order->conn;
    }
    const struct mod_command_info *words = mod_command_info_find(order->command);
    memcpy(line, "yes ", 5);
    order_line_generate(&lines, words, line + 4);
    return words->rank == RANK_ADMIN ? ADA
           : words->rank == RANK_MOD ? MAX
                                     : players[quick_random_draw_below(random, ARRAY_LEN(players))];
}

/* Has the core carry out the command `line`. In one of six cases the core dies instead, before it
 * has stored anything. */
static bool give_command_or_crash(struct driver *driver, int64_t conn, const char *line,
                                  struct quick_random *random)
{
    char json[2 * ORDER_LINE_SIZE];
    /* the core handles a disconnection separately from the command that causes it */
    seen_disconnect_those_sent_bye(driver);
    if (conn_find(driver->house, conn) == NULL) {
        return false; /* an earlier command has disconnected this person */
    }
    if (quick_random_draw_below(random, 6) > 0) {
        const json_t *answer = driver_request(driver, conn, "{'t':'mod','line':'%s'}", line);
        return strcmp(driver_read_text(answer, "t"), "ok") == 0;
    }
    int len = snprintf(json, sizeof(json), "{\"t\":\"mod\",\"id\":%d,\"line\":\"%s\"}",
                       (int)driver->next_id++, line);
    driver->result = house_receive(driver->house, driver->now_ms, conn, json, (size_t)len);
    seen_restart_core(driver);
    return false;
}

/* MOD_SEEDS=1000 tries 1000 seeds, MOD_FIRST=N begins with seed N. */
static void after_random_moderation_commands_and_crashes_everybody_sees_the_same(void **state)
{
    struct driver *driver = *state;
    const uint64_t first = environment_number("MOD_FIRST", 1);
    const uint64_t count = environment_number("MOD_SEEDS", environment_share(6));
    unsigned wrong = 0, done = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct quick_random random;
        quick_random_init(&random, seed);
        evening_restore_house(driver);
        for (int i = 1; i <= SEQUENCE; i++) {
            char title[2 * ORDER_LINE_SIZE], line[4 + ORDER_LINE_SIZE];
            const int64_t conn = draw_command_line(&random, i, line);
            (void)snprintf(title, sizeof(title), "seed %d, order %d %s", (int)seed, i, line);
            done += give_command_or_crash(driver, conn, line, &random);
            wrong += i % SEQUENCE_LOOK == 0 && !seen_stays_same_over_restart(driver, title);
        }
    }
    print_message("%u of %u commands carried out\n", done, (unsigned)count * SEQUENCE);
    assert_true(done > count * SEQUENCE / 3);
    assert_int_equal(wrong, 0);
}

static void the_test_covers_every_moderation_command(void **state)
{
    const struct mod_command_info *words = NULL;
    (void)state;
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < count_orders(); k++) {
            is_there = is_there || strcmp(evening_order_at(k)->command, words->name) == 0;
        }
        if (!is_there) {
            fail_msg("/%s is not tested over a restart: add it to evening_orders.c", words->name);
        }
    }
}

TEST_GROUP(restart_mod_commands)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_covers_every_moderation_command),
        cmocka_unit_test(everybody_sees_the_same_after_each_moderation_command_and_a_restart),
        cmocka_unit_test(after_random_moderation_commands_and_crashes_everybody_sees_the_same),
    };
    return cmocka_run_group_tests(tests, evening_setup, evening_teardown);
}
