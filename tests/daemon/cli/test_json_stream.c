#include "daemon/cli/cli.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens a temporary file with these bytes. */
static struct json_stream open_file_with_bytes(const char *bytes, size_t len)
{
    struct json_stream stream;
    char *path = program_make_file(bytes, len);
    assert_true(json_stream_open(&stream, path));
    unlink(path);
    free(path);
    return stream;
}

static void assert_next_object(struct json_stream *stream, const char *expected, uint64_t line)
{
    const char *text;
    size_t len;
    assert_true(json_stream_read_next(stream, &text, &len));
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(text, expected, len);
    assert_int_equal(stream->line, line);
}

static void assert_reading_fails(struct json_stream *stream, const char *why, uint64_t line)
{
    const char *text;
    size_t len;
    assert_false(json_stream_read_next(stream, &text, &len));
    assert_string_equal(stream->why, why);
    assert_int_equal(stream->line, line);
    json_stream_close(stream);
}

static void assert_reading_ends(struct json_stream *stream)
{
    const char *text;
    size_t len;
    assert_false(json_stream_read_next(stream, &text, &len));
    assert_null(stream->why);
    json_stream_close(stream);
}

static void objects_may_have_white_space_or_nothing_between_them(void **state)
{
    (void)state;
    static const char bytes[] = "{}{\"a\":1}\n\n\t {\n\"b\":[{}]\n}\r\n{}";
    struct json_stream stream = open_file_with_bytes(bytes, strlen(bytes));
    assert_next_object(&stream, "{}", 1);
    assert_next_object(&stream, "{\"a\":1}", 1);
    assert_next_object(&stream, "{\n\"b\":[{}]\n}", 3);
    assert_next_object(&stream, "{}", 6);
    assert_reading_ends(&stream);
}

static void brackets_inside_strings_are_ignored(void **state)
{
    (void)state;
    static const char bytes[] = "{\"}\":\"\\\"}{[\\\\\"}{\"\\\\\":[\"]\"]}";
    struct json_stream stream = open_file_with_bytes(bytes, strlen(bytes));
    assert_next_object(&stream, "{\"}\":\"\\\"}{[\\\\\"}", 1);
    assert_next_object(&stream, "{\"\\\\\":[\"]\"]}", 1);
    assert_reading_ends(&stream);
}

/* With objects of these lengths, a read ends at every kind of place within an object. */
static void an_object_split_over_several_reads_is_whole(void **state)
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
    struct json_stream stream = open_file_with_bytes(bytes, len);
    for (uint64_t i = 0; i < 10000; i++) {
        assert_next_object(&stream, object, i + 1);
    }
    assert_reading_ends(&stream);
    free(bytes);
}

static void malformed_and_unfinished_objects_are_reported(void **state)
{
    (void)state;
    struct json_stream stream = open_file_with_bytes("{} []", 5);
    assert_next_object(&stream, "{}", 1);
    assert_reading_fails(&stream, "a history begins with \"{\"", 1);
    stream = open_file_with_bytes("{\"}\\\"", 5);
    assert_reading_fails(&stream, "the history that begins here has no end", 1);
    stream = open_file_with_bytes("", 0);
    assert_reading_ends(&stream);
    assert_true(json_stream_open(&stream, "/"));
    assert_reading_fails(&stream, strerror(EISDIR), 0);
    assert_false(json_stream_open(&stream, "/nowhere/at/all"));
}

static void the_longest_object_is_accepted_and_a_longer_one_refused(void **state)
{
    (void)state;
    char *bytes = malloc(JSON_STREAM_OBJECT_MAX + 2);
    assert_non_null(bytes);
    memset(bytes, ' ', JSON_STREAM_OBJECT_MAX + 1);
    bytes[0] = '{';
    bytes[JSON_STREAM_OBJECT_MAX - 1] = '}';
    bytes[JSON_STREAM_OBJECT_MAX] = '\0';
    struct json_stream stream = open_file_with_bytes(bytes, JSON_STREAM_OBJECT_MAX);
    assert_next_object(&stream, bytes, 1);
    assert_reading_ends(&stream);

    bytes[JSON_STREAM_OBJECT_MAX - 1] = ' ';
    bytes[JSON_STREAM_OBJECT_MAX] = '}';
    stream = open_file_with_bytes(bytes, JSON_STREAM_OBJECT_MAX + 1);
    assert_reading_fails(&stream, "the history that begins here is longer than 16 MiB", 1);
    free(bytes);
}

TEST_GROUP(json_stream)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_may_have_white_space_or_nothing_between_them),
        cmocka_unit_test(brackets_inside_strings_are_ignored),
        cmocka_unit_test(an_object_split_over_several_reads_is_whole),
        cmocka_unit_test(malformed_and_unfinished_objects_are_reported),
        cmocka_unit_test(the_longest_object_is_accepted_and_a_longer_one_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
