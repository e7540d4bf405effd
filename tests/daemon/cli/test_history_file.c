#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY_BYTES_MAX ((size_t)16 << 20)
#define PLACES_BYTES 400

/* Lets `trickhouse verify` read the bytes, none of which make a valid history. Checks in which
 * lines it finds histories, such as "1 3 6 ", and with which words it ends on standard error; "":
 * it reads to the end. */
static void assert_histories_begin_in_lines(const char *bytes, size_t len, const char *lines,
                                            const char *err)
{
    struct program_setup setup = {.input = bytes, .input_len = len};
    struct program_run run = program_run((const char *const[]){"verify", "-", NULL}, &setup);
    char found[PLACES_BYTES] = "";
    for (const char *at = run.out; (at = strstr(at, " (line ")) != NULL; at++) {
        const size_t len_found = strlen(found);
        (void)snprintf(found + len_found, sizeof found - len_found, "%.*s ",
                       (int)strspn(at + 7, "0123456789"), at + 7);
    }
    assert_int_equal(run.status, 1);
    assert_string_equal(found, lines);
    if (strcmp(run.err, err) != 0) {
        fail_msg("said %s", run.err);
    }
    program_clear(&run);
}

static void histories_may_have_white_space_or_nothing_between_them(void **state)
{
    (void)state;
    static const char bytes[] = "{}{\"a\":1}\n\n\t {\n\"b\":[{}]\n}\r\n{}";
    assert_histories_begin_in_lines(bytes, strlen(bytes), "1 1 3 6 ", "");
}

static void brackets_inside_strings_are_ignored(void **state)
{
    (void)state;
    static const char bytes[] = "{\"}\":\"\\\"}{[\\\\\"}\n{\"\\\\\":[\"]\"]}";
    assert_histories_begin_in_lines(bytes, strlen(bytes), "1 2 ", "");
}

/* With histories of these lengths, a read ends at every kind of place within one. */
static void a_history_split_over_several_reads_is_whole(void **state)
{
    (void)state;
    static const char object[] = "{\"key\": \"a \\\" } \\\\\", \"list\": [1, 2, {\"x\": []}]}";
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);
    assert_non_null(out);
    for (int i = 0; i < 10000; i++) {
        fprintf(out, "%s\n", object);
    }
    fclose(out);
    struct program_setup setup = {.input = bytes, .input_len = len};
    struct program_run run = program_run((const char *const[]){"verify", "-", NULL}, &setup);
    assert_non_null(strstr(run.out, "\nhistory 9999 (line 9999) cannot be read: format: "));
    assert_non_null(strstr(run.out, "\n10000 histories: 0 correct, 10000 wrong\n"));
    assert_string_equal(run.err, "");
    program_clear(&run);
    free(bytes);
}

static void malformed_and_unfinished_histories_are_reported(void **state)
{
    (void)state;
    assert_histories_begin_in_lines("{} []", 5, "1 ",
                                    "trickhouse verify: -: line 1: a history begins with \"{\"\n");
    assert_histories_begin_in_lines(
        "{\"}\\\"", 5, "",
        "trickhouse verify: -: line 1: the history that begins here has no end\n");
    assert_histories_begin_in_lines("", 0, "",
                                    "trickhouse verify: -: the file contains no history\n");
    assert_histories_begin_in_lines("\0{}", 3, "",
                                    "trickhouse verify: -: line 1: a history begins with \"{\"\n");
}

static void the_longest_history_is_accepted_and_a_longer_one_refused(void **state)
{
    (void)state;
    char *bytes = malloc(HISTORY_BYTES_MAX + 1);
    assert_non_null(bytes);
    memset(bytes, ' ', HISTORY_BYTES_MAX + 1);
    bytes[0] = '{';
    bytes[HISTORY_BYTES_MAX - 1] = '}';
    assert_histories_begin_in_lines(bytes, HISTORY_BYTES_MAX, "1 ", "");

    bytes[HISTORY_BYTES_MAX - 1] = ' ';
    bytes[HISTORY_BYTES_MAX] = '}';
    assert_histories_begin_in_lines(
        bytes, HISTORY_BYTES_MAX + 1, "",
        "trickhouse verify: -: line 1: the history that begins here is longer than 16 MiB\n");
    free(bytes);
}

TEST_GROUP(history_file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_may_have_white_space_or_nothing_between_them),
        cmocka_unit_test(brackets_inside_strings_are_ignored),
        cmocka_unit_test(a_history_split_over_several_reads_is_whole),
        cmocka_unit_test(malformed_and_unfinished_histories_are_reported),
        cmocka_unit_test(the_longest_history_is_accepted_and_a_longer_one_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
