#include "lobby/names.h"
#include "storage/accounts.h"
#include "storage/storage.h"
#include "tests/faults/ledger.h"
#include "tests/faults/proof.h"
#include "tests/kills/gambler.h"
#include "tests/kills/killer.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * kill -9 of core, gate, sessions, password workers and bots at random moments, while companies of
 * people play as fast as they can through the real ssh client. In the end what each of them was
 * told is held against the data, and every game is played again.
 *
 *     kills PROGRAM KILLS [COMPANIES [control]]
 *
 * PROGRAM is the house's. With `control` it is one that tells before it commits: the run succeeds
 * when losses are found, and fails when none are.
 */

#define COMPANY_PEOPLE 3
#define COMPANIES_MAX 50
#define PEOPLE_MAX (COMPANIES_MAX * COMPANY_PEOPLE)
#define TURN_MS 5
#define OPEN_MS 20000
#define REST_MS 15000
#define KILL_MAX_MS 600 /* a kill that takes longer on average than this: something is wrong */
#define PATH_SIZE 160

/* No two of them look alike, as names may not. */
static const char letters[] = "abcdefghjkmnpqrtuwxy";
#define LETTERS (sizeof(letters) - 1)

static const char settings[] = "[limits]\ninput_per_s = 10000\ninput_burst = 10000\n"
                               "[play]\nbot_delay_ms = 0\n"
                               "[chat]\nburst = 1000\ninterval_ms = 1\n";

struct house {
    char folder[64];
    char data[PATH_SIZE];
    const char *program;
    pid_t pid;
    int port;
};

static int64_t steady_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void die(const char *what)
{
    fprintf(stderr, "kills: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        die(path);
    }
}

/* Makes a key and gives its fingerprint, as OpenSSH's own program tells it. */
static void make_key(const char *path, char fingerprint[STORAGE_FINGERPRINT_SIZE])
{
    char command[2 * PATH_SIZE + 128];
    (void)snprintf(command, sizeof(command),
                   "ssh-keygen -q -t ed25519 -N '' -f '%s' && ssh-keygen -lf '%s'", path, path);
    FILE *output = popen(command, "r");
    if (output == NULL || fscanf(output, "%*d %64s", fingerprint) != 1) {
        die("ssh-keygen");
    }
    char rest[256];
    while (fgets(rest, sizeof(rest), output) != NULL) {
    }
    if (pclose(output) != 0) {
        die("ssh-keygen");
    }
}

static void add_account(struct storage *storage, const char *name, const char *fingerprint)
{
    struct storage_account account = {.kind = STORAGE_PLAYER, .created_ms = 1, .seen_ms = 1};
    struct storage_key key = {.type = "ssh-ed25519", .added_ms = 1};
    int64_t id;
    (void)snprintf(account.name, sizeof(account.name), "%s", name);
    (void)snprintf(account.settings, sizeof(account.settings), "{}");
    (void)snprintf(key.fingerprint, sizeof(key.fingerprint), "%s", fingerprint);
    name_skeleton(name, account.skeleton);
    if (storage_account_add(storage, &account, &id) != STORAGE_OK ||
        storage_key_add(storage, id, &key) != STORAGE_OK) {
        fprintf(stderr, "kills: %s: %s\n", name, storage_why(storage));
        exit(2);
    }
}

struct people {
    unsigned count;
    char names[PEOPLE_MAX][24];
    char keys[PEOPLE_MAX][PATH_SIZE];
    struct company companies[COMPANIES_MAX];
};

