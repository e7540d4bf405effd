#include "storage/tables/tables.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#define AT_MS INT64_C(1790000000000)

static bool collect_clock(void *context, const struct storage_clock *clock)
{
    return fixture_add_word(context, "%d:%d", clock->seat, clock->misses);
}

static bool copy_clock(void *context, const struct storage_clock *clock)
{
    *(struct storage_clock *)context = *clock;
    return true;
}

static void save_clock(struct storage *storage, int64_t table, uint8_t seat, uint8_t misses)
{
    const struct storage_clock clock = {.table = table, .seat = seat, .misses = misses};

    assert_ok(storage_clock_save(storage, &clock, NULL));
}

static void a_clock_reads_back_as_saved(void **state)
{
    struct fixture *fixture = *state;
    struct storage_clock found = {.table = 0};
    const int64_t table = fixture_add_table(fixture->storage);
    const struct storage_clock clock = {
        .table = table,
        .seat = 6,
        .game = fixture_add_game(fixture->storage, table),
        .is_running = true,
        .since_ms = AT_MS,
        .due_ms = AT_MS + 30000,
        .bank_ms = 600001,
        .misses = 2,
        .is_grace_spent = true,
        .seen_step = UINT32_MAX,
        .gone_ms = AT_MS - 5,
    };

    assert_ok(storage_clock_save(fixture->storage, &clock, NULL));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_clocks_each(fixture->storage, table, copy_clock, &found));
    assert_int_equal(found.table, table);
    assert_int_equal(found.seat, 6);
    assert_int_equal(found.game, clock.game);
    assert_true(found.is_running && found.is_grace_spent);
    assert_true(found.since_ms == AT_MS && found.due_ms == AT_MS + 30000);
    assert_true(found.bank_ms == 600001 && found.gone_ms == AT_MS - 5);
    assert_int_equal(found.misses, 2);
    assert_true(found.seen_step == UINT32_MAX);
}

static void a_tables_clocks_are_listed_by_seat(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t table = fixture_add_table(storage);
    const int64_t other = fixture_add_table(storage);

    assert_ok(storage_clocks_each(storage, table, collect_clock, &words));
    assert_words(&words, "");
    save_clock(storage, table, 3, 1);
    save_clock(storage, table, 0, 2);
    save_clock(storage, other, 1, 3);
    assert_ok(storage_clocks_each(storage, table, collect_clock, &words));
    assert_words(&words, "0:2 3:1 ");
    words.stop_after = 1;
    assert_ok(storage_clocks_each(storage, table, collect_clock, &words));
    assert_words(&words, "0:2 ");
}

static void a_seats_clock_replaces_the_earlier_one(void **state)
{
    struct fixture *fixture = *state;
    struct fixture_words words = {.count = 0};
    const int64_t table = fixture_add_table(fixture->storage);

    save_clock(fixture->storage, table, 0, 1);
    save_clock(fixture->storage, table, 1, 1);
    save_clock(fixture->storage, table, 0, 0);
    assert_ok(storage_clocks_each(fixture->storage, table, collect_clock, &words));
    assert_words(&words, "0:0 1:1 ");
}

static void a_players_vacation_survives_a_restart_and_is_theirs_alone(void **state)
{
    struct fixture *fixture = *state;
    struct storage_time_away found = {.vacation_ms = 77};
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    struct storage_time_away time = {.account = mira, .vacation_ms = 1, .vacation_year = 2025};

    assert_ok(storage_time_away_save(fixture->storage, &time));
    time = (struct storage_time_away){.account = mira,
                                      .vacation_ms = AT_MS,
                                      .vacation_year = 2026,
                                      .vacation_days = 21,
                                      .respite_ms = AT_MS - 3};
    assert_ok(storage_time_away_save(fixture->storage, &time));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_result(storage_time_away_read(fixture->storage, bob, &found), STORAGE_NOT_FOUND);
    assert_int_equal(found.vacation_ms, 77);
    assert_ok(storage_time_away_read(fixture->storage, mira, &found));
    assert_int_equal(found.account, mira);
    assert_true(found.vacation_ms == AT_MS && found.respite_ms == AT_MS - 3);
    assert_int_equal(found.vacation_year, 2026);
    assert_int_equal(found.vacation_days, 21);
}

static void a_clock_or_vacation_with_an_unknown_table_or_account_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_clock clock = {.table = 5};
    const struct storage_time_away time = {.account = 5};

    assert_result(storage_time_away_save(fixture->storage, &time), STORAGE_REFUSED);
    if (!fixture_is_postgres()) {
        assert_result(storage_clock_save(fixture->storage, &clock, NULL), STORAGE_REFUSED);
        return;
    }
    assert_ok(storage_clock_save(fixture->storage, &clock, NULL)); /* it is a deferred write */
    assert_result(storage_commit(fixture->storage), STORAGE_IO);
}

static void a_clock_that_has_not_changed_is_not_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage_clock found = {.table = 0};
    const int64_t table = fixture_add_table(fixture->storage);
    const struct storage_clock clock = {.table = table, .seat = 2, .gone_ms = AT_MS};
    const struct storage_clock other = {.table = table, .seat = 2, .gone_ms = AT_MS + 1};

    assert_ok(storage_clock_save(fixture->storage, &other, NULL));
    /* says that `clock` is stored, so that writing it would show */
    assert_ok(storage_clock_save(fixture->storage, &clock, &clock));
    assert_ok(storage_clocks_each(fixture->storage, table, copy_clock, &found));
    assert_true(found.gone_ms == other.gone_ms);
    assert_ok(storage_clock_save(fixture->storage, &clock, &other));
    assert_ok(storage_clocks_each(fixture->storage, table, copy_clock, &found));
    assert_true(found.gone_ms == clock.gone_ms);
}

TEST_GROUP(clocks)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_clock_reads_back_as_saved),
        FIXTURE_TEST(a_tables_clocks_are_listed_by_seat),
        FIXTURE_TEST(a_seats_clock_replaces_the_earlier_one),
        FIXTURE_TEST(a_clock_that_has_not_changed_is_not_written),
        FIXTURE_TEST(a_players_vacation_survives_a_restart_and_is_theirs_alone),
        FIXTURE_TEST(a_clock_or_vacation_with_an_unknown_table_or_account_is_refused),
    };
    return cmocka_run_group_tests_name("clocks", tests, NULL, NULL);
}
