#include "tests/e2e/guests.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

#include <stdlib.h>

/* Real sessions: the house speaks the language that ssh sends, until the person chooses another.
 * When the person chooses, the session is no longer allowed to open files. */

static const char password[] = "correct horse battery";

static int set_up_house_with_admin(void **state)
{
    static struct house_fixture house;
    house_open_with_admin(&house, "ada", "");
    *state = &house;
    return 0;
}

/* Connects as a guest through an ssh that sends this value of LANG. */
static struct terminal *connect_with_lang(const struct house_fixture *house, const char *lang)
{
    static const char *const options[] = {"-oSendEnv=LANG", NULL};
    const struct connect_setup setup = {.user = "guest", .columns = 100, .options = options};
    unsetenv("LC_ALL");
    unsetenv("LC_MESSAGES");
    setenv("LANG", lang, 1);
    struct terminal *guest = house_connect_by_ssh(house, &setup);
    guests_close_offer(guest);
    return guest;
}

static void the_house_uses_the_language_that_ssh_sends(void **state)
{
    struct terminal *person = connect_with_lang(*state, "de_DE.UTF-8");
    terminal_expect(person, "Tische");
    terminal_expect(person, "Leute");
    terminal_free(person);
}

static void english_replaces_an_unsupported_language(void **state)
{
    struct terminal *person = connect_with_lang(*state, "eo_XX.UTF-8");
    terminal_expect(person, "Tables");
    terminal_expect(person, "People");
    terminal_free(person);
}

static void the_language_can_be_changed_in_the_house(void **state)
{
    struct terminal *person = connect_with_lang(*state, "C");
    terminal_expect(person, "Tables");
    terminal_type(person, "/language de\r");
    terminal_expect(person, "Tische");
    terminal_type(person, "b");
    terminal_expect(person, "1-5 ");
    terminal_type(person, "1");
    terminal_expect(person, "Runde 1 von");
    terminal_type(person, "/language en\r");
    terminal_expect(person, "round 1 of");
    terminal_free(person);
}

static void the_houses_lines_at_a_table_are_german_for_a_german_speaker(void **state)
{
    struct terminal *person = connect_with_lang(*state, "de_DE.UTF-8");
    terminal_expect(person, "Tische");
    terminal_type(person, "/new oh-hell\r");
    terminal_expect(person, "Tisch öffnen");
    terminal_type(person, "\r");
    terminal_expect(person, "hat sich gesetzt.");
    terminal_type(person, "/bot\r");
    terminal_expect(person, "ein Bot (leicht), hat sich gesetzt.");
    terminal_expect(person, "leicht  Bot");
    terminal_free(person);
}

static void notices_with_times_are_german_for_a_german_speaker(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 100, 24);
    people_choose_password(ada, password);
    terminal_type(ada, "/language de\r");
    terminal_expect(ada, "Tische");
    struct terminal *guest = connect_with_lang(*state, "de_DE.UTF-8");
    terminal_expect(guest, "Tische");

    terminal_type_line(ada, "/mute guest-1 10m Werbung");
    terminal_expect(ada, "Passwort");
    terminal_type_line(ada, password);
    terminal_expect(ada, "guest-1 ist stumm, 10 Minuten: Werbung");
    terminal_expect(guest, "Du bist stumm (überall) bis ");
    terminal_expect(guest, " UTC, von ada: Werbung");
    terminal_print(guest, "muted");

    terminal_type(ada, "/new oh-hell\r");
    terminal_expect(ada, "Tisch öffnen");
    terminal_type(ada, "\r");
    terminal_expect(guest, "#1 Oh Hell");
    terminal_type(guest, "/sit 1\r");
    terminal_expect(ada, "guest-1 hat sich gesetzt.");
    terminal_type(ada, "/kick guest-1\ry");
    terminal_expect(guest, "ada hat deinen Platz an #1 Oh Hell frei gemacht");
    terminal_print(guest, "kicked");

    terminal_type(ada, "/kick guest-1 Es reicht\ry");
    terminal_expect(guest, "Du bist ausgesperrt bis ");
    terminal_expect(guest, " UTC, von ada: Es reicht.");
    terminal_print(guest, "sent out");
    terminal_free(guest);
    terminal_free(ada);
}

TEST_GROUP(language)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_house_uses_the_language_that_ssh_sends),
        cmocka_unit_test(english_replaces_an_unsupported_language),
        cmocka_unit_test(the_language_can_be_changed_in_the_house),
        cmocka_unit_test(the_houses_lines_at_a_table_are_german_for_a_german_speaker),
        cmocka_unit_test_setup_teardown(notices_with_times_are_german_for_a_german_speaker,
                                        set_up_house_with_admin, house_tear_down),
    };
    return cmocka_run_group_tests_name("language", tests, house_set_up, house_tear_down);
}