/* Everybody has an account and a key before the house opens for the first time. */
static void make_people(const struct house *house, struct people *people, unsigned companies)
{
    struct storage *storage;
    char why[STORAGE_WHY_SIZE];
    char path[PATH_SIZE + 16];
    (void)snprintf(path, sizeof(path), "%s/house.db", house->data);
    if (storage_open(path, &storage, why) != STORAGE_OK) {
        errno = 0;
        die(why);
    }
    people->count = companies * COMPANY_PEOPLE;
    for (unsigned i = 0; i < people->count; i++) {
        char fingerprint[STORAGE_FINGERPRINT_SIZE];
        (void)snprintf(people->names[i], sizeof(people->names[i]), "gambler-%c%c",
                       letters[i / LETTERS % LETTERS], letters[i % LETTERS]);
        (void)snprintf(people->keys[i], PATH_SIZE, "%s/key%u", house->folder, i);
        make_key(people->keys[i], fingerprint);
        add_account(storage, people->names[i], fingerprint);
    }
    for (unsigned i = 0; i < companies; i++) {
        people->companies[i] = (struct company){people->names[i * COMPANY_PEOPLE], COMPANY_PEOPLE};
    }
    if (storage_commit(storage) != STORAGE_OK) {
        die("accounts");
    }
    storage_close(storage);
}

static void make_house(struct house *house, const char *program)
{
    char path[PATH_SIZE + 16];
    house->program = program;
    (void)snprintf(house->folder, sizeof(house->folder), "/tmp/trickhouse-kills-XXXXXX");
    if (mkdtemp(house->folder) == NULL) {
        die("mkdtemp");
    }
    (void)snprintf(house->data, sizeof(house->data), "%s/data", house->folder);
    if (mkdir(house->data, 0700) != 0) {
        die(house->data);
    }
    (void)snprintf(path, sizeof(path), "%s/house.conf", house->data);
    write_file(path, settings);
}

