#include "../lobby/full_house.h"

#include "games/game.h"
#include "lobby/house.h"
#include "storage/accounts.h"
#include "storage/storage.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * How long a house takes to answer for its leaderboards, each question by a process of its own,
 * first with no page of the file in memory, then with all of it: from the request's
 * bytes to the answer's, the writing of JSON included. The file is made when it is not there.
 */

#define NOW_MS INT64_C(1795000000000) /* November 2026 */
#define CONN 10
#define FINGERPRINT "SHA256:load"

static const char *const questions[] = {
    "",
    ",\"players\":4",
    ",\"span\":\"month\"",
    ",\"span\":\"week\",\"players\":5",
    ",\"span\":\"season\",\"players\":4",
    ",\"offset\":40000",
    ",\"bots\":true",
};

static double now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1000.0 + (double)now.tv_nsec / 1e6;
}

static void insist(bool is_good, const char *what)
{
    if (!is_good) {
        (void)fprintf(stderr, "%s\n", what);
        exit(EXIT_FAILURE);
    }
}

/* Nothing of the file stays in the system's memory. */
static void forget_pages(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);

    insist(file >= 0, "the file cannot be opened");
    insist(fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0,
           "the file's pages stay in memory");
    (void)close(file);
}

/* All of it does. */
static void read_pages(const char *path)
{
    static char bytes[1 << 20];
    const int file = open(path, O_RDONLY | O_CLOEXEC);

    insist(file >= 0, "the file cannot be opened");
    while (read(file, bytes, sizeof bytes) > 0) {
    }
    (void)close(file);
}

/* One turn of the house; the length of the last thing it told. */
static size_t turn(struct house *house, const char *message)
{
    struct house_output output;
    size_t len = 0;

    insist(house_receive(house, NOW_MS, CONN, message, strlen(message)) == HOUSE_OK &&
               house_commit(house) == HOUSE_OK,
           "the house did not take it");
    while (house_output(house, &output) == 1) {
        len = output.len;
    }
    return len;
}

static struct house *begin(struct storage *storage, const char *name)
{
    const struct house_config config = house_config_default();
    struct house *house = house_new(&config, storage, NOW_MS);
    char sign_in[256];

    insist(house != NULL, "there is no house");
    insist(house_connect(house, NOW_MS, CONN, PEER_SESSION, "127.0.0.1", "ssh") == HOUSE_OK,
           "nobody comes in");
    (void)turn(house, "{\"t\":\"hello\",\"protocol\":1,\"software\":\"load\"}");
    (void)snprintf(sign_in, sizeof sign_in,
                   "{\"t\":\"sign_in\",\"id\":1,\"method\":\"key\",\"name\":\"%s\","
                   "\"key\":{\"type\":\"ssh-ed25519\",\"fingerprint\":\"" FINGERPRINT "\"}}",
                   name);
    (void)turn(house, sign_in);
    return house;
}

static void ask(const char *path, const char *name, const char *question)
{
    char why[STORAGE_WHY_SIZE];
    char message[256];
    struct storage *storage = NULL;

    insist(storage_open(path, &storage, why) == STORAGE_OK, why);
    struct house *house = begin(storage, name);
    (void)printf("%-36s", question[0] == '\0' ? "(all time)" : question + 1);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(message, sizeof message, "{\"t\":\"leaders\",\"id\":%d,\"game\":\"%s\"%s}",
                       2 + i, game_at(0)->id, question);
        const double from_ms = now_ms();
        const size_t len = turn(house, message);
        (void)printf("  %s %7.2f ms", i == 0 ? "first" : "then", now_ms() - from_ms);
        if (i == 2) {
            (void)printf("  %zu bytes\n", len);
        }
    }
    house_free(house);
    storage_close(storage);
}

static void ask_all(const char *path, const char *name, bool is_forgotten)
{
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        int status = 0;
        if (is_forgotten) {
            forget_pages(path);
        } else if (i == 0) {
            read_pages(path);
        }
        (void)fflush(stdout);
        const pid_t child = fork();
        insist(child >= 0, "no process");
        if (child == 0) {
            ask(path, name, questions[i]);
            (void)fflush(stdout);
            _exit(EXIT_SUCCESS);
        }
        insist(waitpid(child, &status, 0) == child && status == 0, "a question failed");
    }
}

static void make(const char *path, const struct full_house *full, const char *name)
{
    const double from_ms = now_ms();
    const struct storage_key key = {.fingerprint = FINGERPRINT, .type = "ssh-ed25519"};
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    struct storage_account account;

    full_house_make(full, path);
    insist(storage_open(path, &storage, why) == STORAGE_OK, why);
    insist(storage_account_by_name(storage, name, &account) == STORAGE_OK &&
               storage_key_add(storage, account.id, &key) == STORAGE_OK &&
               storage_commit(storage) == STORAGE_OK,
           "nobody to ask");
    storage_close(storage);
    (void)printf("made %u accounts and %u games in %.1f s\n", full->accounts, full->games,
                 (now_ms() - from_ms) / 1000.0);
}

int main(int argc, char **argv)
{
    char name[32];

    insist(argc == 4, "usage: load_leaders FILE ACCOUNTS GAMES");
    const struct full_house full = {.accounts = (uint32_t)strtoul(argv[2], NULL, 10),
                                    .games = (uint32_t)strtoul(argv[3], NULL, 10),
                                    .seed = 1,
                                    .now_ms = NOW_MS};
    insist(full.accounts >= 100 && full.games >= 1, "100 accounts and a game at least");
    (void)snprintf(name, sizeof name, "p%u", full.accounts / 20);
    if (access(argv[1], F_OK) != 0) {
        make(argv[1], &full, name);
    }
    (void)printf("no page of the file in memory:\n");
    ask_all(argv[1], name, true);
    (void)printf("the file in the system's memory:\n");
    ask_all(argv[1], name, false);
    return EXIT_SUCCESS;
}
