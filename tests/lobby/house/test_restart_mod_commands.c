#include "games/random.h"
#include "lobby/house/conns.h"
#include "lobby/protocol/mod_commands.h"
#include "tests/lobby/evening.h"
#include "tests/lobby/order_lines.h"
#include "tests/lobby/seen_by_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEQUENCE 24     /* number of commands given in one run of the test */
#define SEQUENCE_LOOK 4 /* number of commands before each restart and comparison of views */

/* Every command of mod_commands.def is carried out in a house full of people, tables and sanctions.
 * Then the core dies. Everybody must be shown the same by the next core as by the dead one. */

static const struct mod_order {
    const char *command;
    int64_t conn;
    const char *line; /* what follows the command's name on the line */
} mod_orders[] = {
    {"sanctions", JON, ""},
    {"sanctions", JON, "ok"},
    {"ignore", EVE, "bob"},
    {"unignore", JON, "uma"},
    {"noplay", EVE, "cyd"},
    {"noplay", BOB, "eve"},
    {"unnoplay", CYD, "uma"},
    {"report", CYD, "bob cheat he looks"},
    {"appeal", DAN, "it was my cat"},
    {"invite", EVE, "jon"},
    {"invite", EVE, "guest-1"},
    {"host", BOB, "cyd"},
    {"desk", MAX, ""},
    {"reports", MAX, "1"},
    {"take", MAX, "1"},
    {"comment", MAX, "1 looks like it"},
    {"resolve", MAX, "1 told him"},
    {"dismiss", MAX, "2 no"},
    {"warn", MAX, "bob talk less"},
    {"warn", MAX, "kim talk less"},
    {"mute", MAX, "bob 12h capitals"},
    {"mute", MAX, "uma 12h scope=pm capitals"},
    {"unmute", MAX, "dan better now"},
    {"kick", EVE, "guest-2"},
    {"kick", MAX, "eve shouting"},
    {"kick", MAX, "bob shouting"},
    {"suspend", MAX, "bob 1d why"},
    {"suspend", MAX, "eve 1d why"},
    {"suspend", MAX, "jon 1d why"},
    {"unsuspend", MAX, "kim why"},
    {"ban", MAX, "bob 7d why"},
    {"ban", MAX, "eve 7d why"},
    {"ban", MAX, "jon 7d why"},
    {"ban", MAX, "uma 7d why"},
    {"ban", MAX, "yes ip=192.0.2.0/24 1d a flood"},
    {"ban", MAX, "key=SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA 1d a flood"},
    {"unban", MAX, "zed why"},
    {"banlist", MAX, ""},
    {"banedit", MAX, "5 8d why"},
    {"hold", MAX, "bob why"},
    {"hold", MAX, "uma why"},
    {"release", MAX, "hal"},
    {"hide", MAX, "bob 1 why"},
    {"hide", MAX, "uma 2 why"},
    {"slow", MAX, "lobby 30"},
    {"slow", MAX, "#tea 0"},
    {"freeze", MAX, "#tea on"},
    {"freeze", MAX, "#3 on"},
    {"whois", MAX, "uma"},
    {"sessions", MAX, "bob"},
    {"alts", MAX, "uma"},
    {"log", MAX, "lobby"},
    {"note", MAX, "jon slow"},
    {"notes", MAX, "uma"},
    {"rename", MAX, "uma umami why"},
    {"rename", MAX, "bob robert why"},
    {"rename", MAX, "eve evelyn why"},
    {"rename", MAX, "jon jonas why"},
    {"rename", MAX, "kim kimmy why"},
    {"observe", MAX, "yes #4 why"},
    {"adjudicate", MAX, "yes #3 void why"},
    {"adjudicate", MAX, "yes #3 forfeit=bob why"},
    {"adjudicate", MAX, "yes #3 win=bob why"},
    {"adjudicate", MAX, "yes #5 void why"},
    {"adjudicate", MAX, "yes #5 win=dan why"},
    {"adjudicate", MAX, "yes #7 void why"},
    {"void", ADA, "yes @1 why"},
    {"refund", ADA, "yes @1 why"},
    {"refund", ADA, "yes uma why"},
    {"rankban", ADA, "bob 1d why"},
    {"rankban", ADA, "uma 1d why"},
    {"unrankban", ADA, "cyd why"},
    {"role", ADA, "uma mod why"},
    {"role", ADA, "yes bob admin why"},
    {"role", ADA, "max player why"},
    {"program", ADA, "uma on why"},
    {"recover", ADA, "uma"},
    {"merge", ADA, "yes uma bob why"},
    {"merge", ADA, "yes uma jon why"},
    {"merge", ADA, "yes kim uma why"},
    {"merge", ADA, "yes zed uma why"},
    {"delete", ADA, "yes uma why"},
    {"delete", ADA, "yes kim why"},
    {"delete", ADA, "yes zed why"},
    {"warn", MAX, "guest-1 talk less"},
    {"mute", MAX, "guest-1 12h capitals"},
    {"kick", MAX, "guest-1 shouting"},
    {"suspend", MAX, "guest-2 1d why"},
    {"ban", MAX, "guest-1 1d why"},
    {"hold", MAX, "guest-1 why"},
    {"whois", MAX, "guest-1"},
    {"sessions", MAX, "guest-1"},
    {"alts", MAX, "guest-1"},
    {"registration", ADA, "closed"},
    {"guests", ADA, "play-only"},
    {"guests", ADA, "no"},
    {"allowlist", ADA, "remove ip=198.51.100.0/24"},
    {"motd", ADA, "@"},
    {"motd", ADA, "good evening"},
    {"news", ADA, "add tables"},
    {"news", ADA, "remove 1"},
    {"wall", ADA, "hello"},
    {"drain", ADA, "on"},
    {"shutdown", ADA, "9 why"},
    {"reload", ADA, ""},
    {"disable", ADA, "tell why"},
    {"enable", ADA, "vacation"},
    {"backup", ADA, ""},
    {"stats", ADA, ""},
    {"audit", ADA, "verify"},
};

