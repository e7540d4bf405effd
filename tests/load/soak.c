#include "tests/bench/load/house_play.h"
#include "tests/bench/load/options.h"
#include "tests/bench/load/server.h"
#include "tests/bench/load/wire.h"
#include "tests/kills/crowd.h"
#include "tests/load/load.h"
#include "tests/lobby/full_house.h"
#include "tests/times.h"

#include <dirent.h>
#include <pthread.h>
#include <sodium.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Lets a house work for a long time, and finds out whether it grows: people play at tables with
 * bots, guests come and go with the terminal, and others only ask who is here or who leads.
 *
 * load_soak PROGRAM [SECONDS]
 *
 * Begins with a database that is larger than SQLite's cache, so that the cache is soon full. Sixty
 * times during the run, the visitors rest: when they have left, the memory and the descriptors of
 * every process are read. Prints them. Fails if a visitor came or asked in vain, or if in the
 * second half of the run
 *   - a process has ended or begun, apart from visitors' sessions and the check of a backup;
 *   - a process has more descriptors in the last fifteen samples than in the fifteen before (the
 *     fewest count: the core may notice a moment later that a visitor has left);
 *   - the memory of a process has grown by more than GROWTH_KIB, on the line that fits its samples
 *     best (least squares).
 * Needs root, to read the memory of sessions.
 */

#define TABLES 16
#define PEOPLE 2
#define BOTS 2
#define BOT_DELAY_MS 100
#define THINK_LEAST_MS 50
#define THINK_MEAN_MORE_MS 450
/* With these, the database has about 120 MiB; SQLite's cache has 32. */
#define ACCOUNTS 20000
#define GAMES 60000
#define COME_MS 60000  /* time limit until everybody plays */
#define LEAVE_MS 30000 /* time limit until all visitors have left */
#define SAMPLES 60
#define VISITORS 2 /* threads: each is one visitor after the other */
#define PROCESSES_MAX 64
#define GROWTH_KIB 512

struct sample {
    double private_kib; /* pages of the process alone */
    int descriptors;
};

struct watched_process {
    pid_t pid;
    char name[32];
    struct sample samples[SAMPLES];
};

struct visits {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_resting, is_over; /* these two, and the counts, under `lock` */
    int present;              /* visitors who are in the house now */
    int guests, questions, failures;
    struct options options; /* where the house is; read only */
};

struct soak {
    struct crowd crowd;
    struct visits visits;
    pthread_t visitors[VISITORS];
    struct watched_process processes[PROCESSES_MAX];
    int process_count;
    int samples;
};

/* What guests type, each time something else, all at once. */
static const char *const guest_keys[] = {
    "qlq?", /* the leaders, the help */
    "4",    /* a game against bots; leaves in its midst */
    "qcgood evening everybody\r",
    "q/who\r",
    "q/help\r",
    "q/tables\r",
    "qhqnq",
};

static const char *const questions[] = {"who", "top oh-hell", "games p1", "tables",
                                        "top hund --json"};

/* Waits while visitors shall rest. Returns false when the run is over. */
static bool begin_visit(struct visits *visits)
{
    pthread_mutex_lock(&visits->lock);
    while (visits->is_resting && !visits->is_over) {
        pthread_cond_wait(&visits->changed, &visits->lock);
    }
    bool goes_on = !visits->is_over;
    visits->present += goes_on;
    pthread_mutex_unlock(&visits->lock);
    return goes_on;
}

static void end_visit(struct visits *visits, bool is_guest, bool is_good)
{
    pthread_mutex_lock(&visits->lock);
    visits->present--;
    visits->guests += is_guest;
    visits->questions += !is_guest;
    visits->failures += !is_good;
    pthread_mutex_unlock(&visits->lock);
}

static bool visit_as_guest(const struct options *options, unsigned turn)
{
    struct wire wire;
    const char *keys = guest_keys[turn % (sizeof(guest_keys) / sizeof(guest_keys[0]))];
    bool is_good = wire_connect(&wire, options, 0, NULL) >= 0 && wire_type(&wire, keys) &&
                   wire_wait_until_silent(&wire, 300, 2000);
    if (!is_good) {
        fprintf(stderr, "load_soak: a guest: %s\n", wire.why);
    }
    wire_close(&wire);
    return is_good;
}

