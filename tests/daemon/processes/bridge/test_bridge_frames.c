#include "daemon/processes/bridge/bridge.h"
#include "tests/unit.h"

#include <string.h>

/* What one bridge writes and another reads; longer frames come from the fuzz target. */

#define CHUNK 32768

static struct bytes out;
static struct frames_reader reader;

/* Begins with an empty reader. */
static void forget_all(void)
{
    bytes_clear(&reader.unread);
    reader = (struct frames_reader){.unread.max = 1 << 20};
}

static int begin(void **state)
{
    (void)state;
    bytes_init(&out, 1 << 20);
    forget_all();
    return 0;
}

static int end(void **state)
{
    (void)state;
    forget_all();
    bytes_clear(&out);
    return 0;
}

static void expect_same_frame(const struct frame *frame, const struct frame *wanted)
{
    assert_int_equal(frame->kind, wanted->kind);
    assert_int_equal(frame->channel, wanted->channel);
    assert_int_equal(frame->len, wanted->len);
    if (wanted->len > 0) {
        assert_memory_equal(frame->bytes, wanted->bytes, wanted->len);
    }
}

static void frames_are_read_as_they_were_written(void **state)
{
    static char large[PACKET_MAX];
    char credit[FRAMES_CREDIT_BYTES];
    struct frame frame;
    (void)state;
    memset(large, 'x', sizeof large);
    frames_write_credit(credit, 4000000000U);
    const struct frame sent[] = {
        {FRAME_OPEN, FRAMES_CHANNEL_GATE, "gate", 4},
        {FRAME_DATA, UINT64_C(0x0002000000000005), large, sizeof large},
        {FRAME_CREDIT, 7, credit, sizeof credit},
        {FRAME_PING, 0, NULL, 0},
        {FRAME_BEGIN, 12, NULL, 0},
        {FRAME_CLOSE, UINT64_MAX, NULL, 0},
    };
    assert_true(frames_write_greeting(&out));
    for (size_t i = 0; i < ARRAY_LEN(sent); i++) {
        assert_true(frames_write(&out, &sent[i]));
    }
    size_t next = 0;
    for (size_t at = 0; at < out.len; at += CHUNK) {
        size_t left = out.len - at;
        enum frames_result result;
        assert_true(frames_reader_add(&reader, out.at + at, left < CHUNK ? left : CHUNK));
        while ((result = frames_read(&reader, &frame)) == FRAMES_OK) {
            assert_true(next < ARRAY_LEN(sent));
            expect_same_frame(&frame, &sent[next]);
            next++;
        }
        assert_int_equal(result, FRAMES_MORE);
    }
    assert_int_equal(next, ARRAY_LEN(sent));
    frame = sent[2];
    assert_int_equal(frames_read_credit(&frame), 4000000000U);
}

static enum frames_result read_bytes(const char *bytes, size_t len)
{
    struct frame frame;
    assert_true(frames_reader_add(&reader, bytes, len));
    return frames_read(&reader, &frame);
}

static void bridges_of_neighbouring_versions_understand_each_other(void **state)
{
    static const struct {
        const char *greeting;
        enum frames_result result;
    } cases[] = {
        {"bridge\0\1", FRAMES_MORE}, /* the own version */
        {"bridge\0\2", FRAMES_MORE}, /* the next one, which keeps to this one */
        {"bridge\0\0", FRAMES_BAD},  {"bridge\0\3", FRAMES_BAD}, {"bridge\1\1", FRAMES_BAD},
        {"bridgE\0\1", FRAMES_BAD},  {"SSH-2.0-", FRAMES_BAD},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(read_bytes(cases[i].greeting, FRAMES_GREETING_BYTES), cases[i].result);
        forget_all();
    }
}

/* Reads a greeting and a header with these numbers. */
static enum frames_result read_header(unsigned kind, uint32_t len)
{
    char header[FRAMES_HEADER_BYTES] = {(char)kind};
    frames_write_credit(header + 9, len); /* a number of four bytes, too */
    forget_all();
    bytes_clear(&out);
    assert_true(frames_write_greeting(&out));
    assert_true(bytes_add(&out, header, sizeof header));
    return read_bytes(out.at, out.len);
}

static void frames_of_unknown_kinds_or_wrong_lengths_are_refused(void **state)
{
    (void)state;
    assert_int_equal(read_header(0, 1), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_KEY + 1, 1), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_DATA, 0), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_DATA, PACKET_MAX + 1), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_DATA, UINT32_MAX), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_CLOSE, 1), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_PING, 1), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_CREDIT, 3), FRAMES_BAD);
    assert_int_equal(read_header(FRAME_DATA, PACKET_MAX), FRAMES_MORE);
}

static void a_frame_without_room_is_not_written_in_part(void **state)
{
    (void)state;
    bytes_clear(&out);
    bytes_init(&out, FRAMES_HEADER_BYTES + 3);
    assert_false(frames_write(&out, &(const struct frame){FRAME_DATA, 1, "four", 4}));
    assert_int_equal(out.len, 0);
    assert_true(frames_write(&out, &(const struct frame){FRAME_DATA, 1, "two", 3}));
}

#define WITH_READER(test) cmocka_unit_test_setup_teardown(test, begin, end)

TEST_GROUP(bridge_frames)
{
    const struct CMUnitTest tests[] = {
        WITH_READER(frames_are_read_as_they_were_written),
        WITH_READER(bridges_of_neighbouring_versions_understand_each_other),
        WITH_READER(frames_of_unknown_kinds_or_wrong_lengths_are_refused),
        WITH_READER(a_frame_without_room_is_not_written_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
