#include "tests/lobby/stop_driver.h"

#include <inttypes.h>
#include <string.h>

const int64_t stop_both[] = {STOP_ADA, STOP_BOB};
const int64_t stop_ada_alone[] = {STOP_ADA};

const char *stop_read_halt(const struct driver *driver, int64_t conn)
{
    return driver_read_text(driver_newest_message(driver, conn, "table"), "halt");
}

size_t stop_count_rounds(const struct driver *driver, int64_t conn)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        if (strcmp(driver_read_text(message, "t"), "sheet") == 0) {
            bool is_reset = json_is_true(json_object_get(message, "reset"));
            count = (is_reset ? 0 : count) + json_array_size(json_object_get(message, "rows"));
        }
    }
    return count;
}

int64_t stop_read_step(const struct driver *driver, int64_t conn)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, conn, "view"), "view"),
                              "step");
}

size_t stop_count_messages_about_table(const struct driver *driver, int64_t conn)
{
    return driver_count_messages(driver, conn, "table") +
           driver_count_messages(driver, conn, "view") +
           driver_count_messages(driver, conn, "sheet") +
           driver_count_messages(driver, conn, "chat");
}

bool stop_awaits(const struct driver *driver, int64_t conn, int seat)
{
    const json_t *awaited =
        json_object_get(driver_newest_message(driver, conn, "table"), "awaited");
    for (size_t i = 0; i < json_array_size(awaited); i++) {
        if (json_integer_value(json_array_get(awaited, i)) == seat) {
            return true;
        }
    }
    return false;
}

/* Returns in how many ms the stop ends at the latest; -1 when it has no deadline. */
int64_t stop_read_time_left(const struct driver *driver, int64_t conn)
{
    int64_t by_ms = driver_read_number(driver_newest_message(driver, conn, "table"), "resume_by");
    return by_ms < 0 ? -1 : by_ms - driver->now_ms;
}

/* Plays until the connection is told that a round is over. */
void stop_play_to_end_of_round(struct driver *driver, const int64_t *conns, size_t count)
{
    for (size_t i = 0; i < STOP_MANY_MOVES && !driver_is_stopped(driver, conns[0]); i++) {
        if (!driver_make_first_legal_move(driver, conns[i % count])) {
            driver_pass_time(driver, 20);
        }
    }
    assert_true(driver_is_stopped(driver, conns[0]));
}

/* Opens a table of Ada, and of Bob if he has a seat, with bots on the other seats; the game
 * begins. */
int64_t stop_begin_game(struct driver *driver, const struct game_def *game, const char *settings,
                        bool has_bob)
{
    int players = game->seats_min < 3 ? 3 : game->seats_min;
    driver_sign_up(driver, STOP_ADA, "ada");
    driver_sign_up(driver, STOP_BOB, "bob");
    const json_t *answer =
        driver_ok(driver, STOP_ADA, "{'t':'table_open','game':'%s','players':%d%s}", game->id,
                  players, settings);
    int64_t table = driver_read_number(answer, "table");
    if (has_bob) {
        driver_ok(driver, STOP_BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, STOP_BOB, "{'t':'seat_take'}");
    }
    for (int seat = has_bob ? 2 : 1; seat < players; seat++) {
        driver_ok(driver, STOP_ADA, "{'t':'bot_add','policy':'medium'}");
    }
    driver_ok(driver, STOP_ADA, "{'t':'table_start'}");
    return table;
}

int64_t stop_after_round_of_both(struct driver *driver, const char *settings)
{
    int64_t table = stop_begin_game(driver, game_at(0), settings, true);
    stop_play_to_end_of_round(driver, stop_both, 2);
    return table;
}

int64_t stop_after_round_of_ada(struct driver *driver, const char *settings)
{
    int64_t table = stop_begin_game(driver, game_at(0), settings, false);
    stop_play_to_end_of_round(driver, stop_ada_alone, 1);
    return table;
}
