#include "daemon/base/log_line.h"
#include "tests/unit.h"

#include <string.h>

#define TIME "2026-11-20T06:26:46.123Z "

static void assert_pair(const char **pairs, const char *key, const char *value)
{
    struct log_line_pair pair;
    assert_true(log_line_next_pair(pairs, &pair));
    assert_true(log_line_has_key(&pair, key));
    assert_int_equal(pair.value_len, strlen(value));
    assert_memory_equal(pair.value, value, pair.value_len);
}

static void a_line_is_taken_apart(void **state)
{
    (void)state;
    struct log_line line;
    struct log_line_pair none;
    const char *text =
        TIME "core warn conn=812 event=sign-in account=mira what=\"a b\\x22\" cipher_in=\"\"";
    assert_true(log_line_parse(text, &line));
    assert_ptr_equal(line.message, text + strlen(TIME));
    assert_string_equal(line.process_name, "core");
    assert_int_equal(line.level, LOG_LEVEL_WARN);
    assert_int_equal(line.conn, 812);
    assert_pair(&line.pairs, "event", "sign-in");
    assert_pair(&line.pairs, "account", "mira");
    assert_pair(&line.pairs, "what", "a b\\x22");
    assert_pair(&line.pairs, "cipher_in", "");
    assert_false(log_line_next_pair(&line.pairs, &none));
}

static void a_line_about_no_connection_has_connection_0(void **state)
{
    (void)state;
    struct log_line line;
    assert_true(log_line_parse(TIME "gate info conn=- event=listen", &line));
    assert_int_equal(line.conn, 0);
    assert_string_equal(line.pairs, " event=listen");
}

static void a_key_is_compared_as_a_whole(void **state)
{
    (void)state;
    const struct log_line_pair pair = {.key = "account=mira", .key_len = strlen("account")};
    assert_true(log_line_has_key(&pair, "account"));
    assert_false(log_line_has_key(&pair, "acc"));
    assert_false(log_line_has_key(&pair, "accounts"));
}

static void other_text_is_no_line(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "core: malloc.c:2617: sysmalloc: Assertion failed",
        "core info conn=- event=note",
        "<6>core info conn=- event=note",
        TIME "core info conn=-",
        TIME "core info conn=- ",
        TIME "core info conn=- event=",
        TIME "core info conn=- event=note what=x ",
        TIME "core info conn=12345678901234567890 event=note",
        TIME "core info conn=-5 event=note",
        TIME "core info conn= event=note",
        TIME "a-name-with-16-b info conn=- event=note",
        TIME " info conn=- event=note",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct log_line line;
        assert_false(log_line_parse(texts[i], &line));
    }
}

TEST_GROUP(log_line)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_taken_apart),
        cmocka_unit_test(a_line_about_no_connection_has_connection_0),
        cmocka_unit_test(a_key_is_compared_as_a_whole),
        cmocka_unit_test(other_text_is_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
