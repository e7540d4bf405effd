#include "storage/sql/sql.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <string.h>

/* The house on a storage whose commits become durable later (storage_settle). */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define OPERATOR 5

static struct sql_engine late; /* SQLite, but the test decides what is durable */
static uint64_t durable;
static bool is_cut_off;

static enum storage_result settle_late(struct storage *storage, uint64_t *turn)
{
    (void)storage;
    if (is_cut_off) {
        return STORAGE_IO;
    }
    *turn = durable;
    return STORAGE_OK;
}

static int set_up(void **state)
{
    const int result = driver_setup(state);
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    late = *driver->storage->engine;
    late.settle = settle_late;
    driver->storage->engine = &late;
    durable = storage_last_turn(driver->storage);
    is_cut_off = false;
    return result;
}

#define LATE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, driver_teardown)

/* Makes everything durable that is committed, and collects what the house then sends. */
static void settle_all(struct driver *driver)
{
    durable = storage_last_turn(driver->storage);
    driver_commit(driver);
}

static void say_in_lobby(struct driver *driver, int64_t conn, const char *words)
{
    assert_null(driver_request(driver, conn, "{'t':'say','to':'lobby','text':'%s'}", words));
    assert_int_equal(driver->result, HOUSE_OK);
}

static void assert_message_has_type(const struct driver *driver, int64_t conn, size_t nth,
                                    const char *type)
{
    assert_string_equal(driver_read_text(json_array_get(driver->inbox[conn], nth), "t"), type);
}

static void nobody_is_told_of_a_turn_before_it_is_durable(void **state)
{
    struct driver *driver = *state;
    say_in_lobby(driver, ADA, "one");
    say_in_lobby(driver, ADA, "two");
    assert_int_equal(house_count_unsettled_turns(driver->house), 2);
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    durable++;
    driver_commit(driver);
    assert_int_equal(house_count_unsettled_turns(driver->house), 1);
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "one"), 1);
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "two"), 0);
    settle_all(driver);
    assert_int_equal(house_count_unsettled_turns(driver->house), 0);
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "two"), 1);
}

static void a_refusal_is_told_after_the_turns_that_were_committed_before_it(void **state)
{
    struct driver *driver = *state;
    say_in_lobby(driver, ADA, "one");
    driver_clear_inbox(driver, BOB);
    assert_null(driver_request(driver, BOB, "{'t':'seat_take'}"));
    assert_int_equal(json_array_size(driver->inbox[BOB]), 0);
    durable++;
    driver_commit(driver);
    assert_int_equal(json_array_size(driver->inbox[BOB]), 1);
    settle_all(driver);
    assert_message_has_type(driver, BOB, 0, "chat");
    assert_message_has_type(driver, BOB, 1, "no");
}

/* A core that stood still may have been overtaken: only a turn shows that it still owns the data.
 */
static void a_pass_that_only_reads_is_a_turn_if_it_tells_something(void **state)
{
    struct driver *driver = *state;
    settle_all(driver);
    const uint64_t turn = storage_last_turn(driver->storage);
    assert_int_equal(durable, turn);
    driver_clear_inbox(driver, BOB);
    assert_null(driver_request(driver, BOB, "{'t':'seat_take'}"));
    assert_int_equal(storage_last_turn(driver->storage), turn + 1);
    driver_commit(driver); /* has nothing to tell */
    assert_int_equal(storage_last_turn(driver->storage), turn + 1);
    assert_int_equal(json_array_size(driver->inbox[BOB]), 0);
    settle_all(driver);
    assert_int_equal(storage_last_turn(driver->storage), turn + 1);
    assert_message_has_type(driver, BOB, 0, "no");
}

static void a_core_that_has_lost_the_data_answers_no_reads(void **state)
{
    struct driver *driver = *state;
    settle_all(driver);
    driver_clear_inbox(driver, BOB);
    assert_null(driver_request(driver, BOB, "{'t':'seat_take'}"));
    assert_int_equal(driver->result, HOUSE_OK);
    is_cut_off = true; /* as the barrier says that begins after the request */
    driver_commit(driver);
    assert_int_equal(driver->result, HOUSE_STORAGE_FAILED);
    assert_int_equal(json_array_size(driver->inbox[BOB]), 0);
}

