#include "tests/e2e/client.h"
#include "tests/e2e/openssh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* The house speaks the language that ssh sends, until the person chooses another, in real sessions.
 * By then a session may open no file. */

static struct terminal *connect_with_lang(const struct house_fixture *house, const char *lang)
{
    struct openssh line;
    char setting[64];
    snprintf(setting, sizeof(setting), "LANG=%s", lang);
    openssh_start_line(&line, house, "ssh");
    openssh_add_words(&line,
                      (const char *const[]){"-o", "PubkeyAuthentication=no", "-o", "SendEnv=LANG",
                                            "-o", "LogLevel=ERROR", OPENSSH_GUEST, NULL});
    const char *words[OPENSSH_WORDS_MAX + 8] = {"env", "-u",          "LC_ALL",
                                                "-u",  "LC_MESSAGES", setting};
    for (size_t i = 0; i < line.count; i++) {
        words[6 + i] = line.words[i];
    }
    return client_start(house, words);
}

static void the_house_uses_the_language_that_ssh_sends(void **state)
{
    struct terminal *person = connect_with_lang(*state, "de_DE.UTF-8");
    terminal_expect(person, "Tische");
    terminal_expect(person, "Leute");
    terminal_free(person);
}

static void an_unsupported_language_becomes_english(void **state)
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
    terminal_type(person, "b"); /* opens a table with bots */
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
    terminal_expect(person, "ein Bot (vorsichtig), hat sich gesetzt.");
    terminal_free(person);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_house_uses_the_language_that_ssh_sends),
        cmocka_unit_test(an_unsupported_language_becomes_english),
        cmocka_unit_test(the_language_can_be_changed_in_the_house),
        cmocka_unit_test(the_houses_lines_at_a_table_are_german_for_a_german_speaker),
    };
    return cmocka_run_group_tests_name("language", tests, house_set_up, house_tear_down);
}
