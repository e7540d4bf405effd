#include "../lobby/full_house.h"

#include "games/game.h"
#include "lobby/house/house.h"
#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "tests/load/load.h"
#include "tests/times.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Measures how long requests for leaderboards take. Each request is made by a new process, first
 * with no page of the database file in memory, then with all pages in memory. The time runs from
 * the receipt of the request's bytes until the answer's JSON is written. The number of pages read
 * is printed too, because it does not depend on how busy the machine is. The file is made if it is
 * missing.
 *
 * load_leaders FILE ACCOUNTS GAMES [ROUNDS]
 */

#define ROUNDS_MAX 1000
#define NOW_MS INT64_C(1795000000000) /* a time in November 2026 */
#define CONN 10
#define FINGERPRINT "SHA256:load"

static const char *const requests[] = {
    "",
    ",\"players\":4",
    ",\"players\":7",
    ",\"span\":\"month\"",
    ",\"span\":\"week\"",
    ",\"span\":\"week\",\"players\":5",
    ",\"span\":\"season\"",
    ",\"span\":\"season\",\"players\":4",
    ",\"span\":\"season\",\"season\":20263",
    ",\"offset\":4000",
    ",\"bots\":true",
};

/* Reads the whole file, so that the system has all its pages in memory. */
static void read_whole_file(const char *path)
{
    static char bytes[1 << 20];
    const int file = open(path, O_RDONLY | O_CLOEXEC);

    fail_unless(file >= 0, "the file cannot be opened");
    while (read(file, bytes, sizeof bytes) > 0) {
    }
    (void)close(file);
}

/* Passes one message to the house and commits. Returns the length of the last message that the
 * house sends. */
static size_t pass_message_to_house(struct house *house, const char *message)
{
    struct house_output output;
    size_t len = 0;

    fail_unless(house_receive(house, NOW_MS, CONN, message, strlen(message)) == HOUSE_OK &&
                    house_commit(house) == HOUSE_OK,
                "the house refused a message");
    while (house_output(house, &output) == 1) {
        len = output.len;
    }
    return len;
}

static struct house *open_house(struct storage *storage, const char *name)
{
    const struct house_config config = house_config_default();
    struct house *house = house_new(&config, storage, NOW_MS);
    char sign_in[256];

    fail_unless(house != NULL, "the house cannot be opened");
    fail_unless(house_connect(house, NOW_MS, CONN, PEER_SESSION, "127.0.0.1", "ssh") == HOUSE_OK,
                "the house refused the connection");
    (void)pass_message_to_house(
        house, "{\"t\":\"hello\",\"protocol\":3,\"lobby\":true,\"software\":\"load\"}");
    (void)snprintf(sign_in, sizeof sign_in,
                   "{\"t\":\"sign_in\",\"id\":1,\"method\":\"key\",\"name\":\"%s\","
                   "\"key\":{\"type\":\"ssh-ed25519\",\"fingerprint\":\"" FINGERPRINT "\"}}",
                   name);
    (void)pass_message_to_house(house, sign_in);
    return house;
}

struct figures {
    double first_ms, again_ms;
    int pages; /* number of pages read from the database file for the first answer */
    size_t len;
};

static int count_pages_read(struct storage *storage)
{
    int now = 0;
    int highest = 0;

    fail_unless(sqlite3_db_status(storage->db, SQLITE_DBSTATUS_CACHE_MISS, &now, &highest, 0) ==
                    SQLITE_OK,
                "the number of pages read is not known");
    return now;
}

static struct figures measure_request(const char *path, const char *name, const char *request)
{
    char why[STORAGE_WHY_SIZE];
    char message[256];
    struct storage *storage = NULL;
    struct figures figures;

    fail_unless(storage_open(path, &storage, why) == STORAGE_OK, why);
    struct house *house = open_house(storage, name);
    (void)snprintf(message, sizeof message, "{\"t\":\"leaders\",\"id\":2,\"game\":\"%s\"%s}",
                   game_at(0)->id, request);
    const int before = count_pages_read(storage);
    double from_ms = times_now_ms();
    figures.len = pass_message_to_house(house, message);
    figures.first_ms = times_now_ms() - from_ms;
    figures.pages = count_pages_read(storage) - before;
    message[strlen("{\"t\":\"leaders\",\"id\":")] = '3';
    from_ms = times_now_ms();
    (void)pass_message_to_house(house, message);
    figures.again_ms = times_now_ms() - from_ms;
    house_free(house);
    storage_close(storage);
    return figures;
}

