#include "tests/lobby/house_driver.h"

#include "games/card.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* The seats of a rated game are drawn by lot when it begins; the tests' houses otherwise keep them
 * (house_driver.c). */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define PEOPLE 3
#define ORDERS 6 /* orders in which three people can sit */
#define GAMES 60

static const char *const names[PEOPLE] = {"ada", "bob", "eve"};
static const int64_t people[PEOPLE] = {ADA, BOB, EVE};

/* The driver's own numbers repeat too soon to draw every order. */
static void draw_bytes(void *context, void *bytes, size_t len)
{
    static struct quick_random random = {{1, 2, 3, 4}};
    (void)context;
    for (size_t i = 0; i < len; i++) {
        ((uint8_t *)bytes)[i] = (uint8_t)(quick_random_next(&random) >> 32);
    }
}

static struct driver *open_house_with_lots(void **state)
{
    struct driver *driver = *state;
    driver->config.play_lots = true;
    driver->config.random = draw_bytes;
    driver->config.limits_changes_burst = 1000;
    driver_restart_core(driver);
    for (size_t i = 0; i < PEOPLE; i++) {
        driver_sign_up(driver, people[i], names[i]);
    }
    return driver;
}

#define WITHOUT_CLOCK "'kind':'none'"
#define MOVE_CLOCK "'kind':'move','move_s':30"
#define DAYS_CLOCK "'kind':'days','days':3"

/* Ada opens a table, at which Bob and Eve sit down after her. */
static int64_t seat_people(struct driver *driver, const char *clock)
{
    const json_t *answer = driver_ok(
        driver, ADA, "{'t':'table_open','game':'oh-hell','players':3,'options':{},'clock':{%s}}",
        clock);
    int64_t table = driver_read_number(answer, "table");
    for (size_t i = 1; i < PEOPLE; i++) {
        driver_ok(driver, people[i], "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, people[i], "{'t':'seat_take'}");
    }
    return table;
}

static const json_t *seat_row(const struct driver *driver, int64_t conn, size_t seat)
{
    const json_t *table = driver_newest_message(driver, conn, "table");
    return json_array_get(json_object_get(table, "seats"), seat);
}

/* The seat in which the conn's owner is listed, which must be the one they are told as theirs. */
static size_t find_seat(const struct driver *driver, size_t person)
{
    size_t you =
        (size_t)driver_read_number(driver_newest_message(driver, people[person], "table"), "you");
    assert_string_equal(driver_read_text(seat_row(driver, people[person], you), "name"),
                        names[person]);
    return you;
}

static void every_order_of_seats_is_drawn(void **state)
{
    struct driver *driver = open_house_with_lots(state);
    int drawn[PEOPLE][PEOPLE] = {{0}};
    for (int game = 0; game < GAMES; game++) {
        (void)seat_people(driver, MOVE_CLOCK);
        driver_ok(driver, ADA, "{'t':'table_start'}");
        size_t ada = find_seat(driver, 0), bob = find_seat(driver, 1);
        assert_true(ada + bob + find_seat(driver, 2) == 0 + 1 + 2 && ada != bob);
        drawn[ada][bob]++;
        for (size_t i = 0; i < PEOPLE; i++) {
            driver_ok(driver, people[i], "{'t':'seat_leave','for_good':true}");
            driver_ok(driver, people[i], "{'t':'table_leave'}");
        }
        driver_pass_time(driver, 60000);
    }
    for (size_t ada = 0; ada < PEOPLE; ada++) {
        for (size_t bob = 0; bob < PEOPLE; bob++) {
            assert_true((drawn[ada][bob] > GAMES / ORDERS / 5) == (ada != bob));
        }
    }
}

static void seats_stay_in_a_game_that_is_not_rated(void **state)
{
    struct driver *driver = open_house_with_lots(state);
    for (int game = 0; game < ORDERS; game++) {
        (void)seat_people(driver, WITHOUT_CLOCK);
        driver_ok(driver, ADA, "{'t':'table_start'}");
        for (size_t i = 0; i < PEOPLE; i++) {
            assert_int_equal(find_seat(driver, i), i);
        }
        for (size_t i = 0; i < PEOPLE; i++) {
            driver_ok(driver, people[i], "{'t':'seat_leave','for_good':true}");
            driver_ok(driver, people[i], "{'t':'table_leave'}");
        }
        driver_pass_time(driver, 60000);
    }
}

/* In a turn-by-turn rematch somebody may be absent, who keeps the seat that is drawn for them. */
static void somebody_absent_takes_part_in_the_lot_of_a_rematch(void **state)
{
    struct driver *driver = open_house_with_lots(state);
    int64_t table = seat_people(driver, DAYS_CLOCK);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, people, PEOPLE, SIZE_MAX);
    driver_ok(driver, EVE, "{'t':'rematch'}");
    driver_disconnect(driver, EVE);
    driver_ok(driver, ADA, "{'t':'rematch'}");
    driver_ok(driver, BOB, "{'t':'rematch'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "table"), "state"),
                        "playing");
    for (size_t seat = 0; seat < PEOPLE; seat++) {
        const json_t *row = seat_row(driver, ADA, seat);
        bool is_eve = strcmp(driver_read_text(row, "name"), "eve") == 0;
        assert_int_equal(json_is_true(json_object_get(row, "here")), !is_eve);
    }
    driver_sign_in(driver, EVE, "eve");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    (void)find_seat(driver, 2);
}

TEST_GROUP(lots)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(every_order_of_seats_is_drawn),
        DRIVER_TEST(seats_stay_in_a_game_that_is_not_rated),
        DRIVER_TEST(somebody_absent_takes_part_in_the_lot_of_a_rematch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
