#include "daemon/cli/cli.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SAMPLE_MAX 65536

/* Returns the path of a file in deploy/. The next call overwrites it. */
static const char *find_deploy_path(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/deploy/%s", getenv("SOURCE_DIR"), name);
    return path;
}

/* Checks that `trickhouse check-config OPTION` prints this file of deploy/. */
static void expect_file_in_deploy(const char *option, const char *name)
{
    static char text[SAMPLE_MAX];
    FILE *file = fopen(find_deploy_path(name), "r");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[len] = '\0';
    struct program_run run = program_run(ARGS("check-config", option), NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, text);
    program_clear(&run);
}

static void the_sample_configuration_equals_the_file_in_deploy_and_has_no_errors(void **state)
{
    (void)state;
    expect_file_in_deploy("--sample", "house.conf");
    struct program_run run =
        program_run(ARGS("check-config", find_deploy_path("house.conf")), NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    program_clear(&run);
}

static void the_manual_page_of_the_settings_equals_the_file_in_deploy(void **state)
{
    (void)state;
    expect_file_in_deploy("--manual", "man/trickhouse.conf.5");
}

static void expect_mdoc(const char *text, const char *mdoc)
{
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);
    assert_non_null(out);
    config_manual_print_text(out, text);
    fclose(out);
    assert_string_equal(bytes, mdoc);
    free(bytes);
}

static void the_manual_page_shows_every_help_text_as_it_is_written(void **state)
{
    (void)state;
    expect_mdoc("One setting. Another one: no e.g. here.",
                "One setting.\nAnother one: no e.g. here.\n");
    expect_mdoc(".so a file", "\\&.so a file\n");
    expect_mdoc("'br", "\\&'br\n");
    expect_mdoc("a \\fB \"b\" c-d", "a \\efB \\(dqb\\(dq c-d\n");
    expect_mdoc("As `No -x \"y\"`, or `z`.",
                "As\n.Ql \"\\&No \\-x \\(dqy\\(dq\" ,\nor\n.Ql \"\\&z\" .\n");
    expect_mdoc("This line is so long that the dots in the middle of it would begin a new line "
                "... there.",
                "This line is so long that the dots in the middle of it would begin a new line\n"
                "\\&... there.\n");
    expect_mdoc("an open `quote", "an open\n.Ql \"\\&quote\"\n");
}

/* Returns the sample configuration with every setting uncommented. */
static char *read_uncommented_sample(void)
{
    struct program_run run = program_run(ARGS("check-config", "--sample"), NULL);
    char *to = run.out;
    for (const char *from = run.out; *from != '\0'; from++) {
        bool is_mark = *from == '#' && from[1] != ' ' && (from == run.out || from[-1] == '\n');
        if (!is_mark) {
            *to++ = *from;
        }
    }
    char *path = program_make_file(run.out, (size_t)(to - run.out));
    program_clear(&run);
    return path;
}

static void every_setting_of_the_sample_is_valid_when_uncommented(void **state)
{
    (void)state;
    char *path = read_uncommented_sample();
    struct program_run run = program_run(ARGS("check-config", path), NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_null(strstr(run.out, "; the default\n"));
    program_clear(&run);
    unlink(path);
    free(path);
}

static void each_setting_is_shown_with_the_source_of_its_value(void **state)
{
    (void)state;
    static const char text[] = "[house]\nname = The Bell\n";
    char *path = program_make_file(text, sizeof text - 1);
    char words[PATH_MAX + 40];
    snprintf(words, sizeof words, "; %s:2, the default is Trickhouse\n", path);
    struct program_run run = program_run(ARGS("check-config", path), NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "= The Bell"));
    assert_non_null(strstr(run.out, words));
    assert_non_null(
        strstr(run.out, "ssh_port               = 2222                 ; the default\n"));
    program_clear(&run);
    unlink(path);
    free(path);
}

static void each_config_error_is_printed_as_one_line_with_file_and_line(void **state)
{
    (void)state;
    static const char text[] = "[listen]\nssh_port = many\n";
    char *path = program_make_file(text, sizeof text - 1);
    char words[PATH_MAX + 100];
    snprintf(words, sizeof words,
             "%s:2: ssh_port cannot be \"many\": it must be a whole number from 0 to 65535\n",
             path);
    struct program_run run = program_run(ARGS("check-config", path), NULL);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, words);
    program_clear(&run);
    unlink(path);
    free(path);
}

static void wrong_usage_is_reported_in_one_line(void **state)
{
    (void)state;
    program_expect_usage_error(ARGS("check-config", "a", "b"), "more than one FILE");
    program_expect_usage_error(ARGS("check-config", "--sample", "a"), "--sample takes no file");
    program_expect_usage_error(ARGS("check-config", "--manual", "a"), "--manual takes no file");
    program_expect_usage_error(ARGS("check-config", "--sample", "--manual"), "exclude each other");
    struct program_run run = program_run(ARGS("check-config", "/nonexistent"), NULL);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, "/nonexistent: No such file or directory\n");
    program_clear(&run);
}

TEST_GROUP(check_config)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_configuration_equals_the_file_in_deploy_and_has_no_errors),
        cmocka_unit_test(the_manual_page_of_the_settings_equals_the_file_in_deploy),
        cmocka_unit_test(the_manual_page_shows_every_help_text_as_it_is_written),
        cmocka_unit_test(every_setting_of_the_sample_is_valid_when_uncommented),
        cmocka_unit_test(each_setting_is_shown_with_the_source_of_its_value),
        cmocka_unit_test(each_config_error_is_printed_as_one_line_with_file_and_line),
        cmocka_unit_test(wrong_usage_is_reported_in_one_line),
    };
    return cmocka_run_group_tests_name("check-config", tests, NULL, NULL);
}