static void write_command_line(const struct mod_order *mod_order, char line[160])
{
    bool is_confirmed = strncmp(mod_order->line, "yes ", 4) == 0;
    (void)snprintf(line, 160, "%s%s %s", is_confirmed ? "yes " : "", mod_order->command,
                   mod_order->line + (is_confirmed ? 4 : 0));
}

/* Returns true for the backup command: its answer comes later, when the keeper process has made the
 * backup. */
static bool is_answered_later(const struct mod_order *mod_order)
{
    return strcmp(mod_order->command, "backup") == 0;
}

static void everybody_sees_the_same_after_each_moderation_command_and_a_restart(void **state)
{
    struct driver *driver = *state;
    char line[160];
    unsigned wrong = 0;
    for (size_t i = 0; i < ARRAY_LEN(mod_orders); i++) {
        evening_restore_house(driver);
        write_command_line(&mod_orders[i], line);
        const json_t *answer =
            driver_request(driver, mod_orders[i].conn, "{'t':'mod','line':'%s'}", line);
        if (!is_answered_later(&mod_orders[i]) &&
            strcmp(driver_read_text(answer, "t"), "ok") != 0) {
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

/* Writes one of the commands listed above, or a random line that fits mod_commands.def. Returns the
 * connection of a person whose role allows the command. */
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
    const struct mod_order *mod_order =
        &mod_orders[quick_random_draw_below(random, ARRAY_LEN(mod_orders))];
    if (quick_random_draw_below(random, 2) == 0) {
        write_command_line(mod_order, line);
        return mod_order->conn;
    }
    const struct mod_command_info *words = mod_command_info_find(mod_order->command);
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

/* Reads a number from the environment: MOD_SEEDS=1000 tries 1000 seeds, MOD_FIRST=N begins with
 * seed N. */
static uint64_t read_environment_number(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text == NULL ? fallback : strtoull(text, NULL, 10);
}

static void after_random_moderation_commands_and_crashes_everybody_sees_the_same(void **state)
{
    struct driver *driver = *state;
    const uint64_t first = read_environment_number("MOD_FIRST", 1);
    const uint64_t count = read_environment_number("MOD_SEEDS", 6);
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
        for (size_t k = 0; k < ARRAY_LEN(mod_orders); k++) {
            is_there = is_there || strcmp(mod_orders[k].command, words->name) == 0;
        }
        if (!is_there) {
            fail_msg("/%s is not tested over a restart: add it here", words->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_covers_every_moderation_command),
        cmocka_unit_test(everybody_sees_the_same_after_each_moderation_command_and_a_restart),
        cmocka_unit_test(after_random_moderation_commands_and_crashes_everybody_sees_the_same),
    };
    return cmocka_run_group_tests(tests, evening_setup, evening_teardown);
}
