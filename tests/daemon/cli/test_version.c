#include "games/game.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define COMMIT_DIGITS 40

static const char first_line[] = "trickhouse " TRICKHOUSE_VERSION "\n";

static struct program_run run_version(void)
{
    struct program_run run = program_run((const char *const[]){"--version", NULL}, NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    return run;
}

static void the_first_line_is_the_version_alone(void **state)
{
    (void)state;
    struct program_run run = run_version();
    assert_memory_equal(run.out, first_line, strlen(first_line));
    program_clear(&run);
}

static void the_second_line_names_the_commit_or_says_that_it_is_unknown(void **state)
{
    (void)state;
    static const char head[] = "commit             ";
    struct program_run run = run_version();
    const char *line = run.out + strlen(first_line);
    assert_memory_equal(line, head, strlen(head));
    line += strlen(head);
    if (strncmp(line, "unknown\n", strlen("unknown\n")) != 0) {
        assert_int_equal(strspn(line, "0123456789abcdef"), COMMIT_DIGITS);
        line += COMMIT_DIGITS;
        static const char changes[] = " with uncommitted changes\n";
        assert_true(*line == '\n' || strncmp(line, changes, strlen(changes)) == 0);
    }
    program_clear(&run);
}

static void the_other_lines_name_the_numbers_of_the_formats(void **state)
{
    (void)state;
    struct program_run run = run_version();
    char wanted[400];
    snprintf(wanted, sizeof wanted,
             "\nprotocol           %d\n"
             "histories          trickhouse-history/%d\n"
             "data format        %zu\n",
             PROTOCOL_NUMBER, GAME_FORMAT, storage_schema_version());
    const char *found = strstr(run.out, wanted);
    assert_non_null(found);
    assert_int_equal(strlen(found), strlen(wanted)); /* no line follows */
    program_clear(&run);
}

TEST_GROUP(version)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_is_the_version_alone),
        cmocka_unit_test(the_second_line_names_the_commit_or_says_that_it_is_unknown),
        cmocka_unit_test(the_other_lines_name_the_numbers_of_the_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
