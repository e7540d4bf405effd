#include "tests/storage/fixture.h"

#include "storage/archive/archive.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static void a_started_game_reads_back_as_written(void **state)
{
    struct fixture *fixture = *state;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    struct storage_game game = {
        .table = fixture_add_table(fixture->storage),
        .game = "whist",
        .players = 3,
        .options = "{\"rounds\": 5}",
        .is_rated = true,
        .started_ms = INT64_C(1790000000001),
    };
    struct storage_game found;

    for (size_t i = 0; i < STORAGE_SEED_BYTES; i++) {
        game.seed[i] = (uint8_t)(i * 8);
        game.commitment[i] = (uint8_t)(255 - i);
    }
    game.seats[0] = fixture_make_seat(mira, "mira");
    game.seats[1] =
        (struct storage_seat){.holder = STORAGE_SEAT_BOT, .name = "ella", .policy = "random"};
    assert_ok(storage_game_start(fixture->storage, &game, &game.id));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_game_read(fixture->storage, game.id, &found));
    assert_int_equal(found.table, game.table);
    assert_string_equal(found.game, "whist");
    assert_string_equal(found.options, game.options);
    assert_int_equal(found.players, 3);
    assert_memory_equal(found.seed, game.seed, sizeof game.seed);
    assert_memory_equal(found.commitment, game.commitment, sizeof game.commitment);
    assert_true(found.is_rated);
    assert_int_equal(found.state, STORAGE_GAME_PLAYING);
    assert_true(found.started_ms == game.started_ms);
    assert_int_equal(found.finished_ms, 0);
    assert_int_equal(found.seats[0].account, mira);
    assert_string_equal(found.seats[1].policy, "random");
    assert_int_equal(found.seats[2].holder, STORAGE_SEAT_EMPTY);
    assert_result(storage_game_read(fixture->storage, game.id + 1, &found), STORAGE_NOT_FOUND);
}

static void a_game_with_an_unknown_table_or_too_many_seats_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage_game game = {.table = 99, .game = "whist", .players = 4, .options = "{}"};
    int64_t id = 0;

    assert_result(storage_game_start(fixture->storage, &game, &id), STORAGE_REFUSED);
    game.table = fixture_add_table(fixture->storage);
    game.players = STORAGE_SEATS_MAX + 1;
    assert_result(storage_game_start(fixture->storage, &game, &id), STORAGE_REFUSED);
    assert_int_equal(id, 0);
}

struct log {
    char text[512];
    size_t stop_after;
    size_t count;
};

static bool collect_seat_change(void *context, const struct storage_seat_change *change)
{
    struct log *log = context;
    const size_t len = strlen(log->text);

    (void)snprintf(&log->text[len], sizeof log->text - len, "%u:%u %s/%s;", change->step,
                   change->seat, change->who.name, change->who.policy);
    log->count++;
    return log->count < log->stop_after;
}

static void seat_changes_are_read_in_the_order_they_were_made(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    const struct storage_seat_change first = {
        4, 2, {.holder = STORAGE_SEAT_BOT, .name = "ella", .policy = "medium"}};
    const struct storage_seat_change second = {
        4, 1, {.holder = STORAGE_SEAT_GUEST, .name = "guest-3"}};
    struct log log = {.stop_after = 10};

    assert_ok(storage_seat_change_add(fixture->storage, game, &first));
    assert_ok(storage_seat_change_add(fixture->storage, game, &second));
    assert_result(storage_seat_change_add(fixture->storage, game + 1, &second), STORAGE_REFUSED);
    assert_ok(storage_seat_changes_each(fixture->storage, game, collect_seat_change, &log));
    assert_string_equal(log.text, "4:2 ella/medium;4:1 guest-3/;");
}

static void a_deleted_game_leaves_nothing_behind(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    const int64_t other = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    const struct storage_seat_change change = {
        0, 2, {.holder = STORAGE_SEAT_BOT, .name = "ella", .policy = "medium"}};
    const struct storage_move move = {.game = game, .text = "5"};
    const struct storage_finish finish = {.game = other, .state = STORAGE_GAME_CUT};
    struct storage_game found;

    assert_ok(storage_seat_change_add(fixture->storage, game, &change));
    assert_ok(storage_moves_append(fixture->storage, &move, 1));
    assert_ok(storage_game_delete(fixture->storage, game));
    fixture_commit(fixture);
    assert_result(storage_game_read(fixture->storage, game, &found), STORAGE_NOT_FOUND);
    assert_int_equal(fixture_read_number(fixture->storage,
                                         "SELECT (SELECT count(*) FROM moves)"
                                         " + (SELECT count(*) FROM seat_changes)"
                                         " + (SELECT count(*) FROM game_seats WHERE game_id = 1)"),
                     0);
    assert_ok(storage_game_finish(fixture->storage, &finish));
    assert_result(storage_game_delete(fixture->storage, other), STORAGE_NOT_FOUND);
    assert_ok(storage_game_read(fixture->storage, other, &found));
}

static struct storage_score make_score(int64_t account, const char *name, uint8_t rank)
{
    return (struct storage_score){
        .seat = (uint8_t)(rank - 1),
        .who = fixture_make_seat(account, name),
        .score = 100 - rank * 60,
        .rank = rank,
        .is_winner = rank == 1,
        .stat_hits = rank,
        .stat_chances = 10,
        .left_for_good = rank == 3,
    };
}

