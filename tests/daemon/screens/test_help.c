#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests which commands /help shows to each role, in each language. */

#define LINE_BYTES 600
#define ROWS 200    /* rows of a terminal that shows the whole list */
#define COLUMNS 400 /* columns of a terminal that shows the longest line */

static const struct {
    enum person_role role;
    const char *word;
} roles[] = {{ROLE_PLAYER, "player"}, {ROLE_MOD, "mod"}, {ROLE_ADMIN, "admin"}};

static int set_up_languages(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

static struct driver *enter_house(size_t role_index, const char *language, bool is_plain)
{
    char you[256];
    const struct driver_setup setup = {.you = you,
                                       .columns = COLUMNS,
                                       .rows = ROWS,
                                       .lines = {.is_on = is_plain, .is_piped = is_plain}};
    snprintf(you, sizeof you,
             "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"%s\",\"has_password\":true,"
             "\"settings\":{\"language\":\"%s\"},\"is_new\":false}",
             roles[role_index].word, language);
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    return driver;
}

/* Returns the length of the first sentence of a translated help text. */
static int find_first_sentence_len(const char *help)
{
    const char *end = strstr(help, ". ");
    return (int)(end == NULL ? strlen(help) : (size_t)(end - help) + 1);
}

static void expect_line_if_role_may_use_command(const char *list, const char *line,
                                                const struct command *command,
                                                enum person_role role)
{
    if ((strstr(list, line) != NULL) != (command->role <= role)) {
        fail_msg("/%s (role %d) %s in the help of role %d:\n%s", command->name, command->role,
                 command->role <= role ? "is missing" : "stands", role, list);
    }
}

/* Expects that plain mode prints a command's line if and only if the role may use the command. In
 * plain mode, all quotation marks and dashes are ASCII. */
static void expect_printed_if_role_may_use_command(const struct driver *driver,
                                                   const struct command *command, int help_len,
                                                   enum person_role role)
{
    struct lines lines;
    struct bytes out;
    lines_init(&lines, LINE_BYTES);
    bytes_init(&out, LINE_BYTES);
    const char *args = command->args == NULL ? "" : command->args;
    lines_format(&lines, "/%s%s%s: %.*s", command->name, args[0] == '\0' ? "" : " ", _(args),
                 help_len, _(command->help));
    assert_true(lines_write(&lines, &(struct lines_look){.end = "\n"}, &out));
    assert_true(bytes_add(&out, "", 1));
    expect_line_if_role_may_use_command(driver_read_output(driver), out.at, command, role);
    bytes_clear(&out);
    lines_clear(&lines);
}

static void check_help_in_plain_mode(struct driver *driver, enum person_role role)
{
    driver_forget_output(driver);
    driver_type(driver, "/help all\n");
    for (const struct command *command = command_list; command->name != NULL; command++) {
        expect_printed_if_role_may_use_command(driver, command,
                                               find_first_sentence_len(_(command->help)), role);
    }
}

static void check_help_on_full_screen(struct driver *driver, enum person_role role)
{
    driver_type(driver, "/help\r");
    for (const struct command *command = command_list; command->name != NULL; command++) {
        char line[LINE_BYTES];
        const char *help = _(command->help);
        snprintf(line, sizeof line, " /%-14s%.*s\n", command->name, find_first_sentence_len(help),
                 help);
        expect_line_if_role_may_use_command(driver_read_screen(driver), line, command, role);
    }
}

static void check_help_on_each_command(struct driver *driver, enum person_role role)
{
    for (const struct command *command = command_list; command->name != NULL; command++) {
        char line[LINE_BYTES];
        snprintf(line, sizeof line, "/help %s\n", command->name);
        driver_forget_output(driver);
        driver_type(driver, line);
        expect_printed_if_role_may_use_command(driver, command, (int)strlen(_(command->help)),
                                               role);
    }
}

static void check_in_every_role_and_language(void (*check)(struct driver *driver,
                                                           enum person_role role),
                                             bool is_plain)
{
    for (size_t language = 0; language < i18n_count_languages(); language++) {
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
            struct driver *driver = enter_house(i, i18n_tags[language], is_plain);
            assert_string_equal(i18n_tags[i18n_chosen_language()], i18n_tags[language]);
            check(driver, roles[i].role);
            driver_free(driver);
        }
    }
}

static void plain_help_lists_exactly_the_commands_of_ones_role(void **state)
{
    (void)state;
    check_in_every_role_and_language(check_help_in_plain_mode, true);
}

static void plain_help_in_the_lobby_lists_no_commands_of_tables(void **state)
{
    (void)state;
    struct driver *driver = enter_house(0, "en", true);
    driver_forget_output(driver);
    driver_type(driver, "help\n");
    driver_expect_output(driver, "/quick [game]");
    driver_expect_output(driver, "/help all lists the commands at a table too.");
    driver_expect_no_output(driver, "/premove");
    driver_free(driver);
}

static void full_screen_help_lists_exactly_the_commands_of_ones_role(void **state)
{
    (void)state;
    check_in_every_role_and_language(check_help_on_full_screen, false);
}

static void help_explains_a_command_only_to_those_who_may_use_it(void **state)
{
    (void)state;
    check_in_every_role_and_language(check_help_on_each_command, true);
}

/* In the README, commands and paths are in backquotes or in indented examples. */
static void every_command_that_the_readme_names_exists(void **state)
{
    (void)state;
    char path[512], line[LINE_BYTES];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/README.md", getenv("SOURCE_DIR"));
    FILE *readme = fopen(path, "r");
    assert_non_null(readme);
    while (fgets(line, sizeof line, readme) != NULL) {
        const char *at = strncmp(line, "    /", 5) == 0 ? line + 3 : strstr(line, "`/");
        for (; at != NULL; at = strstr(at + 1, "`/")) {
            char name[32];
            size_t len = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz");
            snprintf(name, sizeof name, "%.*s", (int)len, at + 2);
            const struct command *command = command_find(name);
            bool is_command = len > 0 && at[2 + len] != '/';
            if (is_command && (command == NULL || strcmp(command->name, name) != 0)) {
                fail_msg("README.md names /%s, which does not exist: %s", name, line);
            }
            count += is_command;
        }
    }
    fclose(readme);
    assert_in_range(count, 50, 1000);
}

TEST_GROUP(help)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_help_lists_exactly_the_commands_of_ones_role),
        cmocka_unit_test(plain_help_in_the_lobby_lists_no_commands_of_tables),
        cmocka_unit_test(full_screen_help_lists_exactly_the_commands_of_ones_role),
        cmocka_unit_test(help_explains_a_command_only_to_those_who_may_use_it),
        cmocka_unit_test(every_command_that_the_readme_names_exists),
    };
    return cmocka_run_group_tests_name("help", tests, set_up_languages, NULL);
}
