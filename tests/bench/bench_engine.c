#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "tests/bench/bench.h"
#include "tests/games/random_play.h"
#include "tests/times.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 5
#define SECONDS_DEFAULT 0.2
#define SECONDS_MAX 3600.0

/* the clock is read once per this many games */
#define PLAYOUTS_A_TURN 16

struct engine_bench {
    const char *id; /* the id of the game to measure; NULL: every game */
    struct settings settings;
    double seconds;              /* duration of one run */
    const struct game_def *only; /* the game to measure; NULL: every game */
    uint32_t players;            /* the number of players; 0: every number */
    struct game_config config;   /* the options of the game to measure */
};

static void deal_game(const struct game_def *game, const struct game_config *config,
                      struct quick_random *random, struct game_state *state)
{
    uint8_t seed[SEED_BYTES] = {0};
    uint64_t word = quick_random_next(random);
    memcpy(seed, &word, sizeof(word));
    enum game_result went = game_start(game, config, seed, state, NULL);
    assert(went == GAME_OK); /* measure_game has refused invalid numbers of players and options */
    (void)went;
}

static void record_round_end(void *context, const struct game_event *event)
{
    *(bool *)context |= event->is_score;
}

/* Plays the newly dealt round at random. Returns the number of moves in it. */
static uint64_t count_moves_in_round(const struct game_def *game, const struct game_state *dealt,
                                     struct quick_random *random)
{
    bool has_ended = false;
    struct game_log log = {.context = &has_ended, .event = record_round_end};
    struct game_state state = *dealt;
    uint64_t decisions = 0;
    while (!has_ended) {
        random_play(game, &state, random, 1, &log);
        decisions++;
    }
    return decisions;
}

/* Plays the same round again and again, as a bot does that searches for a move: all moves of the
 * round but the last, which would deal the next round. Returns moves per second. */
static double measure_rounds(const struct game_def *game, const struct game_config *config,
                             double seconds, struct quick_random *random)
{
    struct game_state dealt;
    deal_game(game, config, random, &dealt);
    uint64_t length = count_moves_in_round(game, &dealt, random) - 1;
    uint64_t decisions = 0;
    double start = times_read_clock_s(CLOCK_PROCESS_CPUTIME_ID);
    double passed;
    do {
        for (int i = 0; i < PLAYOUTS_A_TURN; i++) {
            struct game_state state = dealt;
            decisions += random_play(game, &state, random, length, NULL);
        }
        passed = times_read_clock_s(CLOCK_PROCESS_CPUTIME_ID) - start;
    } while (passed < seconds);
    return (double)decisions / passed;
}

/* Plays entire games, each dealt from a new seed. */
static void measure_games(const struct game_def *game, const struct game_config *config,
                          double seconds, struct quick_random *random, double *decisions_per_second,
                          double *games_per_second)
{
    uint64_t games = 0;
    uint64_t decisions = 0;
    double start = times_read_clock_s(CLOCK_PROCESS_CPUTIME_ID);
    double passed;
    do {
        for (int i = 0; i < PLAYOUTS_A_TURN; i++) {
            struct game_state state;
            deal_game(game, config, random, &state);
            decisions += random_play(game, &state, random, UINT64_MAX, NULL);
            games++;
        }
        passed = times_read_clock_s(CLOCK_PROCESS_CPUTIME_ID) - start;
    } while (passed < seconds);
    *decisions_per_second = (double)decisions / passed;
    *games_per_second = (double)games / passed;
}

static void print_game_row(struct engine_bench *bench, const struct game_def *game,
                           const struct game_config *config)
{
    double in_round[RUNS];
    double decisions[RUNS];
    double games[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        struct quick_random random;
        quick_random_init(&random, i);
        in_round[i] = measure_rounds(game, config, bench->seconds, &random);
        measure_games(game, config, bench->seconds, &random, &decisions[i], &games[i]);
    }
    printf("%-16s %7u %18.0f %13.0f %9.0f\n", game->id, config->players, times_sort(in_round, RUNS),
           times_sort(decisions, RUNS), times_sort(games, RUNS));
    (void)fflush(stdout);
}

static void measure_game(struct engine_bench *bench, const struct game_def *game)
{
    for (uint8_t players = game->seats_min; players <= game->seats_max; players++) {
        struct game_config config = game_config_default(game, players);
        if (game == bench->only) {
            config = bench->config;
            config.players = players;
        }
        bool is_wanted = bench->players == 0 || bench->players == players;
        if (is_wanted && game_config_check(game, &config) == GAME_OK) {
            print_game_row(bench, game, &config);
        }
    }
}

static int measure_all_games(struct engine_bench *bench)
{
    printf("%-16s %7s %18s %13s %9s\n", _("game"), _("players"), _("decisions/s (deal)"),
           _("decisions/s"), _("games/s"));
    for (uint8_t i = 0; i < game_count(); i++) {
        if (bench->only == NULL || bench->only == game_at(i)) {
            measure_game(bench, game_at(i));
        }
    }
    return 0;
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end = NULL;
    *seconds = strspn(text, "0123456789.") == strlen(text) ? strtod(text, &end) : 0;
    return end != NULL && end != text && *end == '\0' && *seconds > 0 && *seconds <= SECONDS_MAX;
}

/* Checks whether the arguments fit together. Returns an exit status if they do not, otherwise 0. */
static int check_arguments(struct engine_bench *bench)
{
    if (bench->id == NULL) {
        return bench->settings.count == 0
                   ? 0
                   : subcommand_report_wrong_usage(_("--option needs a GAME"));
    }
    if (!arguments_find_game(bench->id, &bench->only)) {
        return 2;
    }
    char players[4];
    snprintf(players, sizeof(players), "%u",
             bench->players != 0 ? (uint8_t)bench->players : bench->only->seats_min);
    return arguments_make_game_config(bench->only, players, &bench->settings, &bench->config) ? 0
                                                                                              : 2;
}

int bench_engine(char **argv)
{
    struct engine_bench bench = {.seconds = SECONDS_DEFAULT};
    const char *seconds = NULL;
    const struct argument options[] = {
        {.name = "players", .number = &bench.players, .min = 1, .max = SEATS_MAX},
        {.name = "seconds", .text = &seconds},
        {.name = "option", .settings = &bench.settings},
        {.text = &bench.id, .called = "GAME"},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (seconds != NULL && !read_seconds(seconds, &bench.seconds)) {
        return subcommand_report_wrong_usage(_("--seconds must be a number above 0, not \"%s\""),
                                             seconds);
    }
    int status = check_arguments(&bench);
    return status != 0 ? status : measure_all_games(&bench);
}
