#include "storage/sql/sql.h"

#include "storage/archive/archive.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define MANY_GAMES (MOVE_LOG_SLOTS + 100)

static enum storage_result append_move(struct storage *storage, int64_t game, uint32_t step)
{
    char text[32];
    const struct storage_move move = {
        .game = game, .step = step, .seat = (uint8_t)(step % 4), .text = text};

    (void)snprintf(text, sizeof text, "play:%u", step);
    return storage_moves_append(storage, &move, 1);
}

struct steps {
    uint32_t next;
};

static bool count_step(void *context, const struct storage_move *move)
{
    struct steps *steps = context;
    char text[32];

    (void)snprintf(text, sizeof text, "play:%u", steps->next);
    assert_int_equal(move->step, steps->next);
    assert_int_equal(move->seat, steps->next % 4);
    assert_string_equal(move->text, text);
    steps->next++;
    return true;
}

/* Counts the moves from step `from` on; asserts that they are in order, without a gap. */
static uint32_t count_moves_from(struct storage *storage, int64_t game, uint32_t from)
{
    struct steps steps = {.next = from};

    assert_ok(storage_moves_each(storage, game, from, count_step, &steps));
    return steps.next - from;
}

static int64_t count_logged_moves(struct storage *storage)
{
    int64_t count = -1;

    assert_ok(sql_read_number(storage, "SELECT count(*) FROM moves_new", &count));
    return count;
}

static void while_idle_many_logged_moves_are_transferred_to_the_database_table(void **state)
{
    struct fixture *fixture = *state;
    SKIP_ON_POSTGRES("the table of new moves");
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);
    const int64_t games[] = {fixture_add_game(storage, table), fixture_add_game(storage, table)};
    uint32_t step = 0;

    for (; step < MOVE_LOG_IDLE / 2 - 1; step++) {
        assert_ok(append_move(storage, games[0], step));
        assert_ok(append_move(storage, games[1], step));
    }
    fixture_commit(fixture);
    storage_do_idle_work(storage);
    assert_int_equal(count_logged_moves(storage), MOVE_LOG_IDLE - 2);
    assert_ok(append_move(storage, games[0], step));
    assert_ok(append_move(storage, games[1], step));
    storage_do_idle_work(storage);
    assert_int_equal(count_logged_moves(storage), MOVE_LOG_IDLE);
    fixture_commit(fixture);
    storage_do_idle_work(storage);
    assert_int_equal(count_logged_moves(storage), 0);
    assert_false(storage_is_dirty(storage));
    assert_ok(append_move(storage, games[1], step + 1));
    assert_int_equal(count_moves_from(storage, games[0], 0), step + 1);
    assert_int_equal(count_moves_from(storage, games[1], 0), step + 2);
    assert_int_equal(count_moves_from(storage, games[1], step), 2);
}

static void without_idle_time_a_commit_transfers_logged_moves_to_the_database_table(void **state)
{
    struct fixture *fixture = *state;
    SKIP_ON_POSTGRES("the table of new moves");
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));

    for (uint32_t step = 0; step < MOVE_LOG_FORCED; step++) {
        assert_ok(append_move(storage, game, step));
        if (step % 100 == 0) {
            fixture_commit(fixture);
        }
    }
    assert_int_equal(count_logged_moves(storage), MOVE_LOG_FORCED);
    fixture_commit(fixture);
    assert_int_equal(count_logged_moves(storage), 0);
    assert_int_equal(count_moves_from(storage, game, 0), MOVE_LOG_FORCED);
}

static void opening_the_file_transfers_the_logged_moves_of_the_last_run(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));

    for (uint32_t step = 0; step < 5; step++) {
        assert_ok(append_move(fixture->storage, game, step));
    }
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_int_equal(count_logged_moves(fixture->storage), 0);
    assert_int_equal(count_moves_from(fixture->storage, game, 0), 5);
    assert_result(append_move(fixture->storage, game, 4), STORAGE_TAKEN);
    assert_ok(append_move(fixture->storage, game, 5));
}

static void a_single_logged_move_of_the_last_run_is_read_once(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));

    assert_ok(append_move(fixture->storage, game, 0));
    fixture_commit(fixture);
    for (int i = 0; i < 2; i++) {
        fixture_reopen(fixture);
        assert_int_equal(count_logged_moves(fixture->storage), 0);
        assert_int_equal(count_moves_from(fixture->storage, game, 0), 1);
    }
    assert_ok(append_move(fixture->storage, game, 1));
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
    assert_int_equal(count_moves_from(storage, game, 0), 2);
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
    assert_int_equal(count_moves_from(fixture->storage, game, 0), 0);
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
        storage_do_idle_work(storage);
    }
    assert_result(append_move(storage, games[0], 2), STORAGE_TAKEN);
    for (size_t i = 0; i < MANY_GAMES; i += 50) {
        assert_int_equal(count_moves_from(storage, games[i], 0), 3);
    }
}

TEST_GROUP(move_log)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(while_idle_many_logged_moves_are_transferred_to_the_database_table),
        FIXTURE_TEST(without_idle_time_a_commit_transfers_logged_moves_to_the_database_table),
        FIXTURE_TEST(opening_the_file_transfers_the_logged_moves_of_the_last_run),
        FIXTURE_TEST(a_single_logged_move_of_the_last_run_is_read_once),
        FIXTURE_TEST(a_rolled_back_move_can_be_appended_again),
        FIXTURE_TEST(a_rolled_back_game_accepts_no_moves),
        FIXTURE_TEST(a_move_that_skips_a_step_is_refused),
        FIXTURE_TEST(more_games_than_the_cache_holds_can_append_moves),
    };

    return cmocka_run_group_tests_name("move_log", tests, NULL, NULL);
}
