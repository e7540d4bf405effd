#include "storage/archive/archive.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

struct log {
    char text[512];
    size_t stop_after;
    size_t count;
};

static bool collect_move(void *context, const struct storage_move *move)
{
    struct log *log = context;
    const size_t len = strlen(log->text);

    (void)snprintf(&log->text[len], sizeof log->text - len, "%u:%u %s@%d from %d/%d;", move->step,
                   move->seat, move->text, (int)move->at_ms, (int)move->conn, (int)move->request);
    log->count++;
    return log->count < log->stop_after;
}

static void moves_of_interleaved_games_are_read_in_order(void **state)
{
    struct fixture *fixture = *state;
    const int64_t table = fixture_add_table(fixture->storage);
    const int64_t one = fixture_add_game(fixture->storage, table);
    const int64_t two = fixture_add_game(fixture->storage, table);
    const struct storage_move moves[] = {
        {one, 0, 2, "bid:3", 10, 7, 1},
        {two, 0, 1, "bid:0", 11, 0, 0},
        {one, 1, 3, "play:AS", 12, 8, 4},
        {one, 2, 0, "play:9C", 13, 0, 0},
    };
    struct log log = {.stop_after = 10};

    assert_ok(storage_moves_append(fixture->storage, moves, 4));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_moves_each(fixture->storage, one, 0, collect_move, &log));
    assert_string_equal(log.text,
                        "0:2 bid:3@10 from 7/1;1:3 play:AS@12 from 8/4;2:0 play:9C@13 from 0/0;");
    log = (struct log){.stop_after = 10};
    assert_ok(storage_moves_each(fixture->storage, one, 2, collect_move, &log));
    assert_string_equal(log.text, "2:0 play:9C@13 from 0/0;");
    log = (struct log){.stop_after = 1};
    assert_ok(storage_moves_each(fixture->storage, one, 0, collect_move, &log));
    assert_int_equal(log.count, 1);
    log = (struct log){.stop_after = 10};
    assert_ok(storage_moves_each(fixture->storage, two + 1, 0, collect_move, &log));
    assert_int_equal(log.count, 0);
}

static void a_step_of_a_game_can_be_stored_only_once(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    const struct storage_move first = {game, 0, 1, "bid:2", 10, 1, 1};
    const struct storage_move again[] = {{game, 0, 1, "bid:4", 11, 1, 2},
                                         {game, 1, 2, "bid:1", 11, 2, 1}};
    const struct storage_move elsewhere = {game + 1, 0, 1, "bid:2", 10, 1, 1};
    struct log log = {.stop_after = 10};

    assert_ok(storage_moves_append(fixture->storage, &first, 1));
    assert_result(storage_moves_append(fixture->storage, again, 2), STORAGE_TAKEN);
    assert_result(storage_moves_append(fixture->storage, &elsewhere, 1), STORAGE_REFUSED);
    assert_ok(storage_moves_each(fixture->storage, game, 0, collect_move, &log));
    assert_string_equal(log.text, "0:1 bid:2@10 from 1/1;");
}

TEST_GROUP(moves)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(moves_of_interleaved_games_are_read_in_order),
        FIXTURE_TEST(a_step_of_a_game_can_be_stored_only_once),
    };

    return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
