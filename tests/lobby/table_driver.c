#include "tests/lobby/table_driver.h"

#include "games/claim.h"
#include "lobby/protocol/protocol.h"

#include <inttypes.h>
#include <stdio.h>

static void table_take_seat(struct driver *driver, int64_t conn, int64_t table)
{
    driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, conn, "{'t':'seat_take'}");
}

int64_t table_begin_game_for_two(struct driver *driver, int clock_s)
{
    driver_sign_up(driver, TABLE_ADA, "ada");
    driver_sign_up(driver, TABLE_BOB, "bob");
    return table_begin_another_game_for_two(driver, clock_s);
}

int64_t table_begin_another_game_for_two(struct driver *driver, int clock_s)
{
    static const int64_t both[] = {TABLE_ADA, TABLE_BOB};
    int64_t table = driver_open_table(driver, TABLE_ADA, 4, clock_s);
    table_take_seat(driver, TABLE_BOB, table);
    driver_ok(driver, TABLE_ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, TABLE_ADA, "{'t':'bot_add','policy':'medium'}");
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

bool table_make_first_or_last_move(struct driver *driver, int64_t table,
                                   const struct game_def *game, bool is_last)
{
    for (int seat = 0; seat < game->seats_min; seat++) {
        (void)driver_end_stop(driver, TABLE_ADA + seat);
    }
    for (int seat = 0; seat < game->seats_min; seat++) {
        const json_t *view =
            json_object_get(driver_newest_message(driver, TABLE_ADA + seat, "view"), "view");
        const json_t *legal = json_object_get(view, "legal");
        size_t count = json_array_size(legal);
        if (count > 0) {
            driver_pass_time(driver, 50);
            driver_ok(driver, TABLE_ADA + seat,
                      "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table,
                      driver_read_number(view, "step"),
                      json_string_value(json_array_get(legal, is_last ? count - 1 : 0)));
            return true;
        }
    }
    return false;
}

static bool is_turn_of(const struct driver *driver, int64_t conn)
{
    const json_t *view = json_object_get(driver_newest_message(driver, conn, "view"), "view");
    return json_array_size(json_object_get(view, "legal")) > 0;
}

static bool claim_is_provable(const struct driver *driver, int64_t conn)
{
    static struct game_view view;
    struct claim_proof proof;
    const json_t *message = driver_newest_message(driver, conn, "view");
    assert_true(view_read(json_object_get(message, "view"), &view));
    struct game_config config = game_config_default(view.game, view.seats);
    return !driver_is_stopped(driver, conn) && view_viewer_may_move(&view) &&
           claim_prove(&view, &config, &proof) == NULL;
}

bool table_play_until_claim_or_end(struct driver *driver, const int64_t *conns, size_t count,
                                   int64_t *step)
{
    for (int i = 0; i < 5000 && !claim_is_provable(driver, conns[0]); i++) {
        size_t who = 0;
        while (who < count && !is_turn_of(driver, conns[who])) {
            who++;
        }
        if (driver_newest_message(driver, conns[0], "result") != NULL) {
            return false;
        }
        if (who < count) {
            (void)driver_play_moves(driver, &conns[who], 1, 1);
        } else {
            driver_pass_time(driver, 100); /* bots play */
        }
    }
    assert_true(claim_is_provable(driver, conns[0]));
    const json_t *message = driver_newest_message(driver, conns[0], "view");
    *step = driver_read_number(json_object_get(message, "view"), "step");
    return true;
}

int64_t table_play_until_claim(struct driver *driver, const int64_t *conns, size_t count)
{
    int64_t step = 0;
    assert_true(table_play_until_claim_or_end(driver, conns, count, &step));
    return step;
}
