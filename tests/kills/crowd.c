#include "tests/kills/crowd.h"
#include "tests/ports.h"
#include "tests/times.h"

#include "lobby/persons/persons.h"
#include "storage/accounts/accounts.h"
#include "storage/storage.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURN_MS 5
#define LOOK_MS 20 /* how often gamblers who hear nothing look whether it is time to act */
#define OPEN_MS 20000
#define REST_MS 15000

/* The letters of names look different from each other, because similar names are refused. */
static const char letters[] = "abcdefghjkmnpqrtuwxy";
#define LETTERS (sizeof(letters) - 1)

#define SETTINGS                                                                                   \
    "[limits]\ninput_per_s = 10000\ninput_burst = 10000\n"                                         \
    "[play]\nbot_delay_ms = %d\n"                                                                  \
    "[chat]\nburst = 1000\ninterval_ms = 1\n"
#define NODE_SETTINGS                                                                              \
    "[storage]\nurl = %s\n"                                                                        \
    "[cluster]\nnode = %u\naddress = 127.0.0.1:%d\n"
#define URL_MAX 256

int64_t crowd_now_ms(void)
{
    return times_now_us() / 1000;
}

static void fail_with_error(const char *what)
{
    fprintf(stderr, "crowd: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        fail_with_error(path);
    }
}