/* Measures a request in a new process, in which the storage has cached nothing. */
static struct figures measure_request_in_new_process(const char *path, const char *name,
                                                     const char *request)
{
    struct figures figures;
    int ends[2];
    int status = 0;

    (void)fflush(stdout);
    fail_unless(pipe(ends) == 0, "a pipe cannot be made");
    const pid_t child = fork();
    fail_unless(child >= 0, "a process cannot be made");
    if (child == 0) {
        figures = measure_request(path, name, request);
        _exit(write(ends[1], &figures, sizeof figures) == (ssize_t)sizeof figures ? EXIT_SUCCESS
                                                                                  : EXIT_FAILURE);
    }
    fail_unless(read(ends[0], &figures, sizeof figures) == (ssize_t)sizeof figures &&
                    waitpid(child, &status, 0) == child && status == 0,
                "a request failed");
    (void)close(ends[0]);
    (void)close(ends[1]);
    return figures;
}

static void measure_all_requests(const char *path, const char *name, size_t rounds,
                                 bool is_cache_dropped)
{
    static double first_ms[ROUNDS_MAX];
    static double again_ms[ROUNDS_MAX];

    (void)printf("%-30s %6s %19s %9s %6s\n",
                 is_cache_dropped ? "no page of the file in memory" : "all pages in memory",
                 "pages", "first ms: median, worst", "later median", "bytes");
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct figures figures = {0};
        for (size_t round = 0; round < rounds; round++) {
            if (is_cache_dropped) {
                drop_cached_pages(path);
            } else if (round == 0 && i == 0) {
                read_whole_file(path);
            }
            figures = measure_request_in_new_process(path, name, requests[i]);
            first_ms[round] = figures.first_ms;
            again_ms[round] = figures.again_ms;
        }
        (void)times_sort(first_ms, rounds);
        (void)times_sort(again_ms, rounds);
        (void)printf("%-30s %6d %9.2f %10.2f %9.2f %6zu\n",
                     requests[i][0] == '\0' ? "(all time)" : requests[i] + 1, figures.pages,
                     first_ms[rounds / 2], first_ms[rounds - 1], again_ms[rounds / 2], figures.len);
    }
}

static void make_database(const char *path, const struct full_house *contents, const char *name)
{
    const double from_ms = times_now_ms();
    const struct storage_key key = {.fingerprint = FINGERPRINT, .type = "ssh-ed25519"};
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    struct storage_account account;

    full_house_create(contents, path);
    fail_unless(storage_open(path, &storage, why) == STORAGE_OK, why);
    fail_unless(storage_account_by_name(storage, name, &account) == STORAGE_OK &&
                    storage_key_add(storage, account.id, &key) == STORAGE_OK &&
                    storage_commit(storage) == STORAGE_OK,
                "the account cannot be prepared");
    storage_close(storage);
    (void)printf("made %u accounts and %u games in %.1f s\n", contents->accounts, contents->games,
                 (times_now_ms() - from_ms) / 1000.0);
}

int main(int argc, char **argv)
{
    char name[32];

    fail_unless(argc == 4 || argc == 5, "usage: load_leaders FILE ACCOUNTS GAMES [ROUNDS]");
    const size_t rounds = argc == 5 ? strtoul(argv[4], NULL, 10) : 20;
    fail_unless(rounds >= 1 && rounds <= ROUNDS_MAX, "1 to 1000 rounds");
    const struct full_house contents = {.accounts = (uint32_t)strtoul(argv[2], NULL, 10),
                                        .games = (uint32_t)strtoul(argv[3], NULL, 10),
                                        .seed = 1,
                                        .now_ms = NOW_MS};
    fail_unless(contents.accounts >= 100 && contents.games >= 1,
                "at least 100 accounts and one game are needed");
    (void)snprintf(name, sizeof name, "p%u", contents.accounts / 20);
    if (access(argv[1], F_OK) != 0) {
        make_database(argv[1], &contents, name);
        sync(); /* writes all pages to the disk, because unwritten pages cannot be dropped from
                   memory */
    }
    measure_all_requests(argv[1], name, rounds, true);
    measure_all_requests(argv[1], name, rounds, false);
    return EXIT_SUCCESS;
}
