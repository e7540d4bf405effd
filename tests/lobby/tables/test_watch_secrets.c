#include "tests/lobby/table_driver.h"

#include "lobby/tables/tables.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nobody outside a game that is shown with a delay learns of its present moves. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 20)
#define FAY (DRIVER_FIRST + 21)

/* All messages to a connection as one text, one in a line. */
struct told {
    char *text;
    size_t len;
    size_t read; /* how many messages of the inbox have been added to `text` */
};

/* Adds new messages to a connection, each with the time since `start_ms`. Delayed lines of chat
 * lose the time at which they were said, which spectators may know; answers lose the number of the
 * request. */
static void append_messages_with_time(struct told *told, const struct driver *driver, int64_t conn,
                                      int64_t start_ms)
{
    for (; told->read < json_array_size(driver->inbox[conn]); told->read++) {
        json_t *message = json_array_get(driver->inbox[conn], told->read);
        (void)json_object_del(message, "id");
        if (strcmp(driver_read_text(message, "t"), "chat") == 0) {
            (void)json_object_del(message, "at");
        }
        char *line = json_dumps(message, JSON_SORT_KEYS);
        size_t room = strlen(line) + 24;
        told->text = realloc(told->text, told->len + room);
        assert_non_null(told->text);
        told->len += (size_t)snprintf(told->text + told->len, room, "%" PRId64 " %s\n",
                                      driver->now_ms - start_ms, line);
        free(line);
    }
}

/* What may differ between two runs without a trace: when in a beat the players act, and what they
 * do. */
struct secret {
    int64_t after_ms; /* from the start of the beat to the players' acts */
    bool is_last;     /* play the last legal move, not the first */
};

/* Passes time until `until_ms`. Every half a second the new messages are looked at, and every two
 * seconds FAY in the lobby asks where her friends are. */
static void listen_until(struct driver *driver, int64_t until_ms, int64_t start_ms,
                         struct told told[2])
{
    while (driver->now_ms < until_ms) {
        int64_t look_ms = driver->now_ms + 500 - driver->now_ms % 500;
        driver_pass_time(driver, (look_ms < until_ms ? look_ms : until_ms) - driver->now_ms);
        if (driver->now_ms != look_ms) {
            return;
        }
        if (look_ms % 2000 == 0) {
            driver_ok(driver, FAY, "{'t':'friends'}");
            driver_ok(driver, FAY, "{'t':'profile','name':'player0'}");
        }
        append_messages_with_time(&told[0], driver, EVE, start_ms);
        append_messages_with_time(&told[1], driver, FAY, start_ms);
    }
}

/* Plays a move in each of the first beats, then one every two minutes, so that players are idle for
 * long before they move. Everybody is away, and a player talks at every move. */
static void play_secretly(const char *watch_rule, struct secret secret, int beats,
                          struct told told[2])
{
    void *state = NULL;
    assert_int_equal(driver_setup(&state), 0);
    struct driver *driver = state;
    const struct game_def *game = game_at(0);
    static const int64_t watchers[] = {EVE, FAY};
    int64_t table = table_open_for_spectators(driver, game, watch_rule, watchers);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    for (int seat = 0; seat < game->seats_min; seat++) {
        driver_ok(driver, FAY, "{'t':'friend_add','name':'player%d'}", seat);
        driver_ok(driver, ADA + seat, "{'t':'presence','kind':'away','text':'tea'}");
    }
    driver_pass_time(driver, WATCH_BEAT_MS - driver->now_ms % WATCH_BEAT_MS);
    int64_t start_ms = driver->now_ms;
    told[0] = (struct told){.read = json_array_size(driver->inbox[EVE])};
    told[1] = (struct told){.read = json_array_size(driver->inbox[FAY])};
    for (int beat = 0; beat < beats; beat++) {
        int64_t beat_ms = start_ms + beat * WATCH_BEAT_MS;
        listen_until(driver, beat_ms + secret.after_ms, start_ms, told);
        if (beat < 12 || beat % 12 == 0) {
            assert_true(table_make_first_or_last_move(driver, table, game, secret.is_last));
            driver_ok(driver, BOB, "{'t':'say','to':'table','text':'tea'}");
        }
        listen_until(driver, beat_ms + WATCH_BEAT_MS, start_ms, told);
    }
    assert_int_equal(driver_teardown(&state), 0);
}

/* Like assert_string_equal, but shows only the first lines that differ. */
static void assert_same_lines(const char *one, const char *other)
{
    while (*one != '\0' && *other != '\0') {
        size_t len = strcspn(one, "\n") + 1;
        size_t other_len = strcspn(other, "\n") + 1;
        if (len != other_len || memcmp(one, other, len) != 0) {
            fail_msg("%.*s%.*s", (int)len, one, (int)other_len, other);
        }
        one += len;
        other += other_len;
    }
    assert_string_equal(one, other);
}

/* Plays the same game twice, with two secrets, and checks that a spectator and a person in the
 * lobby receive the same at the same times. */
static void check_nothing_tells_the_secret(const char *watch_rule, struct secret one,
                                           struct secret other, int beats)
{
    struct told first[2];
    struct told second[2];
    play_secretly(watch_rule, one, beats, first);
    play_secretly(watch_rule, other, beats, second);
    for (size_t i = 0; i < 2; i++) {
        assert_true(first[i].len > 0);
        assert_same_lines(first[i].text, second[i].text);
        free(first[i].text);
        free(second[i].text);
    }
}

static void nobody_learns_when_or_by_whom_a_move_is_made(void **state)
{
    (void)state;
    struct secret early = {1000, false};
    struct secret late = {7500, false};
    struct secret late_and_different = {4500, true};
    check_nothing_tells_the_secret("{'policy':'delay','moves':3}", early, late, 40);
    check_nothing_tells_the_secret("{'policy':'delay','moves':30}", early, late_and_different, 40);
    check_nothing_tells_the_secret("{'policy':'delay'}", early, late, 40);
}

TEST_GROUP(watch_secrets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_learns_when_or_by_whom_a_move_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
