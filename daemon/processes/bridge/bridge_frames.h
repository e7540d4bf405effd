#pragma once

#include "daemon/base/bytes.h"
#include "daemon/base/packet.h"

#include <stdint.h>

/*
 * What two bridges write to each other: first a greeting, then frames. A frame is a header (kind,
 * one byte; channel, eight bytes; length, four bytes; numbers are big-endian) and its bytes. A
 * channel is a socket that is carried to the other bridge: 0 is a node's gate, 1 to
 * FRAMES_CHANNEL_WORKERS are its workers, higher ones operators' programs, each with a new number,
 * and a session's channel is its connection number.
 *
 * The greeting names the version of the frames. Two bridges understand each other if their versions
 * differ by at most one; the newer one then keeps to the older version.
 */
#define FRAMES_VERSION 1
#define FRAMES_GREETING_BYTES 8
#define FRAMES_HEADER_BYTES 13
#define FRAMES_CHANNEL_GATE 0
#define FRAMES_CHANNEL_WORKERS 8 /* the highest channel of a worker */
#define FRAMES_NODE_SHIFT 48     /* the channels of the sessions of node n begin at n << 48 */

enum frame_kind {
    FRAME_OPEN = 1, /* opens a channel; the bytes are "gate", "auth", "bot", "operator", or the
                       gate's message `connection`, which then takes its place among the packets of
                       channel 0 */
    FRAME_DATA,     /* one packet */
    FRAME_CLOSE,    /* the socket of the channel has been closed; no bytes */
    FRAME_CREDIT,   /* the receiver may be sent so many more bytes: a number of four bytes */
    FRAME_PING,     /* shows that the bridge is alive; no bytes */
    FRAME_KEY,      /* the key of the house's stored answers */
    FRAME_BEGIN,    /* the core that holds the house takes the node's processes: all channels are
                       to be opened anew. The bridge that opens them answers with the same frame,
                       and what it sent before belongs to an earlier beginning. In place of a
                       channel it has the number of the beginning, from 1; no bytes */
};

struct frame {
    enum frame_kind kind;
    uint64_t channel;
    const char *bytes; /* borrowed */
    size_t len;        /* at most PACKET_MAX */
};

/* Takes apart what arrives from another bridge. */
struct frames_reader {
    struct bytes unread;
    size_t read_to; /* number of bytes at the start of `unread` that have been read */
    bool is_greeted;
};

enum frames_result {
    FRAMES_OK = 0,
    FRAMES_MORE, /* the next frame has not arrived completely */
    FRAMES_BAD,  /* the other end is no bridge, or one of a version that this one cannot read */
};

void frames_reader_init(struct frames_reader *reader);
void frames_reader_clear(struct frames_reader *reader);

/* Adds bytes that have arrived, at most FRAMES_CHUNK_MAX. Before the next call, call frames_read
 * until it returns another result than FRAMES_OK. */
#define FRAMES_CHUNK_MAX 32768
void frames_reader_add(struct frames_reader *reader, const char *bytes, size_t len);

/* Reads the next frame, whose bytes are borrowed until the next call on the reader. */
enum frames_result frames_read(struct frames_reader *reader, struct frame *frame) MUST_CHECK;

/* Adds the greeting, or a frame, to `out`. Returns false, and adds nothing, if there is no room. */
bool frames_write_greeting(struct bytes *out) MUST_CHECK;
bool frames_write(struct bytes *out, const struct frame *frame) MUST_CHECK;

/* Writes the bytes of a FRAME_CREDIT, and reads them from a frame that frames_read has returned. */
#define FRAMES_CREDIT_BYTES 4
void frames_write_credit(char bytes[FRAMES_CREDIT_BYTES], uint32_t credit);
uint32_t frames_read_credit(const struct frame *frame);
