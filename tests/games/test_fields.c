#include "games/card.h"
#include "games/game.h"
#include "tests/unit.h"

static void json_is_written_in_order_with_commas_between_values(void **unused)
{
    (void)unused;
    struct text text = TEXT_OF(512);
    json_open(&text, NULL, '{');
    json_put_text(&text, "e", "say \"hi\"");
    json_open(&text, "hands", '[');
    for (int i = 0; i < 2; i++) {
        json_open(&text, NULL, '[');
        json_put_number(&text, NULL, i);
        json_put_null(&text, NULL);
        json_close(&text, ']');
    }
    json_close(&text, ']');
    json_open(&text, "none", '[');
    json_close(&text, ']');
    json_open(&text, "sub", '{');
    json_put_true(&text, "yes");
    json_open(&text, "empty", '{');
    json_close(&text, '}');
    json_close(&text, '}');
    json_put_bits(&text, "bits", 1U << 0 | 1U << 9);
    json_put_bits(&text, "no-bits", 0);
    json_put_card(&text, "card", &standard_deck, 0);
    json_put_number(&text, "last", -7);
    json_close(&text, '}');
    assert_string_equal(text.at,
                        "{\"e\":\"say \\\"hi\\\"\",\"hands\":[[0,null],[1,null]],\"none\":[],"
                        "\"sub\":{\"yes\":true,\"empty\":{}},\"bits\":[0,9],\"no-bits\":[],"
                        "\"card\":\"2S\",\"last\":-7}");
    assert_false(text.is_cut);
}

static void a_text_that_ends_with_a_bracket_does_not_open_a_list(void **unused)
{
    (void)unused;
    struct text text = TEXT_OF(64);
    json_open(&text, NULL, '[');
    json_put_text(&text, NULL, "[");
    json_put_text(&text, NULL, "a:");
    json_close(&text, ']');
    assert_string_equal(text.at, "[\"[\",\"a:\"]");
}

TEST_GROUP(fields)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_written_in_order_with_commas_between_values),
        cmocka_unit_test(a_text_that_ends_with_a_bracket_does_not_open_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