/* Creates a key and reads its fingerprint as OpenSSH's own program prints it. */
static void make_key(const char *path, char fingerprint[STORAGE_FINGERPRINT_SIZE])
{
    char command[2 * CROWD_PATH_SIZE + 128];
    (void)snprintf(command, sizeof(command),
                   "ssh-keygen -q -t ed25519 -N '' -f '%s' && ssh-keygen -lf '%s'", path, path);
    FILE *output = popen(command, "r");
    if (output == NULL || fscanf(output, "%*d %64s", fingerprint) != 1) {
        fail_with_error("ssh-keygen");
    }
    char rest[256];
    while (fgets(rest, sizeof(rest), output) != NULL) {
    }
    if (pclose(output) != 0) {
        fail_with_error("ssh-keygen");
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
    name_write_skeleton(name, account.skeleton);
    if (storage_account_add(storage, &account, &id) != STORAGE_OK ||
        storage_key_add(storage, id, &key) != STORAGE_OK) {
        fprintf(stderr, "crowd: %s: %s\n", name, storage_last_failure(storage));
        exit(2);
    }
}

static void copy_database(const char *from_path, const char *path)
{
    static char bytes[1 << 20];
    size_t count;
    FILE *from = fopen(from_path, "re");
    FILE *to = fopen(path, "we");
    if (from == NULL || to == NULL) {
        fail_with_error(from_path);
    }
    while ((count = fread(bytes, 1, sizeof(bytes), from)) > 0) {
        if (fwrite(bytes, 1, count, to) != count) {
            fail_with_error(path);
        }
    }
    /* Syncs the copy now. Otherwise the house's first commit would wait for the disk to store the
     * whole copy, which would spoil the measurements. */
    if (ferror(from) != 0 || fclose(from) != 0 || fflush(to) != 0 || fsync(fileno(to)) != 0 ||
        fclose(to) != 0 || chmod(path, 0600) != 0) {
        fail_with_error(path);
    }
}

/* Creates an account and a key for every gambler, before the house is opened for the first time. */
static void create_accounts_and_keys(struct crowd *crowd)
{
    struct storage *storage;
    char why[STORAGE_WHY_SIZE];
    char path[CROWD_PATH_SIZE + 16];
    unsigned people = crowd->setup.people;
    crowd_database_path(crowd, path);
    if (crowd->setup.database != NULL) {
        copy_database(crowd->setup.database, path);
    }
    if (storage_open(crowd->setup.url != NULL ? crowd->setup.url : path, &storage, why) !=
        STORAGE_OK) {
        errno = 0;
        fail_with_error(why);
    }
    crowd->count = crowd->setup.companies * people;
    for (unsigned i = 0; i < crowd->count; i++) {
        char fingerprint[STORAGE_FINGERPRINT_SIZE];
        (void)snprintf(crowd->names[i], sizeof(crowd->names[i]), "gambler-%c%c%c",
                       letters[i / LETTERS / LETTERS % LETTERS], letters[i / LETTERS % LETTERS],
                       letters[i % LETTERS]);
        (void)snprintf(crowd->keys[i], CROWD_PATH_SIZE, "%s/key%u", crowd->folder, i);
        make_key(crowd->keys[i], fingerprint);
        add_account(storage, crowd->names[i], fingerprint);
    }
    for (unsigned i = 0; i < crowd->setup.companies; i++) {
        crowd->companies[i] = (struct company){crowd->names[i * people], people, crowd->setup.bots,
                                               crowd->setup.policy};
    }
    if (storage_commit(storage) != STORAGE_OK) {
        fail_with_error("accounts");
    }
    storage_close(storage);
}

/* Writes the settings of a house, or of the node with this index. */
static void write_settings(const struct crowd *crowd, unsigned index)
{
    char path[CROWD_PATH_SIZE + 16];
    char settings[sizeof(SETTINGS) + sizeof(NODE_SETTINGS) + URL_MAX];
    int len = snprintf(settings, sizeof(settings), SETTINGS, crowd->setup.bot_delay_ms);
    if (crowd->setup.url != NULL) {
        (void)snprintf(&settings[len], sizeof(settings) - (size_t)len, NODE_SETTINGS,
                       crowd->setup.url, index + 1, ports_find_free());
    }
    (void)snprintf(path, sizeof(path), "%s/house.conf", crowd->nodes[index].data);
    write_file(path, settings);
}

static void make_folders(struct crowd *crowd)
{
    (void)snprintf(crowd->folder, sizeof(crowd->folder), "/tmp/trickhouse-crowd-XXXXXX");
    if (mkdtemp(crowd->folder) == NULL || chmod(crowd->folder, 0711) != 0) {
        fail_with_error("mkdtemp"); /* a house that root starts runs as another user, who must enter
                                       the folder */
    }
    crowd->node_count = crowd->setup.url == NULL ? 1 : crowd->setup.nodes;
    for (unsigned i = 0; i < crowd->node_count; i++) {
        char *data = crowd->nodes[i].data;
        (void)snprintf(data, CROWD_PATH_SIZE, "%s/data%u", crowd->folder, i + 1);
        if (mkdir(data, 0700) != 0) {
            fail_with_error(data);
        }
        write_settings(crowd, i);
    }
}

static void start_nodes(struct crowd *crowd)
{
    for (unsigned i = 0; i < crowd->node_count; i++) {
        node_start(&crowd->nodes[i], crowd->setup.program);
    }
    for (unsigned i = 0; i < crowd->node_count; i++) {
        if (!node_is_open(&crowd->nodes[i], OPEN_MS)) {
            errno = 0;
            fail_with_error("the house does not open");
        }
    }
}

void crowd_database_path(const struct crowd *crowd, char path[CROWD_PATH_SIZE + 16])
{
    (void)snprintf(path, CROWD_PATH_SIZE + 16, "%s/house.db", crowd->nodes[0].data);
}

bool crowd_setup_read(struct crowd_setup *setup, const char *program, const char *companies)
{
    *setup = (struct crowd_setup){
        .program = program,
        .companies = companies != NULL ? (unsigned)strtoul(companies, NULL, 10) : 6,
        .people = 3,
        .bots = 1,
        .policy = "easy",
    };
    bool is_good = setup->companies > 0 && setup->companies <= CROWD_COMPANIES_MAX;
    if (!is_good) {
        fprintf(stderr, "%s: 1 to %d tables\n", program_invocation_short_name, CROWD_COMPANIES_MAX);
    }
    return is_good;
}

void crowd_open(struct crowd *crowd, const struct crowd_setup *setup)
{
    memset(crowd, 0, sizeof(*crowd));
    crowd->setup = *setup;
    signal(SIGPIPE, SIG_IGN);
    make_folders(crowd);
    create_accounts_and_keys(crowd);
    start_nodes(crowd);
    crowd->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (crowd->epoll < 0) {
        fail_with_error("epoll_create1");
    }
    for (unsigned i = 0; i < crowd->count; i++) {
        crowd->watched[i] = -1;
        const struct link_login login = {.user = crowd->names[i], .key = crowd->keys[i]};
        unsigned company = i / setup->people;
        crowd->gamblers[i] =
            gambler_new(&login, crowd->nodes, crowd->node_count, &crowd->companies[company],
                        &crowd->ledger, &crowd->counts[company]);
    }
}

/* Lets a gambler act, and watches the input if the gambler has connected. Closing an input ends the
 * watch. */
static void run_gambler(struct crowd *crowd, unsigned i, int64_t now_ms, bool is_readable)
{
    gambler_run_pass(crowd->gamblers[i], now_ms, is_readable);
    int input = gambler_input_fd(crowd->gamblers[i]);
    if (input >= 0 && crowd->watched[i] < 0) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        if (epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, input, &event) != 0) {
            fail_with_error("epoll_ctl");
        }
    }
    crowd->watched[i] = input;
}

