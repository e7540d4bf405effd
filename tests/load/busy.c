#include "games/game.h"
#include "games/macros.h"
#include "lobby/protocol/protocol.h"
#include "tests/kills/crowd.h"
#include "tests/load/load.h"
#include "tests/times.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Measures whether requests for leaderboards delay moves in a busy house. Compares how long moves
 * wait for an answer in three phases. In the first phase nobody requests leaderboards. In the
 * second, the system drops the database file's pages from memory a few times a second. In the
 * third, a leaderboard is requested each time the pages were dropped.
 *
 * load_busy PROGRAM DATABASE [TABLES [ROUNDS [PER_SECOND]]]
 *
 * The house begins with a copy of DATABASE (load_leaders makes one). Two people and a bot sit at
 * each table and move about once a second.
 */

#define PEOPLE 2
#define PACE_MS 1000
#define COME_MS 180000 /* time limit until everybody plays */
#define PHASE_MS 10000
#define WAITS_MAX 1000000

enum phase {
    PHASE_QUIET,
    PHASE_FORGET,
    PHASE_ASK,
    PHASES,
};

static const char *const phases[PHASES] = {"no requests", "pages dropped", "requests"};

struct requester {
    struct link link;
    struct client *client;
    const char *database;
    bool is_in;
    bool is_waiting;
    int64_t asked_us;
    int64_t next_ms;
    int interval_ms;
    struct gambler_waits answers;
};

static void send_request_line(void *context, const char *json, size_t len)
{
    struct requester *requester = context;
    link_send(&requester->link, json, len);
}

static void handle_message(void *context, const char *type, const json_t *message)
{
    struct requester *requester = context;
    (void)message;
    requester->is_in = requester->is_in || strcmp(type, "welcome") == 0;
}

static void handle_answer(void *context, bool is_ok, const json_t *answer)
{
    struct requester *requester = context;
    (void)answer;
    fail_unless(is_ok, "load_busy: a leaderboard was refused");
    requester->is_waiting = false;
    if (requester->answers.count < requester->answers.capacity) {
        requester->answers.us[requester->answers.count++] = times_now_us() - requester->asked_us;
    }
}

/* Requests a random page of a random leaderboard of the first game. */
static void request_random_leaderboard(struct requester *requester)
{
    static const char *const spans[] = {"all", "month", "week", "season"};
    json_t *fields = json_pack("{s:s,s:s,s:i,s:i}", "game", game_at(0)->id, "span",
                               spans[randombytes_uniform(ARRAY_LEN(spans))], "players",
                               (int)(randombytes_uniform(2) == 0 ? 0 : 2 + randombytes_uniform(4)),
                               "offset", (int)randombytes_uniform(2000));
    requester->asked_us = times_now_us();
    requester->is_waiting =
        client_send_request(requester->client, "leaders", fields, handle_answer, requester);
}

static void requester_connect(struct requester *requester, const struct crowd *crowd)
{
    const struct link_login login = {crowd->nodes[0].port, crowd->names[0], crowd->keys[0]};
    fail_unless(link_open(&requester->link, &login), "load_busy: no connection");
    requester->client = client_new(send_request_line, requester);
    client_set_push_receiver(requester->client, handle_message, requester);
    client_send_hello(requester->client, "asker");
}

static void requester_run_pass(struct requester *requester, enum phase phase, int64_t now_ms)
{
    char *line;
    size_t len;
    bool is_there = link_read(&requester->link);
    while ((line = link_next_line(&requester->link, &len)) != NULL) {
        is_there = client_receive_packet(requester->client, line, len) == CLIENT_OK && is_there;
    }
    fail_unless(is_there, "load_busy: no connection for requesting leaderboards");
    link_send_waiting_bytes(&requester->link);
    if (phase == PHASE_QUIET || !requester->is_in || requester->is_waiting ||
        now_ms < requester->next_ms) {
        return;
    }
    requester->next_ms = now_ms + requester->interval_ms;
    drop_cached_pages(requester->database);
    if (phase == PHASE_ASK) {
        request_random_leaderboard(requester);
    }
}

