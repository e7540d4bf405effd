#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests the settings that are stored with an account. */

#define ADA DRIVER_FIRST
#define AGAIN (DRIVER_FIRST + 1)

static void an_account_keeps_its_language(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'language':'de'}}");
    driver_connect_session_from(driver, AGAIN, "203.0.113.7", "ssh");
    const json_t *answer =
        driver_ok(driver, AGAIN,
                  "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}");
    const json_t *settings = json_object_get(json_object_get(answer, "you"), "settings");
    assert_string_equal(driver_read_text(settings, "language"), "de");
}

static void the_language_setting_is_a_short_language_tag(void **state)
{
    struct driver *driver = *state;
    static const char *const bad[] = {"''",     "'d'",    "'DE'", "'de_DE'",
                                      "'../x'", "'dede'", "7",    "null"};
    driver_sign_up(driver, ADA, "ada");
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        driver_no(driver, ADA, "bad", "{'t':'settings_set','settings':{'language':%s}}", bad[i]);
    }
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'language':'nds'}}");
}

TEST_GROUP(settings)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(an_account_keeps_its_language),
        DRIVER_TEST(the_language_setting_is_a_short_language_tag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