/* Asks one question with the real ssh. */
static bool ask_question(int port, unsigned turn)
{
    char command[256];
    int status;
    pid_t pid;
    (void)snprintf(command, sizeof(command),
                   "exec ssh -F none -p %d -o StrictHostKeyChecking=no -o UserKnownHostsFile="
                   "/dev/null -o LogLevel=ERROR -o PubkeyAuthentication=no guest@127.0.0.1 %s "
                   "</dev/null >/dev/null",
                   port, questions[turn % (sizeof(questions) / sizeof(questions[0]))]);
    char shell[] = "/bin/sh", option[] = "-c";
    char *words[] = {shell, option, command, NULL};
    return posix_spawn(&pid, shell, NULL, NULL, words, environ) == 0 &&
           waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void *run_visitor(void *context)
{
    struct visits *visits = context;
    for (unsigned turn = 0; begin_visit(visits); turn++) {
        bool is_guest = turn % 2 == 0;
        bool is_good = is_guest ? visit_as_guest(&visits->options, turn / 2)
                                : ask_question(visits->options.ports[0], turn / 2);
        end_visit(visits, is_guest, is_good);
    }
    return NULL;
}

static void let_visitors(struct visits *visits, bool is_resting, bool is_over)
{
    pthread_mutex_lock(&visits->lock);
    visits->is_resting = is_resting;
    visits->is_over = is_over;
    pthread_cond_broadcast(&visits->changed);
    pthread_mutex_unlock(&visits->lock);
}

static int count_present(struct visits *visits)
{
    pthread_mutex_lock(&visits->lock);
    int present = visits->present;
    pthread_mutex_unlock(&visits->lock);
    return present;
}

/* Writes the empty name for a process that has ended. */
static void read_name(pid_t pid, char name[32])
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    FILE *in = fopen(path, "re");
    bool is_read = in != NULL && fgets(name, 32, in) != NULL;
    name[is_read ? strcspn(name, "\n") : 0] = '\0';
    if (in != NULL) {
        fclose(in);
    }
}

