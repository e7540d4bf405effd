#include "games/macros.h"
#include "lobby/house/say.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* People cannot type some texts, such as control characters, but a program can send them. The tests
 * send such texts as JSON. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

struct saying {
    const char *sent; /* the text as the tests write it in JSON */
    const char *told;
};

static const struct saying sayings[] = {
    {"a\\u001b[2Jb\\u001b]0;owned\\u0007c", "a[2Jb]0;ownedc"},
    {"\\u009b31mred\\u009c", "31mred"},
    {"one\\r\\n09:00 \\u00b7 two\\tthree", "one 09:00 \xc2\xb7 two three"},
    {"\\u202eabc\\u2066d\\u2069", "abcd"},
    {"\\ufeffa\\u200bb\\u200dc", "abc"},
    {"\\udb40\\udc68tag\\udb40\\udc7f", "tag"},
    {"x\\u0304\\u0306\\u0307\\u0308\\u0323\\u0324y", "x\xcc\xa3\xcc\xa4y"},
    {"\\u007f\\u0001del\\b\\f", "del"},
};

static void sign_up_ada_and_bob(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
}

/* Has Ada send each text in a message with the fields `other_fields`, and checks the text that Bob
 * receives. */
static void check_sent_text_is_cleaned(struct driver *driver, const char *other_fields)
{
    for (size_t i = 0; i < ARRAY_LEN(sayings); i++) {
        (void)driver_ok(driver, ADA, "{%s,'text':'%s'}", other_fields, sayings[i].sent);
        const json_t *told = driver_newest_message(driver, BOB, "chat");
        assert_string_equal(driver_read_text(told, "text"), sayings[i].told);
        assert_string_equal(driver_read_text(told, "from"), "ada");
        assert_string_not_equal(driver_read_text(told, "kind"), "system");
        driver_pass_time(driver, 10000);
    }
}

static void every_incoming_text_is_cleaned_exactly_once(void **state)
{
    struct driver *driver = *state;
    sign_up_ada_and_bob(driver);
    check_sent_text_is_cleaned(driver, "'t':'say','to':'lobby','kind':'say'");
    check_sent_text_is_cleaned(driver, "'t':'say','to':'lobby','kind':'me'");
    check_sent_text_is_cleaned(driver, "'t':'tell','to':'bob'");
}

static void nobody_can_chat_as_the_house(void **state)
{
    struct driver *driver = *state;
    sign_up_ada_and_bob(driver);
    (void)driver_ok(driver, ADA,
                    "{'t':'say','to':'lobby','kind':'system','text':'closing','from':''}");
    const json_t *told = driver_newest_message(driver, BOB, "chat");
    assert_string_equal(driver_read_text(told, "kind"), "say");
    assert_string_equal(driver_read_text(told, "from"), "ada");
}

static void an_over_long_text_is_refused_not_truncated(void **state)
{
    struct driver *driver = *state;
    char text[TEXT_CLEAN_BYTES_MAX + 2];
    sign_up_ada_and_bob(driver);
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    (void)driver_no(driver, ADA, "too_long", "{'t':'say','to':'lobby','kind':'say','text':'%s'}",
                    text);
    assert_null(driver_newest_message(driver, BOB, "chat"));
}

static void a_name_contains_only_allowed_characters(void **state)
{
    static const char *const names[] = {
        "ev\\u202eil", "ev\\u001b[2J", "e\\u0301ve", "eve\\n",
        "\\ufeffeve",  "\\u0435ve",    "eve\\u200b",
    };
    struct driver *driver = *state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        driver_connect(driver, ADA, PEER_SESSION);
        (void)driver_send(driver, ADA, "{'t':'hello','protocol':3}");
        const json_t *answer = driver_ok(
            driver, ADA, "{'t':'sign_in','method':'password','name':'%s','password':''}", names[i]);
        const char *wish = driver_read_text(answer, "name");
        assert_int_equal(strspn(wish, "abcdefghijklmnopqrstuvwxyz0123456789_-"), strlen(wish));
        (void)driver_no(driver, ADA, "name_bad",
                        "{'t':'sign_up','name':'%s','password':'long enough'}", names[i]);
        driver_disconnect(driver, ADA);
    }
}

static void a_table_password_may_have_any_bytes_and_is_sent_to_nobody(void **state)
{
    struct driver *driver = *state;
    sign_up_ada_and_bob(driver);
    int64_t table = driver_open_table(driver, ADA, 4, 0);
    (void)driver_ok(driver, ADA, "{'t':'table_lock','password':'\\u001b[2J\\u202esesame'}");
    (void)driver_no(driver, BOB, "locked", "{'t':'table_enter','table':%lld,'password':'sesame'}",
                    (long long)table);
    driver_pass_time(driver, 1000);
    (void)driver_ok(driver, BOB,
                    "{'t':'table_enter','table':%lld,'password':'\\u001b[2J\\u202esesame'}",
                    (long long)table);
    for (size_t i = 0; i < json_array_size(driver->inbox[BOB]); i++) {
        char *told = json_dumps(json_array_get(driver->inbox[BOB], i), JSON_ENCODE_ANY);
        assert_null(strstr(told, "sesame"));
        free(told);
    }
}

TEST_GROUP(hostile)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(every_incoming_text_is_cleaned_exactly_once),
        DRIVER_TEST(nobody_can_chat_as_the_house),
        DRIVER_TEST(an_over_long_text_is_refused_not_truncated),
        DRIVER_TEST(a_name_contains_only_allowed_characters),
        DRIVER_TEST(a_table_password_may_have_any_bytes_and_is_sent_to_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
