#include "storage/sql/sql.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <string.h>

#define ADA DRIVER_FIRST

static const char say[] =
    "{\"t\":\"say\",\"id\":77,\"to\":\"lobby\",\"kind\":\"say\",\"text\":\"is it on disk?\"}";

static void nothing_is_sent_before_it_is_on_disk(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    struct house_output output;
    assert_int_equal(house_receive(driver->house, driver->now_ms, ADA, say, strlen(say)), HOUSE_OK);
    assert_true(storage_is_dirty(driver->storage));
    assert_int_equal(house_output(driver->house, &output), 0);
    assert_int_equal(house_commit(driver->house), HOUSE_OK);
    assert_false(storage_is_dirty(driver->storage));
    assert_int_equal(house_output(driver->house, &output), 1);
    assert_int_equal(output.conn, ADA);
}

static void nothing_is_sent_when_the_commit_fails(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    struct house_output output;
    assert_int_equal(house_receive(driver->house, driver->now_ms, ADA, say, strlen(say)), HOUSE_OK);
    driver->storage->failed = STORAGE_IO;
    assert_int_equal(house_commit(driver->house), HOUSE_STORAGE_FAILED);
    assert_int_equal(house_output(driver->house, &output), 0);
    assert_int_equal(house_commit(driver->house), HOUSE_STORAGE_FAILED);
    assert_int_equal(house_output(driver->house, &output), 0);
}

TEST_GROUP(commit)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(nothing_is_sent_before_it_is_on_disk),
        DRIVER_TEST(nothing_is_sent_when_the_commit_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
