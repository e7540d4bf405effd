#include "games/macros.h"
#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

#include <liboath/oath.h>
#include <poll.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The first admin, whose SSH key the settings name, learns how to confirm their identity and lets a
 * newcomer talk. */

static const char password[] = "correct horse battery";
static const char question[] = "Confirm it is you.";

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open_with_admin(&house, "ada", "[staff]\nstep_up_s = 5\n");
    *state = &house;
    return 0;
}

/* Types a moderation command, confirms when asked, and waits for the result. */
static void run_command_and_expect(struct terminal *admin, const char *line, const char *words)
{
    const char *const either[] = {question, words, NULL};
    terminal_type(admin, line);
    if (terminal_expect_any(admin, either) == 0) {
        terminal_type_line(admin, password);
        terminal_expect(admin, words);
    }
    assert_false(terminal_shows(admin, password));
}

/* Uses admin rights repeatedly, until the confirmation has expired. */
static void wait_until_confirmation_expires(struct terminal *admin)
{
    static const char *const uses[][2] = {
        {"/registration open\r", "Registration is open"},
        {"/registration hold\r", "New accounts are held"},
    };
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    for (size_t i = 0; !terminal_shows(admin, question); i = (i + 1) % ARRAY_LEN(uses)) {
        const char *const either[] = {question, uses[i][1], NULL};
        assert_true(terminal_now_ms() < deadline);
        terminal_type(admin, uses[i][0]);
        terminal_expect_any(admin, either);
        poll(NULL, 0, 100); /* does not send requests faster than the house accepts them */
    }
}

static void an_admin_confirms_their_identity_and_lets_a_newcomer_talk(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 100, 24);
    terminal_type(ada, "/registration hold\r");
    terminal_expect(ada, "set a /password");
    people_choose_password(ada, password);
    run_command_and_expect(ada, "/registration hold\r", "New accounts are held");

    struct terminal *bob = people_connect(*state, "bob", 100, 24);
    terminal_expect(ada, "/release bob");
    terminal_type(bob, "chello\r");
    terminal_expect(bob, "moderator");
    run_command_and_expect(ada, "/held\r", "await approval by /release: bob");
    terminal_print(ada, "the held");
    run_command_and_expect(ada, "/release bob\r", "bob is released");
    terminal_expect(bob, "Your account is released");
    terminal_type(bob, "cthank you\r");
    terminal_expect(ada, "<bob> thank you");
    terminal_free(bob);

    wait_until_confirmation_expires(ada);
    terminal_print(ada, "asked again");
    terminal_free(ada);
}

/* Reads the authenticator's secret from the screen, and computes the code that will be valid
 * `steps` time steps from now. */
static void compute_authenticator_code(struct terminal *person, int steps, char code[7])
{
    regex_t groups;
    regmatch_t match;
    char *key = NULL;
    size_t key_len = 0;
    assert_int_equal(regcomp(&groups, "([A-Z2-7]{4} ){7}[A-Z2-7]{4}", REG_EXTENDED), 0);
    const char *text = terminal_read_text(person);
    assert_int_equal(regexec(&groups, text, 1, &match, 0), 0);
    regfree(&groups);
    size_t len = (size_t)(match.rm_eo - match.rm_so);
    assert_int_equal(oath_base32_decode(text + match.rm_so, len, &key, &key_len), OATH_OK);
    assert_int_equal(oath_totp_generate(key, key_len, time(NULL) + 30 * steps,
                                        OATH_TOTP_DEFAULT_TIME_STEP_SIZE, 0, 6, code),
                     OATH_OK);
    free(key);
}

static void an_authenticator_code_can_confirm_only_once(void **state)
{
    char code[7], next[7];
    struct terminal *ada = people_connect(*state, "ada", 100, 24);
    run_command_and_expect(ada, "/totp on\r", "The code that the authenticator shows:");
    compute_authenticator_code(ada, 0, code);
    compute_authenticator_code(ada, 1, next);
    terminal_type_line(ada, code);
    terminal_expect(ada, "codes confirm who you are");
    terminal_type(ada, "/confirm\r");
    terminal_expect(ada, "Password or code:");
    terminal_type_line(ada, next);
    terminal_expect(ada, "Confirmed, for 1 minute.");
    terminal_type(ada, "/confirm\r");
    terminal_expect(ada, "Password or code:");
    terminal_type_line(ada, next);
    terminal_expect(ada, "That is not right");
    terminal_free(ada);
}

TEST_GROUP(staff)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_admin_confirms_their_identity_and_lets_a_newcomer_talk),
        cmocka_unit_test(an_authenticator_code_can_confirm_only_once),
    };
    return cmocka_run_group_tests_name("staff", tests, open_house, house_tear_down);
}