void crowd_run_pass(struct crowd *crowd)
{
    struct epoll_event events[CROWD_PEOPLE_MAX];
    int count = epoll_wait(crowd->epoll, events, CROWD_PEOPLE_MAX, TURN_MS);
    int64_t now_ms = crowd_now_ms();
    for (int i = 0; i < count; i++) {
        run_gambler(crowd, events[i].data.u32, now_ms, true);
    }
    if (now_ms - crowd->pass_ms >= LOOK_MS) {
        crowd->pass_ms = now_ms;
        for (unsigned i = 0; i < crowd->count; i++) {
            run_gambler(crowd, i, now_ms, false);
        }
    }
}

void crowd_finish_moves(struct crowd *crowd)
{
    bool is_waiting = true;
    int64_t deadline_ms = crowd_now_ms() + REST_MS;
    for (unsigned i = 0; i < crowd->count; i++) {
        gambler_stop_moving(crowd->gamblers[i]);
    }
    while (is_waiting && crowd_now_ms() < deadline_ms) {
        is_waiting = false;
        crowd_run_pass(crowd);
        for (unsigned i = 0; i < crowd->count; i++) {
            is_waiting = is_waiting || gambler_awaits_answer(crowd->gamblers[i]);
        }
    }
}

bool crowd_wait_for_moves(struct crowd *crowd, int64_t limit_ms)
{
    int64_t until_ms = crowd_now_ms() + limit_ms;
    unsigned playing = 0;
    while (playing < crowd->setup.companies && crowd_now_ms() < until_ms) {
        crowd_run_pass(crowd);
        playing = 0;
        for (unsigned i = 0; i < crowd->setup.companies; i++) {
            playing += crowd->counts[i].moves > 0;
        }
    }
    return playing == crowd->setup.companies;
}

int64_t crowd_watch_for_first_moves(struct crowd *crowd)
{
    int64_t now_ms = crowd_now_ms();
    for (unsigned i = 0; i < crowd->setup.companies; i++) {
        crowd->counts[i].since_ms = now_ms;
        crowd->counts[i].first_ms = 0;
    }
    return now_ms;
}

bool crowd_has_first_moves(const struct crowd *crowd)
{
    bool has_all = true;
    for (unsigned i = 0; i < crowd->setup.companies; i++) {
        has_all = has_all && crowd->counts[i].first_ms != 0;
    }
    return has_all;
}

void crowd_run_passes_for_ms(struct crowd *crowd, int64_t ms)
{
    int64_t until_ms = crowd_now_ms() + ms;
    while (crowd_now_ms() < until_ms) {
        crowd_run_pass(crowd);
    }
}

bool crowd_close(struct crowd *crowd)
{
    bool is_clean = true;
    for (unsigned i = 0; i < crowd->count; i++) {
        gambler_free(crowd->gamblers[i]);
    }
    crowd->count = 0;
    close(crowd->epoll);
    for (unsigned i = 0; i < crowd->node_count; i++) {
        struct node *node = &crowd->nodes[i];
        is_clean = (node->supervisor == 0 || node_stop(node)) && is_clean;
    }
    return is_clean;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

void crowd_clear(struct crowd *crowd, bool keeps_folder)
{
    if (keeps_folder) {
        fprintf(stderr, "crowd: the folder %s is kept for inspection\n", crowd->folder);
    } else {
        (void)nftw(crowd->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    ledger_clear(&crowd->ledger);
}

struct gambler_counts crowd_sum_counts(const struct crowd *crowd)
{
    struct gambler_counts sum = {0};
    for (unsigned i = 0; i < crowd->setup.companies; i++) {
        sum.moves += crowd->counts[i].moves;
        sum.connections += crowd->counts[i].connections;
        sum.resyncs += crowd->counts[i].resyncs;
    }
    return sum;
}
