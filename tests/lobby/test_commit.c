#include "tests/lobby/house_driver.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

static const char say[] =
    "{\"t\":\"say\",\"id\":77,\"to\":\"lobby\",\"kind\":\"say\",\"text\":\"is it on disk?\"}";

/* From now on files of this process do not grow. */
static void files_may_grow(bool is_allowed)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = is_allowed ? limit.rlim_max : 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void nothing_is_told_before_it_is_on_disk(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    struct house_output output;
    assert_int_equal(house_receive(driver->house, driver->now_ms, ADA, say, strlen(say)), HOUSE_OK);
    assert_true(storage_is_dirty(driver->storage));
    assert_int_equal(house_commit(driver->house), HOUSE_OK);
    assert_false(storage_is_dirty(driver->storage));
    assert_int_equal(house_output(driver->house, &output), 1);
    assert_int_equal(output.conn, ADA);
}

static void when_the_disk_fails_nobody_is_told_and_the_turn_is_gone(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_forget(driver, BOB);
    files_may_grow(false);
    enum house_result result = house_receive(driver->house, driver->now_ms, ADA, say, strlen(say));
    driver_commit(driver);
    files_may_grow(true);
    assert_true(result == HOUSE_OK || result == HOUSE_STORAGE_FAILED);
    assert_int_equal(driver->result, HOUSE_STORAGE_FAILED);
    struct house_output output;
    assert_int_equal(house_output(driver->house, &output), 0);
    assert_int_equal(driver_count(driver, BOB, "chat"), 0);
    driver_restart(driver);
    driver_connect(driver, BOB, PEER_SESSION);
    assert_int_equal(driver_send(driver, BOB, "{'t':'hello','protocol':1}"), HOUSE_OK);
    assert_int_equal(driver_count(driver, BOB, "chat"), 0);
}

int main(void)
{
    /* A write beyond the limit is to fail, not to end the process. */
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(nothing_is_told_before_it_is_on_disk),
        DRIVER_TEST(when_the_disk_fails_nobody_is_told_and_the_turn_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
