#include "tests/lobby/table_driver.h"

#include <inttypes.h>
#include <stdio.h>

static void table_take_seat(struct driver *driver, int64_t conn, int64_t table)
{
    driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, conn, "{'t':'seat_take'}");
}

int64_t table_begin_game_for_two(struct driver *driver, int clock_s)
{
    static const int64_t both[] = {TABLE_ADA, TABLE_BOB};
    driver_sign_up(driver, TABLE_ADA, "ada");
    driver_sign_up(driver, TABLE_BOB, "bob");
    int64_t table = driver_open_table(driver, TABLE_ADA, 4, clock_s);
    table_take_seat(driver, TABLE_BOB, table);
    driver_ok(driver, TABLE_ADA, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, TABLE_ADA, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, TABLE_ADA, "{'t':'table_start'}");
    assert_int_equal(driver_play_moves(driver, both, 2, 12), 12);
    return table;
}

int64_t table_open_for_spectators(struct driver *driver, const struct game_def *game,
                                  const char *watch_rule, const int64_t watchers[2])
{
    char name[16];
    for (int seat = 0; seat < game->seats_min; seat++) {
        (void)snprintf(name, sizeof(name), "player%d", seat);
        driver_sign_up(driver, TABLE_ADA + seat, name);
    }
    driver_sign_up(driver, watchers[0], "eve");
    driver_sign_up(driver, watchers[1], "fay");
    const json_t *answer = driver_ok(
        driver, TABLE_ADA, "{'t':'table_open','game':'%s','players':%d,'options':{},'watch':%s}",
        game->id, game->seats_min, watch_rule);
    int64_t table = driver_read_number(answer, "table");
    for (int seat = 1; seat < game->seats_min; seat++) {
        table_take_seat(driver, TABLE_ADA + seat, table);
    }
    return table;
}