static void run_phase(struct crowd *crowd, struct requester *requester, enum phase phase)
{
    int64_t until_ms = crowd_now_ms() + PHASE_MS;
    while (crowd_now_ms() < until_ms) {
        crowd_run_pass(crowd);
        requester_run_pass(requester, phase, crowd_now_ms());
    }
}

static double compute_percentile_ms(const struct gambler_waits *waits, size_t percent)
{
    size_t at = waits->count * percent / 100;
    return (double)waits->us[at < waits->count ? at : waits->count - 1] / 1000.0;
}

static void print_times(const char *caption, struct gambler_waits *waits)
{
    if (waits->count > 0) {
        times_sort_integers(waits->us, waits->count);
        printf("%-20s %7zu  half %8.2f  90 %% %8.2f  99 %% %8.2f  most %8.2f ms\n", caption,
               waits->count, compute_percentile_ms(waits, 50), compute_percentile_ms(waits, 90),
               compute_percentile_ms(waits, 99), compute_percentile_ms(waits, 100));
    }
}

static void measure_phases(struct crowd *crowd, struct requester *requester, unsigned long rounds)
{
    static int64_t moves_us[PHASES][WAITS_MAX];
    static int64_t lists_us[WAITS_MAX];
    struct gambler_waits waits[PHASES];
    requester->answers = (struct gambler_waits){.us = lists_us, .capacity = WAITS_MAX};
    for (size_t i = 0; i < PHASES; i++) {
        waits[i] = (struct gambler_waits){.us = moves_us[i], .capacity = WAITS_MAX};
    }
    for (unsigned long round = 0; round < rounds; round++) {
        for (size_t i = 0; i < PHASES; i++) {
            for (unsigned table = 0; table < crowd->setup.companies; table++) {
                crowd->counts[table].waits = &waits[i];
            }
            run_phase(crowd, requester, (enum phase)i);
        }
    }
    printf("%u people at %u tables; a request every %d ms; moves answered:\n", crowd->count,
           crowd->setup.companies, requester->interval_ms);
    for (size_t i = 0; i < PHASES; i++) {
        print_times(phases[i], &waits[i]);
    }
    print_times("the leaderboards", &requester->answers);
}

static unsigned long read_number_argument(int argc, char **argv, int index,
                                          unsigned long default_number)
{
    return argc > index ? strtoul(argv[index], NULL, 10) : default_number;
}

int main(int argc, char **argv)
{
    static struct crowd crowd;
    char database[CROWD_PATH_SIZE + 16];
    if (argc < 3 || sodium_init() < 0) {
        fprintf(stderr, "usage: load_busy PROGRAM DATABASE [TABLES [ROUNDS [PER_SECOND]]]\n");
        return 2;
    }
    unsigned long tables = read_number_argument(argc, argv, 3, 50);
    unsigned long rounds = read_number_argument(argc, argv, 4, 3);
    unsigned long per_second = read_number_argument(argc, argv, 5, 5);
    if (tables == 0 || tables > CROWD_COMPANIES_MAX || per_second == 0 || per_second > 1000) {
        fprintf(stderr, "load_busy: up to %d tables, up to 1000 requests a second\n",
                CROWD_COMPANIES_MAX);
        return 2;
    }
    struct crowd_setup setup = {.program = argv[1],
                                .companies = (unsigned)tables,
                                .people = PEOPLE,
                                .bots = 1,
                                .policy = "easy",
                                .database = argv[2]};
    crowd_open(&crowd, &setup);
    crowd_database_path(&crowd, database);
    struct requester requester = {.database = database, .interval_ms = (int)(1000 / per_second)};
    for (unsigned i = 0; i < crowd.count; i++) {
        gambler_set_pace(crowd.gamblers[i], PACE_MS, 0);
    }
    bool is_good = crowd_wait_for_moves(&crowd, COME_MS);
    if (is_good) {
        requester_connect(&requester, &crowd);
        measure_phases(&crowd, &requester, rounds);
        client_free(requester.client);
        link_close(&requester.link);
    }
    crowd_finish_moves(&crowd);
    is_good = crowd_close(&crowd) && is_good;
    crowd_clear(&crowd, !is_good);
    return is_good ? 0 : 1;
}
