#include "games/game.h"
#include "tests/unit.h"

static const uint8_t members[] = {0, 1, 63, 64, 100, 127, 128, 190, 191};
#define MEMBERS (sizeof(members) / sizeof(members[0]))

static struct move_set make_example_move_set(void)
{
    struct move_set set = move_set_empty();
    for (size_t i = 0; i < MEMBERS; i++) {
        move_set_add(&set, members[i]);
    }
    return set;
}

static void a_move_set_contains_exactly_the_moves_added(void **unused)
{
    (void)unused;
    struct move_set set = make_example_move_set();
    size_t next = 0;
    for (unsigned move = 0; move <= UINT8_MAX; move++) {
        bool is_member = next < MEMBERS && members[next] == move;
        assert_int_equal(move_set_has(&set, (uint8_t)move), is_member);
        next += is_member;
    }
}

static void moves_are_counted_and_numbered_in_ascending_order(void **unused)
{
    (void)unused;
    struct move_set set = make_example_move_set();
    struct move_set empty = move_set_empty();
    assert_int_equal(move_set_count(&empty), 0);
    assert_int_equal(move_set_count(&set), MEMBERS);
    for (uint8_t i = 0; i < MEMBERS; i++) {
        assert_int_equal(move_set_nth(&set, i), members[i]);
    }
}

static void move_set_next_visits_every_move_once(void **unused)
{
    (void)unused;
    struct move_set set = make_example_move_set();
    struct move_set empty = move_set_empty();
    size_t met = 0;
    for (uint8_t move = move_set_next(&set, 0); move != MOVE_NONE;
         move = move_set_next(&set, move + 1U)) {
        assert_int_equal(move, members[met++]);
    }
    assert_int_equal(met, MEMBERS);
    assert_int_equal(move_set_next(&empty, 0), MOVE_NONE);
    assert_int_equal(move_set_next(&set, MOVES_MAX), MOVE_NONE);
}

TEST_GROUP(move)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_set_contains_exactly_the_moves_added),
        cmocka_unit_test(moves_are_counted_and_numbered_in_ascending_order),
        cmocka_unit_test(move_set_next_visits_every_move_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