static void the_messages_of_earlier_turns_survive_a_pass_that_is_undone(void **state)
{
    static const char two[] = "{\"t\":\"say\",\"id\":77,\"to\":\"lobby\",\"text\":\"two\"}";
    struct driver *driver = *state;
    say_in_lobby(driver, ADA, "one");
    driver_clear_inbox(driver, BOB);
    assert_int_equal(house_receive(driver->house, driver->now_ms, BOB, two, strlen(two)), HOUSE_OK);
    driver->storage->failed = STORAGE_FULL;
    driver_commit(driver);
    assert_int_equal(driver->result, HOUSE_OK);
    assert_int_equal(json_array_size(driver->inbox[BOB]), 0);
    settle_all(driver);
    assert_int_equal(json_array_size(driver->inbox[BOB]), 2);
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "one"), 1);
    assert_message_has_type(driver, BOB, 1, "resync");
}

static void nothing_is_sent_when_the_turns_cannot_become_durable(void **state)
{
    struct driver *driver = *state;
    say_in_lobby(driver, ADA, "one");
    driver_clear_inbox(driver, BOB);
    is_cut_off = true;
    durable = storage_last_turn(driver->storage);
    driver_commit(driver);
    assert_int_equal(driver->result, HOUSE_STORAGE_FAILED);
    is_cut_off = false;
    driver_commit(driver); /* it stays so */
    assert_int_equal(driver->result, HOUSE_STORAGE_FAILED);
    assert_int_equal(json_array_size(driver->inbox[BOB]), 0);
}

static void the_next_core_sends_an_answer_that_was_committed_but_never_durable(void **state)
{
    struct driver *driver = *state;
    say_in_lobby(driver, ADA, "one");
    const int64_t id = driver->next_id - 1;
    driver_restart_core(driver);
    driver_reconnect_conns(driver, (const int64_t[]){ADA, BOB}, 2);
    driver_clear_inbox(driver, ADA);
    assert_int_equal(
        driver_send(driver, ADA, "{'t':'say','id':%d,'to':'lobby','text':'one'}", (int)id),
        HOUSE_OK);
    assert_string_equal(driver_read_text(driver_find_answer(driver, ADA, id), "t"), "ok");
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "one"), 1);
}

static void an_operator_gets_no_answer_to_another_with_the_same_number(void **state)
{
    struct driver *driver = *state;
    driver_connect(driver, OPERATOR, PEER_OPERATOR);
    assert_int_equal(driver_send(driver, OPERATOR, "{'t':'hello','protocol':3}"), HOUSE_OK);
    say_in_lobby(driver, ADA, "one");
    assert_null(driver_request(driver, OPERATOR, "{'t':'mod','line':'drain on'}"));
    driver_clear_inbox(driver, OPERATOR);
    driver_disconnect(driver, OPERATOR);
    driver_connect(driver, OPERATOR, PEER_OPERATOR);
    settle_all(driver);
    assert_int_equal(json_array_size(driver->inbox[OPERATOR]), 0);
}

TEST_GROUP(settle)
{
    const struct CMUnitTest tests[] = {
        LATE_TEST(nobody_is_told_of_a_turn_before_it_is_durable),
        LATE_TEST(a_refusal_is_told_after_the_turns_that_were_committed_before_it),
        LATE_TEST(a_pass_that_only_reads_is_a_turn_if_it_tells_something),
        LATE_TEST(a_core_that_has_lost_the_data_answers_no_reads),
        LATE_TEST(the_messages_of_earlier_turns_survive_a_pass_that_is_undone),
        LATE_TEST(nothing_is_sent_when_the_turns_cannot_become_durable),
        LATE_TEST(the_next_core_sends_an_answer_that_was_committed_but_never_durable),
        LATE_TEST(an_operator_gets_no_answer_to_another_with_the_same_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
