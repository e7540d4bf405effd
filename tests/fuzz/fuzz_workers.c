#include "daemon/base/base.h"
#include "daemon/processes/workers/workers.h"
#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <sodium.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * A password worker receives arbitrary messages from a core. Every line of the input is one packet.
 * The worker sends nothing but answers to jobs, and ends when the core ends. Real hashing takes a
 * tenth of a second, so here a password is its own hash.
 */
#define PACKETS_MAX 64

int crypto_pwhash_str(char out[crypto_pwhash_STRBYTES], const char *const password,
                      unsigned long long len, unsigned long long passes, size_t memory)
{
    fuzz_assert(passes == 3 && memory == 64U << 20 && strlen(password) == len);
    memset(out, 0, crypto_pwhash_STRBYTES);
    memcpy(out, password, len < crypto_pwhash_STRBYTES ? (size_t)len : crypto_pwhash_STRBYTES - 1);
    return 0;
}

int crypto_pwhash_str_verify(const char hash[crypto_pwhash_STRBYTES], const char *const password,
                             unsigned long long len)
{
    fuzz_assert(strlen(password) == len && strlen(hash) < crypto_pwhash_STRBYTES);
    return strcmp(hash, password) == 0 ? 0 : -1;
}

/* Keeps complaints about invalid messages out of the test's output. */
static int run_worker_silently(int socket)
{
    int kept = fuzz_silence_log();
    int status = auth_run(socket, &(const struct metrics){0});
    fuzz_restore_log(kept);
    return status;
}

static void check_answers(int core)
{
    static char buffer[PACKET_MAX];
    size_t len;
    while (packet_receive(core, buffer, &len, NULL) == PACKET_OK) {
        json_t *answer = json_read_object(buffer, len);
        const char *type = json_read_text(answer, "t", 32);
        int64_t job;
        fuzz_assert(type != NULL);
        bool is_hello = strcmp(type, "hello") == 0;
        bool is_work = strcmp(type, "hashed") == 0 || strcmp(type, "checked") == 0;
        fuzz_assert(is_hello || (is_work && json_read_number(answer, "job", 0, INT64_MAX, &job)));
        json_decref(answer);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    int ends[2];
    fuzz_assert(packet_make_socket_pair(ends) == 0);
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    size_t line_len;
    for (int i = 0; i < PACKETS_MAX && fuzz_next_line(&lines, &line, &line_len); i++) {
        if (packet_send(ends[0], line, line_len, -1) != PACKET_OK) {
            break;
        }
    }
    fuzz_assert(shutdown(ends[0], SHUT_WR) == 0);
    int status = run_worker_silently(ends[1]);
    fuzz_assert(status == 0 || status == 1);
    check_answers(ends[0]);
    close(ends[0]);
    close(ends[1]);
    return 0;
}
