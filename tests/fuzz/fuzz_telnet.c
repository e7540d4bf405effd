#include "daemon/session/telnet.h"
#include "daemon/session/telnet_login.h"

#include "daemon/session/login.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/*
 * A telnet client that may send anything. Its bytes are read once at a time and once in two pieces
 * (the first byte of the input says where they part): how they arrive must make no difference. What
 * was typed goes through the questions at the door as far as nobody has to be asked.
 */
struct side {
    struct telnet telnet;
    struct bytes typed, out;
    enum telnet_result result;
};

static void side_begin(struct side *side)
{
    memset(side, 0, sizeof(*side));
    bytes_init(&side->typed, 1 << 20);
    bytes_init(&side->out, 1 << 20);
    telnet_begin(&side->telnet, &side->out);
}

static void side_take(struct side *side, const uint8_t *bytes, size_t len)
{
    if (side->result == TELNET_OK) {
        side->result = telnet_receive(&side->telnet, bytes, len, &side->typed, &side->out);
    }
}

static void side_end(struct side *side)
{
    bytes_clear(&side->typed);
    bytes_clear(&side->out);
}

static void insist(bool is_so)
{
    if (!is_so) {
        abort();
    }
}

static bool is_equal(const struct bytes *a, const struct bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->at, b->at, a->len) == 0);
}

/* Encoded text read as a client would read it is the text again. */
static void check_encoding(const struct side *side)
{
    struct side other;
    side_begin(&other);
    bytes_drop(&other.out, other.out.len);
    insist(telnet_encode(&side->telnet, side->typed.at, side->typed.len, &other.out));
    insist(other.out.len <= 2 * side->typed.len);
    size_t marks = 0;
    for (size_t i = 0; i < other.out.len; i++) {
        marks += (uint8_t)other.out.at[i] == 255;
    }
    insist(marks % 2 == 0);
    side_end(&other);
}

/* Up to the first Enter: then the core may be asked. */
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
    telnet_login_take(&login, &side->typed, &side->out);
    insist(login.len <= TELNET_LOGIN_LINE_MAX && !login.is_at_password);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        return 0;
    }
    struct side singly, halved;
    size_t rest = len - 1, at = bytes[0] < rest ? bytes[0] : rest;
    side_begin(&singly);
    side_begin(&halved);
    for (size_t i = 0; i < rest; i++) {
        side_take(&singly, bytes + 1 + i, 1);
    }
    side_take(&halved, bytes + 1, at);
    side_take(&halved, bytes + 1 + at, rest - at);
    insist(singly.result == halved.result);
    insist(is_equal(&singly.typed, &halved.typed) && is_equal(&singly.out, &halved.out));
    /* Both began zeroed, padding included. */
    /* NOLINTNEXTLINE(*-exp42-c,*-flp37-c,*-memory-comparison) */
    insist(memcmp(&singly.telnet, &halved.telnet, sizeof(singly.telnet)) == 0);
    insist(singly.typed.len <= rest);
    insist(singly.telnet.replies <= TELNET_REPLIES_MAX + 1);
    insist(singly.telnet.discarded <= TELNET_DISCARDED_MAX + 1);
    check_encoding(&singly);
    check_login(&singly);
    side_end(&singly);
    side_end(&halved);
    return 0;
}
