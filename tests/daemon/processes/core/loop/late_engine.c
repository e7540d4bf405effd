#include "tests/daemon/processes/core/loop/late_engine.h"

#include "storage/sql/sql.h"
#include "tests/daemon/fixtures/peer_fixture.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* What the test and the core send each other. */
struct late_message {
    uint64_t turn; /* to the core: it is durable; to the test: it is committed */
    bool is_failure;
    bool is_answer; /* to the test: the answer to a message */
};

static struct {
    bool is_open;
    int ends[2]; /* the core's end, and the test's */
    struct sql_engine engine;
    uint64_t durable, reported; /* in the core */
    uint64_t seen;              /* in the test: the newest turn that the core has reported */
} late;

void late_engine_open(void)
{
    assert_int_equal(
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, late.ends), 0);
    late.is_open = true;
    late.seen = 0;
}

void late_engine_close(void)
{
    late.is_open = false;
    close(late.ends[0]);
    close(late.ends[1]);
}

static void send_to_core(struct late_message message)
{
    assert_int_equal(send(late.ends[1], &message, sizeof message, 0), sizeof message);
}

static struct late_message receive_from_core(void)
{
    struct late_message message;
    struct pollfd ready = {.fd = late.ends[1], .events = POLLIN};
    assert_int_equal(poll(&ready, 1, FIXTURE_DEADLINE_MS), 1);
    assert_int_equal(recv(late.ends[1], &message, sizeof message, 0), sizeof message);
    late.seen = message.turn;
    return message;
}

static uint64_t exchange_with_core(uint64_t turn)
{
    struct late_message message = {0};
    send_to_core((struct late_message){.turn = turn});
    while (!message.is_answer) {
        message = receive_from_core();
    }
    return message.turn;
}

uint64_t late_engine_confirm(uint64_t turn)
{
    /* The first message may be answered at the end of a pass that began before it was sent; the
     * second is answered in a later pass, which also receives all that was sent before the first.
     */
    (void)exchange_with_core(turn);
    return exchange_with_core(turn);
}

void late_engine_confirm_at_end(uint64_t turn)
{
    send_to_core((struct late_message){.turn = turn});
}

void late_engine_fail(void)
{
    send_to_core((struct late_message){.is_failure = true});
}

void late_engine_expect_turn(uint64_t turn)
{
    while (late.seen < turn) {
        (void)receive_from_core();
    }
}

static void report_turn(const struct storage *storage, bool is_answer)
{
    late.reported = storage_last_turn(storage);
    const struct late_message message = {.turn = late.reported, .is_answer = is_answer};
    if (send(late.ends[0], &message, sizeof message, MSG_NOSIGNAL) != sizeof message) {
        abort();
    }
}

static enum storage_result settle_late(struct storage *storage, uint64_t *durable)
{
    struct late_message message;
    /* one message a pass: late_engine_confirm relies on it */
    if (recv(late.ends[0], &message, sizeof message, 0) == sizeof message) {
        if (message.is_failure) {
            return STORAGE_IO;
        }
        late.durable = message.turn;
        report_turn(storage, true);
    }
    if (late.reported != storage_last_turn(storage)) {
        report_turn(storage, false);
    }
    *durable = late.durable;
    return STORAGE_OK;
}

static size_t list_late_sockets(const struct storage *storage, int sockets[STORAGE_SOCKETS_MAX])
{
    (void)storage;
    sockets[0] = late.ends[0];
    return 1;
}

void late_engine_install(struct storage *storage)
{
    if (late.is_open) {
        late.engine = *storage->engine;
        late.engine.settle = settle_late;
        late.engine.sockets = list_late_sockets;
        storage->engine = &late.engine;
    }
}
