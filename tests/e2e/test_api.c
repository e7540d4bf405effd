#include "tests/e2e/command.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs that connect through the real ssh; among them the example program, which plays a
 * game. */

#define HELLO "{\"t\":\"hello\",\"protocol\":3}"
#define OLD_HELLO "{\"t\":\"hello\",\"protocol\":2}"

/* Runs a script, in which `ssh_options` stands for the options with which the real ssh reaches this
 * house. */
static void run_script(const struct house_fixture *house, const char *script,
                       struct command_result *result)
{
    const char *folder = getenv("SOURCE_DIR");
    char text[4096];
    assert_non_null(folder);
    snprintf(text, sizeof text,
             "bot=%s/deploy/examples/oh-hell-bot.py\n"
             "ssh_options='-F none -p %d -o StrictHostKeyChecking=no -o LogLevel=ERROR"
             " -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes'\n%s",
             folder, house->port, script);
    command_run(house, (const char *const[]){"bash", "-c", text, NULL}, result);
}

static void run_script_and_expect(const struct house_fixture *house, const char *script, int status,
                                  const char *words)
{
    struct command_result result;
    run_script(house, script, &result);
    command_assert_result(&result, status, words);
}

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, "[ssh]\napi_guests = yes\n");
    static const char *const names[] = {"ada", "bob", "robo"};
    for (size_t i = 0; i < 3; i++) {
        house_make_key(&house, names[i]);
    }
    *state = &house;
    return 0;
}

/* Makes a script in which a guest sends these lines as input and then closes the input. */
#define GUEST_SAYS(lines) "printf '" lines "' | ssh $ssh_options -s guest@127.0.0.1 api"

static void every_request_from_a_pipe_is_answered(void **state)
{
    struct command_result result;
    run_script(*state,
               GUEST_SAYS(HELLO "\\n{\"t\":\"ping\",\"id\":1}\\n"
                                "{\"t\":\"registration\",\"id\":2}\\n"),
               &result);
    command_assert_result(&result, 0, "\n{\"t\":\"ok\",\"id\":1}\n");
    command_assert_result(&result, 0, "\n{\"t\":\"ok\",\"id\":2,\"state\":\"open\"}\n");
    static const char first[] = "{\"t\":\"welcome\",\"protocol\":3,";
    assert_memory_equal(result.said, first, strlen(first));
}

static void a_protocol_error_is_reported_and_ssh_fails(void **state)
{
    run_script_and_expect(*state, GUEST_SAYS("{\"t\":\"ping\",\"id\":1}\\n"), 1, "\"t\":\"bye\"");
    run_script_and_expect(*state, GUEST_SAYS(HELLO "\\nplease\\n"), 1, "must be one JSON object");
    run_script_and_expect(*state, GUEST_SAYS(HELLO "\\n{\"t\":\"sign_in\",\"id\":1}\\n"), 1,
                          "\"t\":\"bye\"");
    run_script_and_expect(*state,
                          "head -c 9000 /dev/zero | tr '\\0' x |"
                          " ssh $ssh_options -s guest@127.0.0.1 api",
                          1, "8,192");
}

/* A program that sends more requests than may be pending and reads no answers is disconnected; the
 * house continues to serve others. */
static void a_flood_of_requests_ends_only_its_own_connection(void **state)
{
    run_script_and_expect(
        *state,
        "(printf '" HELLO "\\n'; for i in $(seq 2000); do"
        " echo '{\"t\":\"ping\",\"id\":'$i'}'; done) |"
        " ssh $ssh_options -s guest@127.0.0.1 api | tail -n 1; exit ${PIPESTATUS[1]}",
        1, "\"t\":\"bye\"");
    run_script_and_expect(*state, GUEST_SAYS(HELLO "\\n"), 0, "welcome");
}

static void messages_for_staff_need_a_staff_role(void **state)
{
    run_script_and_expect(*state, GUEST_SAYS(HELLO "\\n{\"t\":\"held\",\"id\":1}\\n"), 0,
                          "\"code\":\"role\"");
}

static void a_program_that_says_another_protocol_number_is_told_which_one_is_spoken(void **state)
{
    run_script_and_expect(*state, GUEST_SAYS(OLD_HELLO "\\n"), 1,
                          "This house speaks protocol 3 and no other");
}

static void the_example_program_plays_a_rated_game_with_two_people(void **state)
{
    struct command_result result;
    run_script(*state,
               "$bot --person --sign-up ada ada@127.0.0.1 $ssh_options -i ada >ada.out &\n"
               "until grep -q opened ada.out; do sleep 0.05; done\n"
               "$bot --table 1 --sign-up robo robo@127.0.0.1 $ssh_options -i robo >robo.out &\n"
               "robo=$!\n"
               "$bot --table 1 --person --sign-up bob bob@127.0.0.1 $ssh_options -i bob\n"
               "wait $robo && cat robo.out && printf '" HELLO "\\n"
               "{\"t\":\"leaders\",\"id\":1,\"game\":\"oh-hell\"}\\n"
               "{\"t\":\"leaders\",\"id\":2,\"game\":\"oh-hell\",\"bots\":true}\\n' |"
               " ssh $ssh_options -i robo -s robo@127.0.0.1 api | grep total",
               &result);
    command_assert_result(&result, 0, "game 1 is over");
    command_assert_result(&result, 0, "\"id\":1,\"total\":2");
    command_assert_result(&result, 0, "\"id\":2,\"total\":1");
}

/* The core is killed and restarted. The example program handles `resync` and plays on to the
 * end. */
static void the_example_program_plays_on_after_the_core_is_killed(void **state)
{
    char script[512];
    snprintf(script, sizeof script,
             "timeout 150 $bot --trace --fill robo@127.0.0.1 $ssh_options -i robo"
             " >fill.out 2>fill.trace & robo=$!\n"
             "until grep -q opened fill.out || ! kill -0 $robo; do sleep 0.05; done\n"
             "kill -9 %d; ended=0; wait $robo || ended=$?; cat fill.out\n"
             "test $ended = 0 || ! tail -n 20 fill.trace | cut -c 1-350",
             (int)house_find_process(*state, "core"));
    run_script_and_expect(*state, script, 0, "is over");
}

TEST_GROUP(api)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_from_a_pipe_is_answered),
        cmocka_unit_test(a_protocol_error_is_reported_and_ssh_fails),
        cmocka_unit_test(a_program_that_says_another_protocol_number_is_told_which_one_is_spoken),
        cmocka_unit_test(a_flood_of_requests_ends_only_its_own_connection),
        cmocka_unit_test(messages_for_staff_need_a_staff_role),
        cmocka_unit_test(the_example_program_plays_a_rated_game_with_two_people),
        cmocka_unit_test(the_example_program_plays_on_after_the_core_is_killed),
    };
    return cmocka_run_group_tests_name("api", tests, open_house, house_tear_down);
}
