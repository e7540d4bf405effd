#include "lobby/protocol/protocol.h"

#include "games/macros.h"
#include "tests/unit.h"

static void a_slower_pace_means_longer_stops_slower_bots_and_longer_tricks(void **state)
{
    static const struct {
        const char *word;
        int64_t stop_ms, bot_ms, trick_ms;
    } wanted[] = {
        {"quick", 5000, 400, 600}, {"normal", 10000, 800, 1200}, {"slow", 20000, 1600, 2500}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        enum pace pace = PACE_NORMAL;
        assert_true(pace_from_word(wanted[i].word, &pace));
        assert_int_equal(pace_round_stop_ms(pace), wanted[i].stop_ms);
        assert_int_equal(pace_bot_delay_ms(pace, 800), wanted[i].bot_ms);
        assert_int_equal(pace_trick_ms(pace), wanted[i].trick_ms);
    }
}

static void a_word_that_is_no_pace_changes_nothing(void **state)
{
    enum pace pace = PACE_SLOW;
    (void)state;
    assert_false(pace_from_word("glacial", &pace));
    assert_false(pace_from_word("", &pace));
    assert_false(pace_from_word(NULL, &pace));
    assert_int_equal(pace, PACE_SLOW);
}

TEST_GROUP(pace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slower_pace_means_longer_stops_slower_bots_and_longer_tricks),
        cmocka_unit_test(a_word_that_is_no_pace_changes_nothing),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
