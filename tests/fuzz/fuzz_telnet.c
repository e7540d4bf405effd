#include "daemon/session/session_state.h"

#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <string.h>

/*
 * A telnet client sends arbitrary bytes. One reader receives them byte by byte, another in two
 * pieces whose border the first byte of the input sets. Both readers must read the same. The typed
 * text then answers the questions at sign-in, up to the first one that needs the core.
 */
struct reader {
    struct telnet telnet;
    struct bytes typed;
};

static void reader_init(struct reader *reader)
{
    memset(reader, 0, sizeof(*reader));
    bytes_init(&reader->typed, 1 << 20);
    telnet_begin_negotiation(&reader->telnet, 1 << 20);
}

static void reader_receive(struct reader *reader, const uint8_t *bytes, size_t len)
{
    telnet_receive(&reader->telnet, bytes, len, &reader->typed);
}

static void reader_clear(struct reader *reader)
{
    bytes_clear(&reader->typed);
    bytes_clear(&reader->telnet.out);
}

static bool bytes_are_equal(const struct bytes *a, const struct bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->at, b->at, a->len) == 0);
}

/* Encodes the typed text: every byte that a client would take for a command must be doubled. */
static void check_encoding(struct reader *reader)
{
    struct bytes *out = &reader->telnet.out;
    bytes_drop_first(out, out->len);
    telnet_encode(&reader->telnet, reader->typed.at, reader->typed.len);
    fuzz_assert(out->len <= 2 * reader->typed.len);
    size_t marks = 0;
    for (size_t i = 0; i < out->len; i++) {
        marks += (uint8_t)out->at[i] == 255;
    }
    fuzz_assert(marks % 2 == 0);
}

/* Types the text up to the first Enter at the sign-in question, because Enter may send a request to
 * the core. */
static void check_login(struct reader *reader)
{
    struct login sign_in = {.state = LOGIN_ASKING};
    struct telnet_login login;
    size_t len = 0;
    while (len < reader->typed.len && reader->typed.at[len] != '\r' &&
           reader->typed.at[len] != '\n') {
        len++;
    }
    bytes_drop_first(&reader->telnet.out, reader->telnet.out.len);
    reader->typed.len = len;
    telnet_login_begin(&login, &sign_in, true, &reader->telnet.out);
    telnet_login_handle(&login, &reader->typed, 0, &reader->telnet.out);
    fuzz_assert(login.len <= TELNET_LOGIN_LINE_MAX && !login.is_at_password);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        return 0;
    }
    struct reader singly, halved;
    size_t rest = len - 1, at = bytes[0] < rest ? bytes[0] : rest;
    reader_init(&singly);
    reader_init(&halved);
    for (size_t i = 0; i < rest; i++) {
        reader_receive(&singly, bytes + 1 + i, 1);
    }
    reader_receive(&halved, bytes + 1, at);
    reader_receive(&halved, bytes + 1 + at, rest - at);
    fuzz_assert(bytes_are_equal(&singly.typed, &halved.typed) &&
                bytes_are_equal(&singly.telnet.out, &halved.telnet.out));
    /* Padding may be compared too, because both structs were zeroed at first. */
    /* NOLINTNEXTLINE(*-exp42-c,*-flp37-c,*-memory-comparison) */
    fuzz_assert(memcmp(&singly.telnet, &halved.telnet, offsetof(struct telnet, out)) == 0);
    fuzz_assert(singly.typed.len <= rest);
    fuzz_assert(singly.telnet.replies <= TELNET_REPLIES_MAX + 1);
    fuzz_assert(singly.telnet.discarded <= TELNET_DISCARDED_MAX + 1);
    check_encoding(&singly);
    check_login(&singly);
    reader_clear(&singly);
    reader_clear(&halved);
    return 0;
}
