#include "storage/archive/archive.h"

#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

ROWS(seat, struct storage_seat, STORAGE_SEAT_COLUMNS);

static const char make_text[] = "CREATE TEMP TABLE held (n INTEGER, holder INTEGER,"
                                " account INTEGER, name TEXT, policy TEXT, last INTEGER)";
static const char add_text[] = "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?)";
static const char take_text[] = "SELECT n, holder, account, name, policy, last FROM held";

/* Inserts a row with a seat's columns between two other columns. */
static enum storage_result insert_seat(struct storage *storage, const struct storage_seat *seat)
{
    struct sql q = sql_write(storage, add_text);

    sql_bind_int(&q, 11);
    bind_seat(&q, seat);
    sql_bind_int(&q, 22);
    return sql_run(&q);
}

/* Reads the seat from the only row of the database table. */
static struct storage_seat read_back_seat(struct storage *storage)
{
    struct storage_seat seat = {.is_absent = true, .policy = "old"};
    struct sql q = sql_read(storage, take_text);

    assert_true(sql_first_row(&q));
    assert_int_equal(sql_read_int(&q), 11);
    take_seat(&q, &seat);
    assert_int_equal(sql_read_int(&q), 22);
    assert_ok(sql_end(&q));
    assert_false(seat.is_absent); /* is_absent is not one of the seat's columns */
    return seat;
}

static void every_kind_of_seat_holder_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    static const struct storage_seat seats[] = {
        {.holder = STORAGE_SEAT_EMPTY},
        {.holder = STORAGE_SEAT_PLAYER, .account = 7, .name = "mira"},
        {.holder = STORAGE_SEAT_GUEST, .name = "guest-3"},
        {.holder = STORAGE_SEAT_BOT, .account = 9, .name = "ella", .policy = "medium"},
    };

    assert_ok(sql_run_script(fixture->storage, make_text));
    for (size_t i = 0; i < ARRAY_LEN(seats); i++) {
        assert_ok(sql_run_script(fixture->storage, "DELETE FROM held"));
        assert_ok(insert_seat(fixture->storage, &seats[i]));
        const struct storage_seat found = read_back_seat(fixture->storage);
        assert_int_equal(found.holder, seats[i].holder);
        assert_int_equal(found.account, seats[i].account);
        assert_string_equal(found.name, seats[i].name);
        assert_string_equal(found.policy, seats[i].policy);
    }
}

/* An account number stored as 0 would refer to a missing account. */
static void a_seat_holder_without_an_account_has_null_as_account_number(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_seat guest = {.holder = STORAGE_SEAT_GUEST, .name = "guest-3"};

    assert_ok(sql_run_script(fixture->storage, make_text));
    assert_ok(insert_seat(fixture->storage, &guest));
    assert_int_equal(
        fixture_read_number(fixture->storage, "SELECT count(*) FROM held WHERE account IS NULL"),
        1);
}

static void an_unknown_kind_of_holder_reads_as_an_empty_seat(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(sql_run_script(fixture->storage, make_text));
    assert_ok(sql_run_script(fixture->storage, "INSERT INTO held VALUES (11, 99, 7, 'x', '', 22)"));
    assert_int_equal(read_back_seat(fixture->storage).holder, STORAGE_SEAT_EMPTY);
}

static void a_name_without_a_terminator_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage_seat seat = {.holder = STORAGE_SEAT_GUEST};

    memset(seat.name, 'x', sizeof seat.name);
    assert_ok(sql_run_script(fixture->storage, make_text));
    assert_result(insert_seat(fixture->storage, &seat), STORAGE_REFUSED);
    assert_int_equal(fixture_read_number(fixture->storage, "SELECT count(*) FROM held"), 0);
}

TEST_GROUP(seats)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_kind_of_seat_holder_reads_back_as_stored),
        FIXTURE_TEST(a_seat_holder_without_an_account_has_null_as_account_number),
        FIXTURE_TEST(an_unknown_kind_of_holder_reads_as_an_empty_seat),
        FIXTURE_TEST(a_name_without_a_terminator_is_refused),
    };
    return cmocka_run_group_tests_name("seats", tests, NULL, NULL);
}
