#include "daemon/session/telnet.h"
#include "daemon/session/telnet_login.h"

#include "daemon/session/login.h"
#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <string.h>

/*
 * A telnet client sends arbitrary bytes. They are read once one at a time and once in two pieces,
 * divided where the first byte of the input says: the pieces must make no difference. The typed
 * text then answers the questions at sign-in, up to the first one that needs the core.
 */
struct side {
    struct telnet telnet;
    struct bytes typed, out;
    enum telnet_result result;
};

static void reader_init(struct side *side)
{
    memset(side, 0, sizeof(*side));
    bytes_init(&side->typed, 1 << 20);
    bytes_init(&side->out, 1 << 20);
    telnet_begin(&side->telnet, &side->out);
}

static void reader_receive(struct side *side, const uint8_t *bytes, size_t len)
{
    if (side->result == TELNET_OK) {
        side->result = telnet_receive(&side->telnet, bytes, len, &side->typed, &side->out);
    }
}

static void reader_clear(struct side *side)
{
    bytes_clear(&side->typed);
    bytes_clear(&side->out);
}

static bool bytes_are_equal(const struct bytes *a, const struct bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->at, b->at, a->len) == 0);
}

/* Encodes the text: every byte that a client would take for a command must be doubled. */
static void check_encoding(const struct side *side)
{
    struct side other;
    reader_init(&other);
    bytes_drop(&other.out, other.out.len);
    fuzz_assert(telnet_encode(&side->telnet, side->typed.at, side->typed.len, &other.out));
    fuzz_assert(other.out.len <= 2 * side->typed.len);
    size_t marks = 0;
    for (size_t i = 0; i < other.out.len; i++) {
        marks += (uint8_t)other.out.at[i] == 255;
    }
    fuzz_assert(marks % 2 == 0);
    reader_clear(&other);
}

/* Types the text up to the first Enter at the sign-in question; after Enter the core may be
 * asked. */
static void check_login(struct side *side)
{
    struct login sign_in = {.state = LOGIN_ASKING};
    struct telnet_login login;
    size_t len = 0;
    while (len < side->typed.len && side->typed.at[len] != '\r' && side->typed.at[len] != '\n') {
        len++;
    }
    bytes_drop(&side->out, side->out.len);
    side->typed.len = len;
    telnet_login_begin(&login, &sign_in, true, &side->out);
    telnet_login_handle(&login, &side->typed, &side->out);
    fuzz_assert(login.len <= TELNET_LOGIN_LINE_MAX && !login.is_at_password);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        return 0;
    }
    struct side singly, halved;
    size_t rest = len - 1, at = bytes[0] < rest ? bytes[0] : rest;
    reader_init(&singly);
    reader_init(&halved);
    for (size_t i = 0; i < rest; i++) {
        reader_receive(&singly, bytes + 1 + i, 1);
    }
    reader_receive(&halved, bytes + 1, at);
    reader_receive(&halved, bytes + 1 + at, rest - at);
    fuzz_assert(singly.result == halved.result);
    fuzz_assert(bytes_are_equal(&singly.typed, &halved.typed) &&
                bytes_are_equal(&singly.out, &halved.out));
    /* Both structs began zeroed, padding included. */
    /* NOLINTNEXTLINE(*-exp42-c,*-flp37-c,*-memory-comparison) */
    fuzz_assert(memcmp(&singly.telnet, &halved.telnet, sizeof(singly.telnet)) == 0);
    fuzz_assert(singly.typed.len <= rest);
    fuzz_assert(singly.telnet.replies <= TELNET_REPLIES_MAX + 1);
    fuzz_assert(singly.telnet.discarded <= TELNET_DISCARDED_MAX + 1);
    check_encoding(&singly);
    check_login(&singly);
    reader_clear(&singly);
    reader_clear(&halved);
    return 0;
}
