#include "daemon/processes/bridge/bridge.h"
#include "tests/fuzz/fuzz.h"

/*
 * A bridge receives arbitrary bytes from another. The first byte of the input says in pieces of
 * which size the others arrive. The frames do not depend on that, keep to the limits, and are
 * written again as they were read; after an error, no frame follows.
 */

/* What was read from the input. */
struct read_frames {
    struct bytes again; /* the greeting and the frames, written again */
    enum frames_result result;
};

static void check_frame(const struct frame *frame)
{
    fuzz_assert(frame->kind >= FRAME_OPEN && frame->kind <= FRAME_BEGIN);
    fuzz_assert(frame->len <= PACKET_MAX);
    for (size_t i = 0; i < frame->len; i++) { /* a sanitizer notices bytes beyond the buffer */
        (void)*(const volatile char *)(frame->bytes + i);
    }
    if (frame->kind == FRAME_CREDIT) {
        char credit[FRAMES_CREDIT_BYTES];
        frames_write_credit(credit, frames_read_credit(frame));
        fuzz_assert(memcmp(credit, frame->bytes, sizeof credit) == 0);
    }
}

static struct read_frames read_in_pieces(const char *bytes, size_t len, size_t piece)
{
    struct read_frames read = {.result = FRAMES_MORE};
    struct frames_reader reader = {.unread.max = SIZE_MAX / 4};
    bytes_init(&read.again, SIZE_MAX / 4);
    for (size_t at = 0; at < len && read.result != FRAMES_BAD; at += piece) {
        struct frame frame;
        fuzz_assert(frames_reader_add(&reader, bytes + at, len - at < piece ? len - at : piece));
        while ((read.result = frames_read(&reader, &frame)) == FRAMES_OK) {
            check_frame(&frame);
            fuzz_assert(frames_write(&read.again, &frame));
        }
    }
    bytes_clear(&reader.unread);
    return read;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        return 0;
    }
    const char *sent = (const char *)bytes + 1;
    size_t sent_len = len - 1;
    struct read_frames pieces = read_in_pieces(sent, sent_len, (size_t)bytes[0] + 1);
    struct read_frames whole = read_in_pieces(sent, sent_len, 32768);
    fuzz_assert(pieces.result == whole.result && pieces.again.len == whole.again.len);
    if (whole.again.len > 0) {
        fuzz_assert(memcmp(pieces.again.at, whole.again.at, whole.again.len) == 0);
        fuzz_assert(memcmp(sent + FRAMES_GREETING_BYTES, whole.again.at, whole.again.len) == 0);
    }
    bytes_clear(&pieces.again);
    bytes_clear(&whole.again);
    return 0;
}
