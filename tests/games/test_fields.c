#include "games/game.h"
#include "tests/unit.h"

static struct fields fields;

static void assert_json(const char *expected)
{
    char buffer[512];
    struct text text = text_init(buffer, sizeof(buffer));
    fields_write(&fields, &text);
    assert_string_equal(buffer, expected);
}

static void fields_are_written_as_json_in_order(void **unused)
{
    (void)unused;
    fields_clear(&fields);
    assert_json("{}");
    fields_add_text(&fields, "e", "say \"hi\"");
    uint16_t hands = fields_open_list(&fields, "hands");
    for (int i = 0; i < 2; i++) {
        uint16_t hand = fields_open_list(&fields, NULL);
        fields_add_number(&fields, NULL, i);
        fields_add_null(&fields, NULL);
        fields_close(&fields, hand);
    }
    fields_close(&fields, hands);
    fields_close(&fields, fields_open_list(&fields, "none"));
    uint16_t object = fields_open_object(&fields, "sub");
    fields_add_bool(&fields, "yes", true);
    fields_add_bool(&fields, "no", false);
    fields_close(&fields, fields_open_object(&fields, "empty"));
    fields_close(&fields, object);
    fields_add_number(&fields, "last", -7);
    assert_json("{\"e\":\"say \\\"hi\\\"\",\"hands\":[[0,null],[1,null]],\"none\":[],"
                "\"sub\":{\"yes\":true,\"no\":false,\"empty\":{}},\"last\":-7}");
    assert_false(fields.is_cut);
}

static void top_level_fields_are_found_and_nested_ones_are_not(void **unused)
{
    (void)unused;
    fields_clear(&fields);
    uint16_t object = fields_open_object(&fields, "outer");
    fields_add_number(&fields, "inner", 1);
    fields_close(&fields, object);
    fields_add_number(&fields, "after", 2);
    fields_add_text(&fields, "word", "3");
    assert_null(fields_find(&fields, "inner"));
    assert_null(fields_find(&fields, "afte"));
    assert_null(fields_find(&fields, "a key longer than any key can be"));
    assert_int_equal(fields_find(&fields, "after")->number, 2);
    assert_null(field_find_member(fields_find(&fields, "outer"), "after"));
    assert_int_equal(field_find_member(fields_find(&fields, "outer"), "inner")->number, 1);
}

static void iterating_over_an_objects_members_skips_nested_members(void **unused)
{
    (void)unused;
    fields_clear(&fields);
    uint16_t list = fields_open_list(&fields, "list");
    uint16_t inner = fields_open_list(&fields, NULL);
    fields_add_number(&fields, NULL, 10);
    fields_close(&fields, inner);
    fields_add_number(&fields, NULL, 20);
    fields_close(&fields, list);
    fields_add_number(&fields, "next", 30);
    const struct field *parent = fields_find(&fields, "list");
    const struct field *member = field_first_member(parent);
    assert_int_equal(member->type, FIELD_LIST);
    assert_int_equal(field_first_member(member)->number, 10);
    member = field_next_member(parent, member);
    assert_int_equal(member->number, 20);
    assert_null(field_next_member(parent, member));
    assert_null(field_first_member(fields_find(&fields, "next")));
}

static void a_field_that_does_not_fit_is_left_out_and_the_json_is_marked_as_cut(void **unused)
{
    (void)unused;
    fields_clear(&fields);
    uint16_t list = fields_open_list(&fields, "list");
    for (int i = 0; i < 2 * FIELDS_MAX; i++) {
        fields_add_number(&fields, NULL, i);
    }
    fields_close(&fields, list);
    fields_add_number(&fields, "late", 1);
    assert_true(fields.is_cut);
    assert_int_equal(fields.count, FIELDS_MAX);
    assert_int_equal(fields.at[0].span, FIELDS_MAX - 1);
    assert_null(fields_find(&fields, "late"));

    fields_clear(&fields);
    fields_add_number(&fields, "a-key-of-twenty-char", 1);
    assert_true(fields.is_cut);
    assert_json("{}");
    fields_clear(&fields);
    fields_add_text(&fields, "key", "a text of thirty-two characters.");
    assert_true(fields.is_cut);
    assert_json("{}");
}

static void objects_nest_no_deeper_than_the_limit(void **unused)
{
    (void)unused;
    fields_clear(&fields);
    uint16_t handles[FIELDS_DEPTH_MAX + 1];
    for (int i = 0; i <= FIELDS_DEPTH_MAX; i++) {
        handles[i] = fields_open_list(&fields, i == 0 ? "deep" : NULL);
    }
    for (int i = FIELDS_DEPTH_MAX; i >= 0; i--) {
        fields_close(&fields, handles[i]);
    }
    assert_true(fields.is_cut);
    assert_json("{\"deep\":[[[[[[[[]]]]]]]]}");
}

TEST_GROUP(fields)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_written_as_json_in_order),
        cmocka_unit_test(top_level_fields_are_found_and_nested_ones_are_not),
        cmocka_unit_test(iterating_over_an_objects_members_skips_nested_members),
        cmocka_unit_test(a_field_that_does_not_fit_is_left_out_and_the_json_is_marked_as_cut),
        cmocka_unit_test(objects_nest_no_deeper_than_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
