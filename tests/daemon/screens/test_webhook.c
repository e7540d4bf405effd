#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

static struct driver *enter_lobby(void)
{
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    return driver;
}

static void setting_a_webhook_shows_its_secret(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/webhook https://example.org/turn\r");
    const json_t *sent = driver_find_request(driver, "hook_set");
    assert_string_equal(json_string_value(json_object_get(sent, "url")),
                        "https://example.org/turn");
    driver_answer(driver, "hook_set",
                  "{\"url\":\"https://example.org/turn\",\"secret\":\"5ec4e7\",\"events\":[]}");
    driver_expect(driver, "5ec4e7");
    driver_free(driver);
}

static void the_webhook_command_shows_its_state(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/webhook\r");
    driver_answer(driver, "hook",
                  "{\"url\":\"https://a.org/\",\"events\":[\"turn\",\"over\"],\"waiting\":2}");
    driver_expect(driver, "https://a.org/ gets these events: turn, over.");
    driver_type(driver, "/webhook off\r");
    assert_true(json_is_null(json_object_get(driver_find_request(driver, "hook_set"), "url")));
    driver_answer(driver, "hook_set", "{\"url\":null}");
    driver_expect(driver, "You have no webhook.");
    driver_free(driver);
}

static void the_events_of_a_webhook_are_chosen_by_a_list_of_words(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/webhook events turn,over, live\r");
    const json_t *events = json_object_get(driver_find_request(driver, "hook_set"), "events");
    assert_int_equal(json_array_size(events), 3);
    assert_string_equal(json_string_value(json_array_get(events, 2)), "live");
    driver_refuse(driver, "hook_set", "hook_none", "You have no webhook yet.");
    driver_expect(driver, "You have no webhook yet.");
    driver_free(driver);
}

static void a_test_call_can_be_requested_and_unknown_arguments_are_refused(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/webhook test\r");
    driver_answer(driver, "hook_test", NULL);
    driver_expect(driver, "A test call is on its way");
    driver_type(driver, "/webhook ring my phone\r");
    driver_expect(driver, "Give an address to call");
    driver_free(driver);
}

TEST_GROUP(webhook)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_a_webhook_shows_its_secret),
        cmocka_unit_test(the_webhook_command_shows_its_state),
        cmocka_unit_test(the_events_of_a_webhook_are_chosen_by_a_list_of_words),
        cmocka_unit_test(a_test_call_can_be_requested_and_unknown_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
