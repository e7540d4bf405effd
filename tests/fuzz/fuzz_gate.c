#include "daemon/base/base.h"
#include "daemon/processes/gate/gate.h"
#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/*
 * A gate with three sessions receives arbitrary messages from a core. Every line of the input is
 * one packet. The gate keeps its sessions, closes a session's descriptor only when the core sends
 * `drop` for that session, and sends only what PROTOCOL.md allows.
 */
#define SESSIONS 3
#define FIRST_CONN 101

static void open_sessions(struct gate *gate)
{
    sessions_init(&gate->sessions, SESSIONS + 1);
    for (int i = 0; i < SESSIONS; i++) {
        struct sessions_entry entry = {
            .pid = 1000 + i,
            .is_telnet = i == 2,
            .conn = FIRST_CONN + i,
            .core_end = open("/dev/null", O_RDONLY | O_CLOEXEC),
            .signed_in_fd = -1,
            .log_fd = -1,
            .process_fd = -1,
        };
        fuzz_assert(entry.core_end >= 0);
        (void)snprintf(entry.address, sizeof(entry.address), "203.0.113.%d", i);
        sessions_watch(gate, sessions_add(&gate->sessions, &entry));
    }
}

static void check_sessions(struct sessions *sessions)
{
    fuzz_assert(sessions->count == SESSIONS);
    for (int i = 0; i < SESSIONS; i++) {
        const struct sessions_entry *entry = sessions_find_by_conn(sessions, FIRST_CONN + i);
        fuzz_assert(entry != NULL && entry->pid == 1000 + i);
        fuzz_assert(entry->core_end == -1 || fcntl(entry->core_end, F_GETFD) >= 0);
    }
}

static void close_sessions(struct sessions *sessions)
{
    for (int i = 0; i < SESSIONS; i++) {
        sessions_remove(sessions, sessions_find_by_conn(sessions, FIRST_CONN + i));
    }
    sessions_clear(sessions);
}

static void check_gate_messages(int core)
{
    static char buffer[PACKET_MAX];
    size_t len;
    int fd = -1;
    while (packet_receive(core, buffer, &len, &fd) == PACKET_OK) {
        json_t *said = json_read_object(buffer, len);
        const char *type = json_read_text(said, "t", 32);
        fuzz_assert(type != NULL);
        bool is_connection = strcmp(type, "connection") == 0;
        fuzz_assert(is_connection == (fd >= 0));
        fuzz_assert(is_connection || strcmp(type, "hello") == 0 ||
                    strcmp(type, "connections_end") == 0);
        if (fd >= 0) {
            close(fd);
        }
        json_decref(said);
    }
}

/* Receives packets from the core, without logging complaints about invalid messages. */
static bool receive_packets_silently(struct gate *gate)
{
    int kept = fuzz_silence_log();
    gate_core_receive(gate);
    fuzz_restore_log(kept);
    return !gate->is_stopping;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    int ends[2];
    static struct gate gate;
    struct sessions *sessions = &gate.sessions;
    fuzz_assert(packet_make_socket_pair(ends) == 0);
    gate = (struct gate){.core.socket = ends[0], .base = event_base_new()};
    open_sessions(&gate);
    gate_core_tell(&gate);
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    for (size_t line_len; fuzz_next_line(&lines, &line, &line_len);) {
        if (packet_send(ends[1], line, line_len, -1) == PACKET_OK) {
            fuzz_assert(receive_packets_silently(&gate));
        }
        check_sessions(sessions);
        check_gate_messages(ends[1]);
    }
    close_sessions(sessions);
    event_base_free(gate.base);
    close(ends[0]);
    close(ends[1]);
    return 0;
}
