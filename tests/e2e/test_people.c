#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

/* Three people use the real ssh: friends, messages, a channel, an invitation. */

static void three_people_find_each_other_talk_and_sit_down_together(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = people_connect(house, "ada", 100, 30);
    struct terminal *bob = people_connect(house, "bob", 100, 30);
    struct terminal *eve = people_connect(house, "eve", 100, 30);
    terminal_type(ada, "/friend bob\r");
    terminal_expect(ada, "+bob");
    terminal_type(ada, "/join #tea\r");
    terminal_expect(ada, "#tea  #lobby");
    terminal_type(bob, "/join #tea\r");
    terminal_expect(bob, "#tea  #lobby");
    terminal_type(ada, "cmilk?\r");
    terminal_expect(bob, "<ada> milk?");
    assert_false(terminal_shows(eve, "milk?"));
    terminal_type(bob, "/dnd on thinking\r");
    terminal_expect(ada, "busy: thi");
    terminal_type(eve, "/tell bob later then\r");
    terminal_expect(eve, "does not want to be disturbed");
    assert_false(terminal_shows(bob, "later then"));
    terminal_type(bob, "/dnd off\r");
    terminal_type(bob, "[");
    terminal_expect(bob, "later then");
    terminal_type(ada, "n\r");
    terminal_expect(ada, "Waiting for 3 more players");
    terminal_type(ada, "/lock sesame\r");
    terminal_type(ada, "/invite eve\r");
    terminal_expect(eve, "a accept");
    terminal_print(eve, "an invitation to a locked table");
    terminal_type(eve, "a");
    terminal_expect(ada, "eve sat down");
    terminal_free(eve);
    terminal_free(bob);
    terminal_free(ada);
}

TEST_GROUP(people)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_people_find_each_other_talk_and_sit_down_together),
    };
    return cmocka_run_group_tests_name("people", tests, house_set_up, house_tear_down);
}