static void finish_game(struct storage *storage, int64_t game, const struct storage_score *scores,
                        size_t count, int64_t at_ms)
{
    const struct storage_finish end = {.game = game,
                                       .state = STORAGE_GAME_FINISHED,
                                       .finished_ms = at_ms,
                                       .is_rated = true,
                                       .scores = scores,
                                       .score_count = count};

    assert_ok(storage_game_finish(storage, &end));
}

static void a_game_ends_once_and_stores_its_scores(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    const struct storage_score scores[] = {make_score(mira, "mira", 1), make_score(bob, "bob", 2),
                                           make_score(0, "gone", 3)};
    struct storage_score found[STORAGE_SCORES_MAX];
    struct storage_game ended;
    size_t count = 0;

    finish_game(storage, game, scores, 3, 77);
    fixture_commit(fixture);
    assert_ok(storage_game_read(storage, game, &ended));
    assert_int_equal(ended.state, STORAGE_GAME_FINISHED);
    assert_int_equal(ended.finished_ms, 77);
    assert_true(ended.is_rated);
    assert_ok(storage_scores_read(storage, game, found, STORAGE_SCORES_MAX, &count));
    assert_int_equal(count, 3);
    assert_int_equal(found[0].who.account, mira);
    assert_int_equal(found[1].score, -20);
    assert_int_equal(found[1].rank, 2);
    assert_false(found[1].is_winner);
    assert_int_equal(found[2].stat_hits, 3);
    assert_int_equal(found[2].stat_chances, 10);
    assert_true(found[2].left_for_good);
    const struct storage_finish again = {.game = game, .state = STORAGE_GAME_CUT};
    assert_result(storage_game_finish(storage, &again), STORAGE_NOT_FOUND);
}

static void a_score_for_an_unknown_account_leaves_the_game_unchanged(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    const struct storage_score score = make_score(4711, "ghost", 1);
    const struct storage_finish end = {
        .game = game, .state = STORAGE_GAME_FINISHED, .scores = &score, .score_count = 1};
    struct storage_game found;

    assert_result(storage_game_finish(fixture->storage, &end), STORAGE_REFUSED);
    fixture_commit(fixture);
    assert_ok(storage_game_read(fixture->storage, game, &found));
    assert_int_equal(found.state, STORAGE_GAME_PLAYING);
}

static void only_a_finished_game_can_be_declared_void_and_only_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const struct storage_score score = make_score(mira, "mira", 1);
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    const int64_t cut = fixture_add_game(storage, fixture_add_table(storage));
    const struct storage_finish end = {.game = cut, .state = STORAGE_GAME_CUT};
    struct storage_game found;

    assert_result(storage_game_void(storage, game), STORAGE_NOT_FOUND);
    assert_ok(storage_game_finish(storage, &end));
    assert_result(storage_game_void(storage, cut), STORAGE_NOT_FOUND);
    finish_game(storage, game, &score, 1, 77);
    assert_ok(storage_game_void(storage, game));
    assert_result(storage_game_void(storage, game), STORAGE_NOT_FOUND);
    assert_ok(storage_game_read(storage, game, &found));
    assert_int_equal(found.state, STORAGE_GAME_VOID);
    assert_int_equal(found.finished_ms, 77);
    assert_ok(storage_game_read(storage, cut, &found));
    assert_int_equal(found.state, STORAGE_GAME_CUT);
}

static void every_game_state_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct storage_game found;

    for (unsigned ending = 1; ending <= STORAGE_GAME_STATE_LAST; ending++) {
        const struct storage_finish end = {
            .game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage)),
            .state = (enum storage_game_state)ending};
        assert_ok(storage_game_finish(fixture->storage, &end));
        assert_ok(storage_game_read(fixture->storage, end.game, &found));
        assert_int_equal(found.state, ending);
    }
}

static void the_largest_game_and_the_most_scores_fit_and_one_more_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_game game = {.game = "whist", .players = STORAGE_SEATS_MAX, .options = "{}"};
    struct storage_score scores[STORAGE_SCORES_MAX + 1] = {{.rank = 1}};
    struct storage_finish end = {
        .state = STORAGE_GAME_FINISHED, .scores = scores, .score_count = STORAGE_SCORES_MAX + 1};
    size_t count = 0;

    game.table = fixture_add_table(storage);
    assert_ok(storage_game_start(storage, &game, &game.id));
    end.game = game.id;
    assert_result(storage_game_finish(storage, &end), STORAGE_REFUSED);
    end.score_count = STORAGE_SCORES_MAX;
    assert_ok(storage_game_finish(storage, &end));
    assert_ok(storage_scores_read(storage, game.id, scores, STORAGE_SCORES_MAX, &count));
    assert_int_equal(count, STORAGE_SCORES_MAX);
    assert_ok(storage_scores_read(storage, game.id, scores, 2, &count));
    assert_int_equal(count, 2);
}

TEST_GROUP(games)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_started_game_reads_back_as_written),
        FIXTURE_TEST(a_game_with_an_unknown_table_or_too_many_seats_is_refused),
        FIXTURE_TEST(seat_changes_are_read_in_the_order_they_were_made),
        FIXTURE_TEST(a_deleted_game_leaves_nothing_behind),
        FIXTURE_TEST(a_game_ends_once_and_stores_its_scores),
        FIXTURE_TEST(a_score_for_an_unknown_account_leaves_the_game_unchanged),
        FIXTURE_TEST(only_a_finished_game_can_be_declared_void_and_only_once),
        FIXTURE_TEST(every_game_state_reads_back_as_stored),
        FIXTURE_TEST(the_largest_game_and_the_most_scores_fit_and_one_more_is_refused),
    };

    return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