static void open_house(struct house *house)
{
    int ready[2];
    char number[16];
    char text[16] = "";
    if (pipe(ready) != 0) {
        die("pipe");
    }
    (void)snprintf(number, sizeof(number), "%d", ready[1]);
    house->pid = fork();
    if (house->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* none is left behind */
        close(ready[0]);
        execl(house->program, house->program, "serve", "--data", house->data, "--ssh-port", "0",
              "--bind", "127.0.0.1", "--log", "--ready-fd", number, (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    struct pollfd wanted = {.fd = ready[0], .events = POLLIN};
    if (house->pid < 0 || poll(&wanted, 1, OPEN_MS) != 1 ||
        read(ready[0], text, sizeof(text) - 1) <= 0) {
        die("the house does not open");
    }
    close(ready[0]);
    house->port = atoi(text);
}

/* True when it closed in good order. */
static bool close_house(struct house *house)
{
    int status;
    kill(house->pid, SIGTERM);
    return waitpid(house->pid, &status, 0) == house->pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

struct table {
    struct gambler *gamblers[PEOPLE_MAX];
    unsigned count;
    struct gambler_counts counts;
    struct ledger ledger;
};

static void turn(struct table *table, int64_t now_ms)
{
    struct pollfd wanted[2 * PEOPLE_MAX];
    nfds_t count = 0;
    for (unsigned i = 0; i < table->count; i++) {
        int input = gambler_input(table->gamblers[i]);
        int output = gambler_output(table->gamblers[i]);
        if (input >= 0) {
            wanted[count++] = (struct pollfd){.fd = input, .events = POLLIN};
        }
        if (output >= 0) {
            wanted[count++] = (struct pollfd){.fd = output, .events = POLLOUT};
        }
    }
    (void)poll(wanted, count, TURN_MS);
    for (unsigned i = 0; i < table->count; i++) {
        gambler_turn(table->gamblers[i], now_ms);
    }
}

static void report(const struct table *table, const struct killer *killer, int64_t took_ms)
{
    printf("%" PRIu64 " kills (", killer_count(killer));
    for (int i = 0; i < VICTIM_COUNT; i++) {
        printf("%s%s %" PRIu64, i == 0 ? "" : ", ", killer_name((enum victim)i), killer->kills[i]);
    }
    printf("), %" PRIu64 " moves acknowledged, %" PRIu64 " connections, %" PRIu64
           " resyncs, %" PRId64 " s\n",
           table->counts.moves, table->counts.connections, table->counts.resyncs, took_ms / 1000);
    fflush(stdout);
}

/* Kills until there have been enough, then lets what is asked be answered. False when the house
 * did not live through it. */
static bool run(struct table *table, const struct house *house, uint64_t kills)
{
    struct killer killer;
    int64_t begun_ms = steady_ms();
    int64_t told_ms = begun_ms;
    int64_t deadline_ms = begun_ms + OPEN_MS + (int64_t)kills * KILL_MAX_MS;
    killer_init(&killer, house->pid, begun_ms);
    while (killer_count(&killer) < kills && steady_ms() < deadline_ms) {
        int64_t now_ms = steady_ms();
        turn(table, now_ms);
        (void)killer_turn(&killer, now_ms);
        if (now_ms - told_ms > 60000) {
            told_ms = now_ms;
            report(table, &killer, now_ms - begun_ms);
        }
        if (kill(house->pid, 0) != 0 || waitpid(house->pid, NULL, WNOHANG) == house->pid) {
            fprintf(stderr, "kills: the house gave up\n");
            return false;
        }
    }
    for (unsigned i = 0; i < table->count; i++) {
        gambler_rest(table->gamblers[i]);
    }
    bool is_waiting = true;
    deadline_ms = steady_ms() + REST_MS;
    while (is_waiting && steady_ms() < deadline_ms) {
        is_waiting = false;
        turn(table, steady_ms());
        for (unsigned i = 0; i < table->count; i++) {
            is_waiting = is_waiting || gambler_waits(table->gamblers[i]);
        }
    }
    report(table, &killer, steady_ms() - begun_ms);
    return killer_count(&killer) >= kills;
}

/* The exit status. */
static int judge(const struct house *house, const struct table *table, bool is_control)
{
    struct proof proof = {0};
    char path[PATH_SIZE + 16];
    (void)snprintf(path, sizeof(path), "%s/house.db", house->data);
    proof_check_file(path, &table->ledger, &proof);
    printf("%s: %" PRIu64 " things told were looked for, %" PRIu64 " lost, %" PRIu64
           " corrupt%s%s\n",
           is_control ? "control" : "proof", proof.checked, proof.lost, proof.corrupt,
           proof.first[0] == '\0' ? "" : "; first: ", proof.first);
    if (table->counts.moves == 0) {
        fprintf(stderr, "kills: nobody moved\n");
        return 1;
    }
    bool is_lossless = proof.lost == 0 && proof.corrupt == 0;
    return is_lossless != is_control ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct people people;
    static struct table table;
    struct house house = {.pid = 0};
    if (argc < 3 || sodium_init() < 0) {
        fprintf(stderr, "usage: kills PROGRAM KILLS [COMPANIES [control]]\n");
        return 2;
    }
    unsigned companies = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 6;
    if (companies == 0 || companies > COMPANIES_MAX) {
        fprintf(stderr, "kills: 1 to %d companies\n", COMPANIES_MAX);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    make_house(&house, argv[1]);
    make_people(&house, &people, companies);
    open_house(&house);
    table.count = people.count;
    for (unsigned i = 0; i < people.count; i++) {
        const struct link_where where = {house.port, people.names[i], people.keys[i]};
        table.gamblers[i] = gambler_new(&where, &people.companies[i / COMPANY_PEOPLE],
                                        &table.ledger, &table.counts);
    }
    bool is_through = run(&table, &house, strtoull(argv[2], NULL, 10));
    for (unsigned i = 0; i < table.count; i++) {
        gambler_free(table.gamblers[i]);
    }
    is_through = close_house(&house) && is_through;
    int status = judge(&house, &table, argc > 4);
    ledger_clear(&table.ledger);
    if (status != 0 || !is_through) {
        fprintf(stderr, "kills: %s stays to be looked at\n", house.folder);
        return 1;
    }
    (void)nftw(house.folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
