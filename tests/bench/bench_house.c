#include "tests/bench/bench_house.h"

#include "daemon/base/base.h"
#include "lobby/house/house.h"
#include "storage/archive/archive.h"
#include "storage/tables/tables.h"
#include "tests/bench/bench_play.h"
#include "tests/bench/bench_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_SIZE 256

/* Time that passes on the house's clock between moves, so that nobody exceeds the limits: a player
 * makes every fourth move of a table and may send 50 messages a second. */
#define TURN_MS 6

struct bench_seat {
    int ends[2]; /* the connected sockets of each player: the core's and the session's */
};

struct house_table {
    int64_t id;
    struct bench_play play;
    uint8_t mover;
    char message[MESSAGE_SIZE]; /* the next move to make */
};

struct bench_house {
    struct storage *storage;
    struct house *house;
    int64_t now_ms;
    int64_t request;
    struct quick_random random;
    size_t count;
    struct house_table at[BENCH_TABLES_MAX];
    struct bench_seat
        seats[BENCH_TABLES_MAX * BENCH_PLAYERS]; /* the players, indexed by connection */
    size_t seat_count;
    char packet[PACKET_MAX + 1];
};

static bool write_error(char why[STORAGE_WHY_SIZE], const char *text)
{
    (void)snprintf(why, STORAGE_WHY_SIZE, "%.255s", text);
    return false;
}

static bool receive_message(struct bench_house *bench, size_t conn, const char *message,
                            char why[STORAGE_WHY_SIZE])
{
    return house_receive(bench->house, bench->now_ms, (int64_t)conn, message, strlen(message)) ==
               HOUSE_OK ||
           write_error(why, message);
}

/* Commits the house's changes, then sends its messages to all players. */
static bool commit_and_send(struct bench_house *bench, char why[STORAGE_WHY_SIZE])
{
    struct house_output output;

    if (house_next_tick_ms(bench->house) <= bench->now_ms &&
        house_tick(bench->house, bench->now_ms) != HOUSE_OK) {
        return write_error(why, storage_last_failure(bench->storage));
    }
    if (house_commit(bench->house) != HOUSE_OK) {
        return write_error(why, storage_last_failure(bench->storage));
    }
    while (house_output(bench->house, &output) != 0) {
        if (packet_send(bench->seats[output.conn].ends[0], output.json, output.len, -1) !=
            PACKET_OK) {
            return write_error(why, "a socket is full");
        }
    }
    storage_do_idle_work(bench->storage);
    return true;
}

/* Reads the messages that one player has received; none may be a refusal. */
static bool read_messages(struct bench_house *bench, size_t conn, char why[STORAGE_WHY_SIZE])
{
    static const char refusal[] = "\"t\":\"no\"";
    size_t len = 0;

    while (packet_receive(bench->seats[conn].ends[1], bench->packet, &len, NULL) == PACKET_OK) {
        if (memmem(bench->packet, len, refusal, sizeof refusal - 1) != NULL) {
            bench->packet[len] = '\0';
            return write_error(why, bench->packet);
        }
    }
    return true;
}

static bool read_all_messages(struct bench_house *bench, char why[STORAGE_WHY_SIZE])
{
    bool is_good = true;

    for (size_t conn = 0; is_good && conn < bench->seat_count; conn++) {
        is_good = read_messages(bench, conn, why);
    }
    return is_good;
}

/* Sends one player's request and runs a pass of the core's loop for it alone. `format` is the JSON
 * object without its braces and the id. */
