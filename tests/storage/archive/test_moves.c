#include "storage/archive/archive.h"

#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define MANY_GAMES (NEXT_STEPS + 100)

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

static enum storage_result append_move(struct storage *storage, int64_t game, uint32_t step)
{
    char text[32];
    const struct storage_move move = {
        .game = game, .step = step, .seat = (uint8_t)(step % 4), .text = text};

    (void)snprintf(text, sizeof text, "play:%u", step);
    return storage_moves_append(storage, &move, 1);
}

static bool count_step(void *context, const struct storage_move *move)
{
    uint32_t *next = context;
    char text[32];

    (void)snprintf(text, sizeof text, "play:%u", *next);
    assert_int_equal(move->step, *next);
    assert_int_equal(move->seat, *next % 4);
    assert_string_equal(move->text, text);
    ++*next;
    return true;
}

/* Counts the moves; asserts that they are in order, without a gap. */
static uint32_t count_moves(struct storage *storage, int64_t game)
{
    uint32_t next = 0;

    assert_ok(storage_moves_each(storage, game, 0, count_step, &next));
    return next;
}

static void after_opening_the_next_move_of_a_game_is_known(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));

    for (uint32_t step = 0; step < 5; step++) {
        assert_ok(append_move(fixture->storage, game, step));
    }
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_int_equal(count_moves(fixture->storage, game), 5);
    assert_result(append_move(fixture->storage, game, 4), STORAGE_TAKEN);
    assert_ok(append_move(fixture->storage, game, 5));
}

static void a_rolled_back_move_can_be_appended_again(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));

    assert_ok(append_move(storage, game, 0));
    fixture_commit(fixture);
    assert_ok(append_move(storage, game, 1));
    assert_ok(append_move(storage, game, 2));
    storage_rollback(storage);
    assert_result(append_move(storage, game, 2), STORAGE_REFUSED);
    assert_result(append_move(storage, game, 0), STORAGE_TAKEN);
    assert_ok(append_move(storage, game, 1));
    fixture_commit(fixture);
    assert_int_equal(count_moves(storage, game), 2);
}

static void a_rolled_back_game_accepts_no_moves(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);

    fixture_commit(fixture);
    const int64_t game = fixture_add_game(storage, table);
    assert_ok(append_move(storage, game, 0));
    storage_rollback(storage);
    assert_result(append_move(storage, game, 0), STORAGE_REFUSED);
    const int64_t next = fixture_add_game(storage, table); /* may have the same number */
    assert_ok(append_move(storage, next, 0));
}

static void a_move_that_skips_a_step_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));

    assert_result(append_move(fixture->storage, game, 1), STORAGE_REFUSED);
    assert_string_equal(storage_last_failure(fixture->storage),
                        "step 1 was given, but step 0 is next");
    assert_int_equal(count_moves(fixture->storage, game), 0);
}

static void more_games_than_the_cache_holds_can_append_moves(void **state)
{
    static int64_t games[MANY_GAMES];
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);

    for (size_t i = 0; i < MANY_GAMES; i++) {
        games[i] = fixture_add_game(storage, table);
    }
    for (uint32_t step = 0; step < 3; step++) {
        for (size_t i = 0; i < MANY_GAMES; i++) {
            assert_ok(append_move(storage, games[i], step));
        }
        fixture_commit(fixture);
    }
    assert_result(append_move(storage, games[0], 2), STORAGE_TAKEN);
    for (size_t i = 0; i < MANY_GAMES; i += 50) {
        assert_int_equal(count_moves(storage, games[i]), 3);
    }
}

TEST_GROUP(moves)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(moves_of_interleaved_games_are_read_in_order),
        FIXTURE_TEST(a_step_of_a_game_can_be_stored_only_once),
        FIXTURE_TEST(after_opening_the_next_move_of_a_game_is_known),
        FIXTURE_TEST(a_rolled_back_move_can_be_appended_again),
        FIXTURE_TEST(a_rolled_back_game_accepts_no_moves),
        FIXTURE_TEST(a_move_that_skips_a_step_is_refused),
        FIXTURE_TEST(more_games_than_the_cache_holds_can_append_moves),
    };

    return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