static int count_descriptors(pid_t pid)
{
    char path[64];
    int count = 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    fail_unless(folder != NULL, "load_soak: the descriptors of a process cannot be listed");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

static struct sample read_sample(pid_t pid)
{
    struct server_memory memory = {0};
    fail_unless(server_add_process_memory(pid, &memory),
                "load_soak: the memory of a process cannot be read");
    return (struct sample){memory.private_kib, count_descriptors(pid)};
}

/* Lists the house's processes, but for the one that checks a backup: it comes and goes. It has the
 * name of the link through which the core starts it, /proc/self/exe. */
static struct server_cpu list_processes(struct soak *soak)
{
    struct server server = {.pid = soak->crowd.nodes[0].supervisor};
    struct server_cpu all;
    int kept = 0;
    fail_unless(server_read_cpu(&server, &all), "load_soak: the house does not run");
    for (int i = 0; i < all.count; i++) {
        char name[32];
        read_name(all.processes[i].pid, name);
        if (strcmp(name, "exe") != 0) {
            all.processes[kept++] = all.processes[i];
        }
    }
    all.count = kept;
    return all;
}

/* Says who should have left, or come back, by now. */
static void fail_for_unrest(struct soak *soak)
{
    struct server_cpu all = list_processes(soak);
    fprintf(stderr, "load_soak: %d visitors in the house, %d processes, expected %d:",
            count_present(&soak->visits), all.count, soak->process_count);
    for (int i = 0; i < all.count; i++) {
        char name[32];
        read_name(all.processes[i].pid, name);
        fprintf(stderr, " %s (%d)", name, (int)all.processes[i].pid);
    }
    fputc('\n', stderr);
    fail_unless(false, "load_soak: sessions of visitors do not end");
}

/* Lets the crowd play on until all visitors have left and their sessions have ended. */
static void wait_for_rest(struct soak *soak)
{
    int64_t until_ms = crowd_now_ms() + LEAVE_MS;
    int count = 0;
    while (count_present(&soak->visits) > 0 || count != soak->process_count) {
        if (crowd_now_ms() >= until_ms) {
            fail_for_unrest(soak);
        }
        crowd_run_pass(&soak->crowd);
        struct server_cpu all = list_processes(soak);
        count = all.count;
        server_cpu_clear(&all);
    }
}

static void note_processes(struct soak *soak)
{
    struct server_cpu all = list_processes(soak);
    fail_unless(all.count <= PROCESSES_MAX, "load_soak: the house has too many processes");
    soak->process_count = all.count;
    for (int i = 0; i < all.count; i++) {
        soak->processes[i].pid = all.processes[i].pid;
        read_name(all.processes[i].pid, soak->processes[i].name);
    }
    server_cpu_clear(&all);
}

/* Returns the size in KiB of a file of the house; 0 if there is none. */
static long read_file_kib(const struct crowd *crowd, const char *name)
{
    char path[CROWD_PATH_SIZE + 32];
    struct stat info;
    (void)snprintf(path, sizeof(path), "%s/%s", crowd->nodes[0].data, name);
    return stat(path, &info) == 0 ? (long)(info.st_size / 1024) : 0;
}

static bool is_session(const struct watched_process *process)
{
    return strncmp(process->name, "session", strlen("session")) == 0;
}

static void print_sample(struct soak *soak, int64_t seconds)
{
    double sessions_kib = 0;
    int at = soak->samples - 1;
    printf("%5lld s ", (long long)seconds);
    for (int i = 0; i < soak->process_count; i++) {
        const struct watched_process *process = &soak->processes[i];
        if (is_session(process)) {
            sessions_kib += process->samples[at].private_kib;
        } else {
            printf(" %s %.0f/%d", process->name, process->samples[at].private_kib,
                   process->samples[at].descriptors);
        }
    }
    printf("  sessions %.0f  database %ld log %ld  moves %llu\n", sessions_kib,
           read_file_kib(&soak->crowd, "house.db"), read_file_kib(&soak->crowd, "house.db-wal"),
           (unsigned long long)crowd_sum_counts(&soak->crowd).moves);
    fflush(stdout);
}

static void take_sample(struct soak *soak, int64_t seconds)
{
    let_visitors(&soak->visits, true, false);
    wait_for_rest(soak);
    for (int i = 0; i < soak->process_count; i++) {
        soak->processes[i].samples[soak->samples] = read_sample(soak->processes[i].pid);
    }
    soak->samples++;
    print_sample(soak, seconds);
    let_visitors(&soak->visits, false, false);
}

/* Returns by how many KiB the process has grown in the second half, on the line that fits best. */
static double compute_growth_kib(const struct watched_process *process)
{
    int first = SAMPLES / 2, count = SAMPLES - first;
    double mean_at = (count - 1) / 2.0, mean = 0, covariance = 0, variance = 0;
    for (int i = 0; i < count; i++) {
        mean += process->samples[first + i].private_kib / count;
    }
    for (int i = 0; i < count; i++) {
        covariance += (i - mean_at) * (process->samples[first + i].private_kib - mean);
        variance += (i - mean_at) * (i - mean_at);
    }
    return covariance / variance * (count - 1);
}

/* Returns the fewest descriptors among a quarter of the samples, from `first` on. */
static int find_fewest_descriptors(const struct watched_process *process, int first)
{
    int fewest = process->samples[first].descriptors;
    for (int i = first; i < first + SAMPLES / 4; i++) {
        int count = process->samples[i].descriptors;
        fewest = count < fewest ? count : fewest;
    }
    return fewest;
}

static bool judge_process(const struct watched_process *process)
{
    double growth_kib = compute_growth_kib(process);
    int before = find_fewest_descriptors(process, SAMPLES / 2);
    int last = find_fewest_descriptors(process, SAMPLES * 3 / 4);
    bool is_good = growth_kib <= GROWTH_KIB && last <= before;
    if (!is_good || !is_session(process)) {
        printf("%s (%d): %+.0f KiB in the second half, %d descriptors, then %d%s\n", process->name,
               (int)process->pid, growth_kib, before, last, is_good ? "" : ": it grows");
    }
    return is_good;
}

static bool judge(struct soak *soak)
{
    struct server_cpu all = list_processes(soak);
    bool is_good = soak->visits.failures == 0;
    for (int i = 0; i < soak->process_count; i++) {
        is_good = judge_process(&soak->processes[i]) && is_good;
        if (i >= all.count || all.processes[i].pid != soak->processes[i].pid) {
            printf("%s (%d) has ended\n", soak->processes[i].name, (int)soak->processes[i].pid);
            is_good = false;
        }
    }
    printf("%d guests, %d questions, %d of them in vain\n", soak->visits.guests,
           soak->visits.questions, soak->visits.failures);
    server_cpu_clear(&all);
    return is_good;
}

static void start_visitors(struct soak *soak)
{
    char name[] = "load_soak", port_option[] = "--port", number[16];
    (void)snprintf(number, sizeof(number), "%d", soak->crowd.nodes[0].port);
    char *arguments[] = {name, port_option, number, NULL};
    fail_unless(options_read(3, arguments, &soak->visits.options) == 0,
                "load_soak: the options are wrong");
    fail_unless(pthread_mutex_init(&soak->visits.lock, NULL) == 0 &&
                    pthread_cond_init(&soak->visits.changed, NULL) == 0,
                "load_soak: no lock");
    for (int i = 0; i < VISITORS; i++) {
        fail_unless(pthread_create(&soak->visitors[i], NULL, run_visitor, &soak->visits) == 0,
                    "load_soak: no thread");
    }
}

static void run(struct soak *soak, unsigned long seconds)
{
    int64_t begin_ms = crowd_now_ms();
    note_processes(soak);
    start_visitors(soak);
    for (int i = 0; i < SAMPLES; i++) {
        int64_t until_ms = begin_ms + (int64_t)seconds * 1000 * (i + 1) / SAMPLES;
        while (crowd_now_ms() < until_ms) {
            crowd_run_pass(&soak->crowd);
        }
        take_sample(soak, (crowd_now_ms() - begin_ms) / 1000);
    }
    let_visitors(&soak->visits, true, true);
    wait_for_rest(soak);
    for (int i = 0; i < VISITORS; i++) {
        pthread_join(soak->visitors[i], NULL);
    }
}

static void make_database(const char *path)
{
    const struct full_house house = {
        .accounts = ACCOUNTS,
        .games = GAMES,
        .seed = 1,
        .now_ms = (int64_t)(times_read_clock_s(CLOCK_REALTIME) * 1000),
    };
    full_house_create(&house, path);
}

int main(int argc, char **argv)
{
    static struct soak soak;
    char folder[] = "/tmp/trickhouse-soak-XXXXXX", database[64];
    unsigned long seconds = argc > 2 ? strtoul(argv[2], NULL, 10) : 3600;
    if (argc < 2 || argc > 3 || sodium_init() < 0 || seconds < SAMPLES) {
        fprintf(stderr, "usage: load_soak PROGRAM [SECONDS], at least %d\n", SAMPLES);
        return 2;
    }
    fail_unless(mkdtemp(folder) != NULL, "load_soak: no folder");
    (void)snprintf(database, sizeof(database), "%s/house.db", folder);
    make_database(database);
    const struct crowd_setup setup = {
        .program = argv[1],
        .companies = TABLES,
        .people = PEOPLE,
        .bots = BOTS,
        .policy = "medium",
        .bot_delay_ms = BOT_DELAY_MS,
        .database = database,
    };
    crowd_open(&soak.crowd, &setup);
    fail_unless(unlink(database) == 0 && rmdir(folder) == 0, "load_soak: the folder stays");
    for (unsigned i = 0; i < soak.crowd.count; i++) {
        gambler_set_pace(soak.crowd.gamblers[i], THINK_LEAST_MS, THINK_MEAN_MORE_MS);
    }
    bool is_good = crowd_wait_for_moves(&soak.crowd, COME_MS);
    if (is_good) {
        run(&soak, seconds);
        is_good = judge(&soak);
    }
    crowd_finish_moves(&soak.crowd);
    is_good = crowd_close(&soak.crowd) && is_good;
    crowd_clear(&soak.crowd, !is_good);
    return is_good ? 0 : 1;
}