static bool send_request(struct bench_house *bench, size_t conn, char why[STORAGE_WHY_SIZE],
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
static bool send_request(struct bench_house *bench, size_t conn, char why[STORAGE_WHY_SIZE],
                         const char *format, ...)
{
    char message[MESSAGE_SIZE];
    const int len = snprintf(message, sizeof message, "{\"id\":%" PRId64 ",", ++bench->request);
    va_list values;

    va_start(values, format);
    (void)vsnprintf(&message[len], sizeof message - (size_t)len, format, values);
    va_end(values);
    bench->now_ms += TURN_MS;
    return receive_message(bench, conn, message, why) && commit_and_send(bench, why) &&
           read_all_messages(bench, why);
}

static bool connect_players(struct bench_house *bench, char why[STORAGE_WHY_SIZE])
{
    const size_t conn = bench->seat_count;

    if (packet_make_socket_pair(bench->seats[conn].ends) != 0) {
        return write_error(why, strerror(errno));
    }
    bench->seat_count++;
    return (house_connect(bench->house, bench->now_ms, (int64_t)conn, PEER_SESSION, "127.0.0.1",
                          "ssh") == HOUSE_OK ||
            write_error(why, "a player cannot enter the house")) &&
           send_request(bench, conn, why,
                        "\"t\":\"hello\",\"protocol\":3,\"lobby\":true,\"software\":\"bench\"}") &&
           send_request(bench, conn, why, "\"t\":\"sign_in\",\"method\":\"guest\"}");
}

static bool copy_table(void *context, const struct storage_table *table)
{
    *(int64_t *)context = table->id;
    return true;
}

/* Reads the seed of the table's game. With the seed, the benchmark can compute the players' moves
 * without reading their views. */
static bool read_seed_of_game(struct bench_house *bench, struct house_table *table,
                              char why[STORAGE_WHY_SIZE])
{
    struct storage_table row;
    struct storage_game game;

    if (storage_table_read(bench->storage, table->id, &row) != STORAGE_OK ||
        storage_game_read(bench->storage, row.game_id, &game) != STORAGE_OK) {
        return write_error(why, "a table has no game");
    }
    return bench_play_start(&table->play, game.seed) || write_error(why, "the game did not start");
}

static bool open_table(struct bench_house *bench, struct house_table *table,
                       char why[STORAGE_WHY_SIZE])
{
    const size_t host = bench->seat_count;
    bool is_good = true;

    table->play = bench_play_new();
    for (size_t seat = 0; is_good && seat < BENCH_PLAYERS; seat++) {
        is_good = connect_players(bench, why);
    }
    is_good = is_good &&
              send_request(bench, host, why,
                           "\"t\":\"table_open\",\"game\":\"%s\",\"players\":%d,\"options\":{},"
                           "\"clock_s\":0}",
                           table->play.game->id, BENCH_PLAYERS) &&
              storage_tables_each(bench->storage, copy_table, &table->id) == STORAGE_OK;
    for (size_t seat = 1; is_good && seat < BENCH_PLAYERS; seat++) {
        is_good = send_request(bench, host + seat, why,
                               "\"t\":\"table_enter\",\"table\":%" PRId64 "}", table->id) &&
                  send_request(bench, host + seat, why, "\"t\":\"seat_take\",\"seat\":%zu}", seat);
    }
    return is_good && send_request(bench, host, why, "\"t\":\"table_start\"}") &&
           read_seed_of_game(bench, table, why);
}

static void choose_move(struct bench_house *bench, struct house_table *table)
{
    char text[MOVE_TEXT_MAX];
    const uint32_t step = table->play.step;

    table->mover = bench_play_make_move(&table->play, &bench->random, text);
    (void)snprintf(table->message, sizeof table->message,
                   "{\"id\":%" PRId64 ",\"t\":\"move\",\"table\":%" PRId64
                   ",\"step\":%u,\"move\":\"%s\"}",
                   ++bench->request, table->id, step, text);
}

struct bench_house *bench_house_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE])
{
    struct house_config config = house_config_default();
    struct bench_house *bench = calloc(1, sizeof *bench);

    if (bench == NULL) {
        (void)write_error(why, strerror(errno));
        return NULL;
    }
    quick_random_init(&bench->random, count);
    bench->now_ms = clock_unix_ms();
    bool is_open = storage_open(path, &bench->storage, why) == STORAGE_OK &&
                   bench_tables_grow_write_ahead_log(bench->storage, why);
    if (is_open) {
        bench->house = house_new(&config, bench->storage, bench->now_ms);
        is_open = bench->house != NULL || write_error(why, "the house does not open");
    }
    while (is_open && bench->count < count) {
        is_open = open_table(bench, &bench->at[bench->count++], why);
    }
    if (!is_open) {
        bench_house_free(bench);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        choose_move(bench, &bench->at[i]);
    }
    return bench;
}

void bench_house_free(struct bench_house *bench)
{
    if (bench == NULL) {
        return;
    }
    for (size_t conn = 0; conn < bench->seat_count; conn++) {
        (void)close(bench->seats[conn].ends[0]);
        (void)close(bench->seats[conn].ends[1]);
    }
    house_free(bench->house);
    storage_close(bench->storage);
    free(bench);
}

bool bench_house_run_loop_pass(struct bench_house *bench, char why[STORAGE_WHY_SIZE])
{
    bench->now_ms += TURN_MS;
    for (size_t i = 0; i < bench->count; i++) {
        const struct house_table *table = &bench->at[i];
        if (!receive_message(bench, i * BENCH_PLAYERS + table->mover, table->message, why)) {
            return false;
        }
    }
    return commit_and_send(bench, why);
}

/* Lets everybody at the table ask for the next game, which then begins. */
static bool start_next_game(struct bench_house *bench, size_t index, char why[STORAGE_WHY_SIZE])
{
    bool is_good = true;

    for (size_t seat = 0; is_good && seat < BENCH_PLAYERS; seat++) {
        is_good = send_request(bench, index * BENCH_PLAYERS + seat, why, "\"t\":\"rematch\"}");
    }
    return is_good && read_seed_of_game(bench, &bench->at[index], why);
}

bool bench_house_prepare_loop_pass(struct bench_house *bench, char why[STORAGE_WHY_SIZE])
{
    if (!read_all_messages(bench, why)) {
        return false;
    }
    for (size_t i = 0; i < bench->count; i++) {
        if (bench_play_is_over(&bench->at[i].play) && !start_next_game(bench, i, why)) {
            return false;
        }
        choose_move(bench, &bench->at[i]);
    }
    return true;
}
