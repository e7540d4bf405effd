#include "daemon/processes/bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

/* The greeting is this word and the version, two bytes. */
static const char word[] = "bridge";

#define WORD_BYTES (sizeof word - 1)
#define UNREAD_MAX (FRAMES_HEADER_BYTES + PACKET_MAX + FRAMES_CHUNK_MAX)

static uint64_t read_number(const char *bytes, size_t len)
{
    uint64_t number = 0;
    for (size_t i = 0; i < len; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

static void write_number(char *bytes, size_t len, uint64_t number)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)(unsigned char)(number >> (8 * (len - 1 - i)) & 0xFF);
    }
}

void frames_reader_init(struct frames_reader *reader)
{
    *reader = (struct frames_reader){.read_to = 0};
    bytes_init(&reader->unread, UNREAD_MAX);
}

void frames_reader_clear(struct frames_reader *reader)
{
    bytes_clear(&reader->unread);
}

void frames_reader_add(struct frames_reader *reader, const char *bytes, size_t len)
{
    bytes_drop_first(&reader->unread, reader->read_to);
    reader->read_to = 0;
    if (!bytes_add(&reader->unread, bytes, len)) {
        abort(); /* the caller has not read the frames before */
    }
}

static bool is_readable_version(uint64_t version)
{
    return version + 1 >= FRAMES_VERSION && version <= FRAMES_VERSION + 1 && version > 0;
}

static enum frames_result read_greeting(struct frames_reader *reader)
{
    const char *at = reader->unread.at;
    if (reader->unread.len < FRAMES_GREETING_BYTES) {
        return FRAMES_MORE;
    }
    if (memcmp(at, word, WORD_BYTES) != 0 ||
        !is_readable_version(read_number(at + WORD_BYTES, FRAMES_GREETING_BYTES - WORD_BYTES))) {
        return FRAMES_BAD;
    }
    reader->is_greeted = true;
    reader->read_to = FRAMES_GREETING_BYTES;
    return FRAMES_OK;
}

/* True if a frame of this kind may have this length. */
static bool is_length_allowed(const struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_OPEN:
    case FRAME_DATA:
    case FRAME_KEY:
        return frame->len > 0 && frame->len <= PACKET_MAX;
    case FRAME_BEGIN:
    case FRAME_CLOSE:
    case FRAME_PING:
        return frame->len == 0;
    case FRAME_CREDIT:
        return frame->len == FRAMES_CREDIT_BYTES;
    }
    return false; /* there is no such kind */
}

enum frames_result frames_read(struct frames_reader *reader, struct frame *frame)
{
    enum frames_result greeted = reader->is_greeted ? FRAMES_OK : read_greeting(reader);
    size_t left = reader->unread.len - reader->read_to;
    if (greeted != FRAMES_OK || left < FRAMES_HEADER_BYTES) {
        return greeted != FRAMES_OK ? greeted : FRAMES_MORE;
    }
    const char *at = reader->unread.at + reader->read_to;
    *frame = (struct frame){.kind = (enum frame_kind)(unsigned char)at[0],
                            .channel = read_number(at + 1, 8),
                            .bytes = at + FRAMES_HEADER_BYTES,
                            .len = (size_t)read_number(at + 9, 4)};
    if (!is_length_allowed(frame)) {
        return FRAMES_BAD;
    }
    if (left < FRAMES_HEADER_BYTES + frame->len) {
        return FRAMES_MORE;
    }
    reader->read_to += FRAMES_HEADER_BYTES + frame->len;
    return FRAMES_OK;
}

bool frames_write_greeting(struct bytes *out)
{
    char greeting[FRAMES_GREETING_BYTES];
    memcpy(greeting, word, WORD_BYTES);
    write_number(greeting + WORD_BYTES, sizeof greeting - WORD_BYTES, FRAMES_VERSION);
    return bytes_add(out, greeting, sizeof greeting);
}

bool frames_write(struct bytes *out, const struct frame *frame)
{
    char header[FRAMES_HEADER_BYTES];
    if (out->max - out->len < sizeof header + frame->len) {
        return false;
    }
    header[0] = (char)frame->kind;
    write_number(header + 1, 8, frame->channel);
    write_number(header + 9, 4, frame->len);
    return bytes_add(out, header, sizeof header) &&
           (frame->len == 0 || bytes_add(out, frame->bytes, frame->len));
}

void frames_write_credit(char bytes[FRAMES_CREDIT_BYTES], uint32_t credit)
{
    write_number(bytes, FRAMES_CREDIT_BYTES, credit);
}

uint32_t frames_read_credit(const struct frame *frame)
{
    return (uint32_t)read_number(frame->bytes, FRAMES_CREDIT_BYTES);
}
