#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "lobby/protocol/protocol.h"
#include "tests/daemon/queries/query_end.h"
#include "tests/unit.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests what `ssh HOST help` and `ssh HOST mod help` show to each role, in each language, and
 * whether the table of queries in README.md agrees with queries.def. */

#define LINE_BYTES 600

static const struct asker {
    const char *you;
    bool is_guest;
    enum rank rank;
} askers[] = {
    {"{\"name\":\"guest-1\",\"kind\":\"guest\",\"role\":\"player\"}", true, RANK_PLAYER},
    {"{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\"}", false, RANK_PLAYER},
    {"{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"mod\"}", false, RANK_MOD},
    {"{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"admin\"}", false, RANK_ADMIN},
};

static int set_up_languages(void **state)
{
    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8"); /* sessions set this locale too, because screens need it */
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

/* Appends the text as one line: each line break and the blanks after it become one blank. */
static void append_without_line_breaks(char *out, const char *text)
{
    size_t len = strlen(out);
    for (; *text != '\0'; text++) {
        if ((*text != '\n' && *text != ' ') || (len > 0 && out[len - 1] != ' ')) {
            out[len++] = *text == '\n' ? ' ' : *text;
        }
    }
    out[len] = '\0';
}

/* Returns the answer to a query that needs nothing from the core, as one line. The caller frees
 * it. */
static char *run_query_and_get_answer(const char *line, const struct asker *asker)
{
    struct query_run run;
    struct bytes out;
    json_t *you = json_loads(asker->you, 0, NULL);
    const struct query_setup setup = {.line = line, .you = you, .are_guests_welcome = true};
    bytes_init(&out, 1 << 20);
    query_begin(&run, &setup);
    assert_true(query_is_answered(&run));
    query_write_result(&run, "\n", &out);
    assert_int_equal(run.status, QUERY_OK);
    query_end(&run);
    json_decref(you);
    assert_true(bytes_add(&out, "", 1));
    char *joined = calloc(1, out.len + 2);
    assert_non_null(joined);
    append_without_line_breaks(joined, "\n");
    append_without_line_breaks(joined, out.at);
    bytes_clear(&out);
    return joined;
}

static void expect_line_listed_or_absent(const char *list, const char *line, bool is_listed)
{
    char joined[LINE_BYTES] = "";
    append_without_line_breaks(joined, line);
    if ((strstr(list, joined) != NULL) != is_listed) {
        fail_msg("\"%s\" %s in:\n%s", joined, is_listed ? "is missing" : "stands", list);
    }
}

static void check_help_lists_allowed_queries(const struct asker *asker)
{
    char *list = run_query_and_get_answer("help", asker);
    for (const struct query *query = query_list; query->name != NULL; query++) {
        char line[LINE_BYTES];
        snprintf(line, sizeof line, " %s %s%s%s: %s ", query->name, _(query->args),
                 query->args[0] == '\0' ? "" : " ", query->to_json == NULL ? "" : "[--json]",
                 _(query->help));
        char *blank = strstr(line, " :");
        if (blank != NULL) {
            memmove(blank, blank + 1, strlen(blank));
        }
        expect_line_listed_or_absent(list, line, query->who == QUERY_FOR_ALL || !asker->is_guest);
    }
    free(list);
}

static void check_mod_help_lists_allowed_commands(const struct asker *asker)
{
    const struct mod_command_info *command;
    if (asker->is_guest) {
        return; /* guests may not use the query `mod` */
    }
    char *list = run_query_and_get_answer("mod help", asker);
    for (size_t i = 0; (command = mod_command_info_at(i)) != NULL; i++) {
        char line[LINE_BYTES];
        snprintf(line, sizeof line, " %s%s%s: %s ", command->name,
                 command->args[0] == '\0' ? "" : " ", i18n_translate(command->args),
                 _(command->help));
        expect_line_listed_or_absent(list, line,
                                     command->rank <= asker->rank || command->rank == RANK_HOST);
    }
    free(list);
}

static void run_check_for_every_asker(void (*check)(const struct asker *asker))
{
    for (size_t language = 0; language < i18n_count_languages(); language++) {
        assert_true(i18n_choose_language(i18n_tags[language]));
        for (size_t i = 0; i < sizeof askers / sizeof askers[0]; i++) {
            check(&askers[i]);
        }
    }
    assert_true(i18n_choose_language(I18N_ENGLISH));
}

static void help_lists_exactly_the_queries_that_the_asker_may_use(void **state)
{
    (void)state;
    run_check_for_every_asker(check_help_lists_allowed_queries);
}

static void mod_help_lists_exactly_the_commands_that_the_asker_may_use(void **state)
{
    (void)state;
    run_check_for_every_asker(check_mod_help_lists_allowed_commands);
}

/* Checks that each "--word" of `text` occurs in `other_text`, too. */
static void expect_options_also_in(const char *text, const char *other_text, const char *query_name)
{
    for (const char *at = strstr(text, "--"); at != NULL; at = strstr(at + 2, "--")) {
        char option[32];
        snprintf(option, sizeof option, "%.*s",
                 (int)(2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz")), at);
        if (strcmp(option, "--json") != 0 && strstr(other_text, option) == NULL) {
            fail_msg("%s of %s stands only in: %s", option, query_name, text);
        }
    }
}

/* Reads the row of the README's table of queries whose first column names the query. */
static void read_readme_row(const char *name, char row[LINE_BYTES])
{
    char path[512], wanted[64];
    snprintf(path, sizeof path, "%s/daemon/queries/README.md", getenv("SOURCE_DIR"));
    snprintf(wanted, sizeof wanted, "`%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(row, LINE_BYTES, file) != NULL) {
        const char *found = strstr(row, wanted);
        if (row[0] == '|' && found != NULL && found < strchr(row + 1, '|') &&
            strchr(" `", found[strlen(wanted)]) != NULL) {
            fclose(file);
            return;
        }
    }
    fail_msg("%s is missing in the table of %s", name, path);
}

static void the_table_of_queries_in_the_readme_agrees_with_their_definitions(void **state)
{
    (void)state;
    for (const struct query *query = query_list; query->name != NULL; query++) {
        char row[LINE_BYTES];
        read_readme_row(query->name, row);
        for (const struct query *other = query_list; other != query; other++) {
            assert_string_not_equal(other->name, query->name);
        }
        assert_non_null(
            strstr(row, query->who == QUERY_FOR_ALL ? "| all |" : "| with an account |"));
        expect_options_also_in(row, query->args, query->name);
        expect_options_also_in(query->args, row, query->name);
        assert_int_equal(query->to_json == NULL, strstr(row, "--json") != NULL);
    }
}

TEST_GROUP(help)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_lists_exactly_the_queries_that_the_asker_may_use),
        cmocka_unit_test(mod_help_lists_exactly_the_commands_that_the_asker_may_use),
        cmocka_unit_test(the_table_of_queries_in_the_readme_agrees_with_their_definitions),
    };
    return cmocka_run_group_tests_name("query_help", tests, set_up_languages, NULL);
}
