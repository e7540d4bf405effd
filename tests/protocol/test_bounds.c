#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* The size of a message is limited before its JSON is parsed into a tree. */

static const struct json_bounds small = {.bytes = 64, .values = 4, .depth = 2, .scalar = 6};

static void expect_bounds_check_result(const char *text, bool is_expected_to_pass)
{
    if (json_bounds_allow(&small, text, strlen(text)) != is_expected_to_pass) {
        fail_msg("%s should %s", text, is_expected_to_pass ? "pass" : "not pass");
    }
}

static void json_members_and_elements_are_counted_at_every_depth(void **state)
{
    (void)state;
    expect_bounds_check_result("{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", true);
    expect_bounds_check_result("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}", false);
    expect_bounds_check_result("{\"a\":[1,2],\"b\":[]}", true);
    expect_bounds_check_result("{\"a\":[1,2],\"b\":[ 3]}", false);
    expect_bounds_check_result("[[],[],[],{ }]", true);
    expect_bounds_check_result("[[],[],[],[],[]]", false);
}

static void brackets_and_commas_inside_strings_are_not_counted(void **state)
{
    (void)state;
    expect_bounds_check_result("{\"a\":\"{[{[{[,,,,,,,,\"}", true);
    expect_bounds_check_result("{\"a\":\"\\\"{[{[{[,,,,,,\"}", true);
    expect_bounds_check_result("{\"a\":\"\\\\\",\"b\":[[[]]]}", false);
    expect_bounds_check_result("{\"a\":\"123456789\"}", true);
}

static void the_depth_the_length_and_the_size_of_numbers_in_json_are_limited(void **state)
{
    (void)state;
    expect_bounds_check_result("[[1]]", true);
    expect_bounds_check_result("[[[]]]", false);
    expect_bounds_check_result("[123456,true]", true);
    expect_bounds_check_result("[1234567]", false);
    expect_bounds_check_result("[12345678901234567890123456789012345678901234567890123456789]",
                               false);
    expect_bounds_check_result(
        "{\"a\":\"0123456789012345678901234567890123456789012345678901234567\"}", false);
}

static void the_number_of_values_in_a_request_is_limited(void **state)
{
    (void)state;
    char text[4096];
    for (int values = REQUEST_VALUES_MAX; values <= REQUEST_VALUES_MAX + 1; values++) {
        size_t len = (size_t)snprintf(text, sizeof(text), "{\"a\":[0");
        for (int i = 2; i < values; i++) {
            len += (size_t)snprintf(text + len, sizeof(text) - len, ",%d", i);
        }
        len += (size_t)snprintf(text + len, sizeof(text) - len, "]}");
        json_t *request = json_read_request(text, len);
        json_t *any = json_read_object(text, len);
        assert_int_equal(request != NULL, values == REQUEST_VALUES_MAX);
        assert_non_null(any);
        json_decref(request);
        json_decref(any);
    }
}

TEST_GROUP(bounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_members_and_elements_are_counted_at_every_depth),
        cmocka_unit_test(brackets_and_commas_inside_strings_are_not_counted),
        cmocka_unit_test(the_depth_the_length_and_the_size_of_numbers_in_json_are_limited),
        cmocka_unit_test(the_number_of_values_in_a_request_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
