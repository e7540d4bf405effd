#include "lobby/house/house.h"
#include "storage/storage.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/*
 * A house receives whatever its peers may send. Every line of the input is one event; its first
 * byte says which:
 *
 *     0–7  connection 0 to 7 (see peers below) sends the rest of the line as a message
 *     +    one second passes for every byte that follows, then the house checks its clocks
 *     - N  connection N ends and is made again
 *     ! N  a message to connection N was lost
 *     @    the core dies and the next one starts with the same data
 */
#define CONNS 8

static const enum peer peers[CONNS] = {
    PEER_SESSION, PEER_SESSION, PEER_SESSION, PEER_SESSION,
    PEER_SESSION, PEER_BOT,     PEER_AUTH,    PEER_GATE,
};

struct fuzz {
    struct storage *storage;
    struct house *house;
    int64_t now_ms;
    uint8_t random;
};

static void fill_random(void *context, void *bytes, size_t len)
{
    struct fuzz *fuzz = context;
    memset(bytes, fuzz->random++, len);
}

/* Commits, and checks that the data could be stored and that every message fits into a packet. */
static void commit_and_check(struct fuzz *fuzz)
{
    struct house_output output;
    fuzz_assert(house_commit(fuzz->house) == HOUSE_OK);
    while (house_output(fuzz->house, &output) != 0) {
        fuzz_assert(output.len <= 65536 && output.json[0] == '{');
    }
}

static void assert_storage_works(enum house_result result)
{
    fuzz_assert(result != HOUSE_STORAGE_FAILED);
}

static void connect_peer(struct fuzz *fuzz, int64_t conn)
{
    assert_storage_works(
        house_connect(fuzz->house, fuzz->now_ms, conn, peers[conn - 1], "203.0.113.7", "ssh"));
}

static void send_message(struct fuzz *fuzz, int64_t conn, const char *json, size_t len)
{
    enum house_result result = house_receive(fuzz->house, fuzz->now_ms, conn, json, len);
    assert_storage_works(result);
    if (result == HOUSE_END_CONNECTION) {
        assert_storage_works(house_disconnect(fuzz->house, fuzz->now_ms, conn));
        connect_peer(fuzz, conn);
    }
}

static void open_house(struct fuzz *fuzz)
{
    struct house_config config = house_config_default();
    config.random = fill_random;
    config.random_context = fuzz;
    fuzz->house = house_new(&config, fuzz->storage, fuzz->now_ms);
    fuzz_assert(fuzz->house != NULL);
    for (int64_t conn = 1; conn <= CONNS; conn++) {
        connect_peer(fuzz, conn);
    }
}

/* Connects the peers: three guests are in the house, one session is not signed in, and one has sent
 * nothing. */
static void prepare_peers(struct fuzz *fuzz)
{
    static const char hello[] = "{\"t\":\"hello\",\"protocol\":3,\"lobby\":true}";
    static const char guest[] = "{\"t\":\"sign_in\",\"id\":1,\"method\":\"guest\"}";
    for (int64_t conn = 1; conn <= CONNS; conn++) {
        if (conn != 5) {
            send_message(fuzz, conn, hello, strlen(hello));
        }
        if (conn <= 3) {
            send_message(fuzz, conn, guest, strlen(guest));
        }
    }
}

static void run_event(struct fuzz *fuzz, const char *line, size_t len)
{
    int64_t conn = len > 1 && line[1] >= '0' && line[1] < '0' + CONNS ? line[1] - '0' + 1 : 1;
    switch (line[0]) {
    case '+':
        fuzz->now_ms += 1000 * (int64_t)len;
        assert_storage_works(house_tick(fuzz->house, fuzz->now_ms));
        break;
    case '-':
        assert_storage_works(house_disconnect(fuzz->house, fuzz->now_ms, conn));
        connect_peer(fuzz, conn);
        break;
    case '!':
        house_note_output_dropped(fuzz->house, conn);
        break;
    case '@':
        house_free(fuzz->house);
        open_house(fuzz);
        break;
    default:
        if (line[0] >= '0' && line[0] < '0' + CONNS) {
            send_message(fuzz, line[0] - '0' + 1, line + 1, len - 1);
        }
        break;
    }
    if (house_next_tick_ms(fuzz->house) <= fuzz->now_ms) {
        assert_storage_works(house_tick(fuzz->house, fuzz->now_ms));
    }
    commit_and_check(fuzz);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char why[STORAGE_WHY_SIZE];
    struct fuzz fuzz = {.now_ms = INT64_C(1750000000000)};
    fuzz_assert(storage_open(STORAGE_IN_MEMORY, &fuzz.storage, why) == STORAGE_OK);
    open_house(&fuzz);
    prepare_peers(&fuzz);
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    for (size_t line_len; fuzz_next_line(&lines, &line, &line_len);) {
        run_event(&fuzz, line, line_len);
    }
    house_free(fuzz.house);
    storage_close(fuzz.storage);
    return 0;
}
