#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"
#include "daemon/cli/output.h"
#include "games/bits.h"
#include "games/bots/policy.h"
#include "tests/bench/bench.h"
#include "tests/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEALS_MAX 100000
#define DECISIONS_MAX 4000000
#define ROW_BYTES 128
#define CONFIDENCE 1.96 /* standard errors in half of a 95 % interval */

/* What one game showed of the measured policy. */
struct game_figures {
    double win;    /* its share of the win */
    double points; /* its points a round, less the mean of the others' */
    double rank;   /* 1 for the first rank, 0 for the last */
};

/* The mean of a figure, and half of its 95 % interval. All games of a deal count as one value,
 * because they resemble each other. */
struct mean {
    double sum, squares;
    uint32_t count;
};

struct bots_bench {
    const char *id, *players, *list;
    struct settings settings;
    uint32_t deals;
    const struct game_def *game;
    struct game_config config;
    const struct policy *policies[SEATS_MAX]; /* the measured one, then those of the others */
    struct search *search;
    double *decision_ms; /* the times of the measured policy's choices */
    size_t decision_count;
    uint32_t round_count; /* rounds of the current game */
    struct output output;
};

static void count_round(void *context, const struct score_row *row)
{
    struct bots_bench *bench = context;
    (void)row;
    bench->round_count++;
}

/* Returns the policy of a seat when the measured one plays in `own`. */
static const struct policy *policy_of_seat(const struct bots_bench *bench, uint8_t seat,
                                           uint8_t own)
{
    return seat == own ? bench->policies[0] : bench->policies[seat < own ? seat + 1 : seat];
}

static uint8_t choose_move(struct bots_bench *bench, const struct game_view *view, uint8_t own,
                           struct quick_random *random)
{
    const struct policy *policy = policy_of_seat(bench, (uint8_t)view->seat, own);
    bool is_timed = view->seat == own && move_set_count(&view->legal) > 1 &&
                    bench->decision_count < DECISIONS_MAX;
    double start_ms = times_now_ms();
    uint8_t move = policy_choose_move(policy, bench->search, view, &bench->config, random);
    if (is_timed) {
        bench->decision_ms[bench->decision_count++] = times_now_ms() - start_ms;
    }
    return move;
}

/* Plays a game of the deal to its end. Returns false if the game refuses a move. */
static bool play_game(struct bots_bench *bench, uint32_t deal, uint8_t own,
                      struct game_outcome *outcome)
{
    static struct game_view view;
    const struct game_log log = {.context = bench, .score = count_round};
    uint8_t seed[SEED_BYTES] = {0};
    struct game_state state;
    struct quick_random random;
    memcpy(seed, &deal, sizeof(deal));
    quick_random_init(&random, (uint64_t)deal * SEATS_MAX + own);
    bench->round_count = 0;
    if (game_start(bench->game, &bench->config, seed, &state, NULL) != GAME_OK) {
        return false;
    }
    uint8_t seats;
    while ((seats = game_seats_to_act(bench->game, &state)) != 0) {
        uint8_t seat = bits_index_of_lowest(seats);
        game_fill_view(bench->game, &state, (int8_t)seat, &view);
        uint8_t move = choose_move(bench, &view, own, &random);
        if (game_apply(bench->game, &state, seat, move, &log) != GAME_OK) {
            return false;
        }
    }
    game_fill_outcome(bench->game, &state, outcome);
    return true;
}

static struct game_figures read_figures(const struct bots_bench *bench,
                                        const struct game_outcome *outcome, uint8_t own)
{
    int others = 0;
    uint8_t players = bench->config.players;
    for (uint8_t seat = 0; seat < players; seat++) {
        others += seat == own ? 0 : outcome->scores[seat];
    }
    bool has_won = (outcome->winners >> own & 1) != 0;
    return (struct game_figures){
        .win = has_won ? 1.0 / bits_count(outcome->winners) : 0,
        .points = (outcome->scores[own] - (double)others / (players - 1)) / bench->round_count,
        .rank = (double)(players - outcome->ranks[own]) / (players - 1),
    };
}

static void add_value(struct mean *mean, double value)
{
    mean->sum += value;
    mean->squares += value * value;
    mean->count++;
}

static void print_mean(struct bots_bench *bench, const char *what, const struct mean *mean)
{
    double average = mean->sum / mean->count;
    double variance = mean->squares / mean->count - average * average;
    double half =
        mean->count < 2 || variance <= 0 ? 0 : CONFIDENCE * sqrt(variance / (mean->count - 1));
    char row[ROW_BYTES];
    snprintf(row, sizeof(row), "%-28s %8.3f +- %.3f\n", what, average, half);
    output_write_line(&bench->output, row);
}

static void print_times(struct bots_bench *bench)
{
    char row[ROW_BYTES];
    size_t count = bench->decision_count;
    if (count == 0) {
        return;
    }
    double median = times_sort(bench->decision_ms, count);
    snprintf(row, sizeof(row), "%-28s %8.2f (99 %%: %.2f)\n", _("ms a choice, median"), median,
             bench->decision_ms[count - 1 - count / 100]);
    output_write_line(&bench->output, row);
}

/* Plays every deal once with the measured policy in each seat. Returns the exit status. */
static int measure(struct bots_bench *bench)
{
    struct mean wins = {0}, points = {0}, ranks = {0};
    uint8_t players = bench->config.players;
    char row[ROW_BYTES];
    bench->output = output_begin();
    for (uint32_t deal = 0; deal < bench->deals; deal++) {
        struct game_figures sum = {0};
        for (uint8_t own = 0; own < players; own++) {
            static struct game_outcome outcome;
            if (!play_game(bench, deal, own, &outcome)) {
                fprintf(stderr, _("bench bots: deal %u cannot be played to its end\n"), deal);
                return 1;
            }
            struct game_figures figures = read_figures(bench, &outcome, own);
            sum.win += figures.win / players;
            sum.points += figures.points / players;
            sum.rank += figures.rank / players;
        }
        add_value(&wins, sum.win);
        add_value(&points, sum.points);
        add_value(&ranks, sum.rank);
    }
    snprintf(row, sizeof(row), _("%s, %u players, %u deals with %s in each seat (even: %.3f)\n"),
             bench->game->id, players, bench->deals, policy_name(bench->policies[0]),
             1.0 / players);
    output_write_line(&bench->output, row);
    print_mean(bench, _("wins"), &wins);
    print_mean(bench, _("points a round more"), &points);
    print_mean(bench, _("rank (1 first, 0 last)"), &ranks);
    print_times(bench);
    return output_end(&bench->output, &bench_program);
}

int bench_bots(char **argv)
{
    struct bots_bench bench = {.list = "strong,medium", .deals = 100};
    const struct argument options[] = {
        {.name = "players", .text = &bench.players},
        {.name = "bots", .text = &bench.list},
        {.name = "deals", .number = &bench.deals, .min = 1, .max = DEALS_MAX},
        {.name = "option", .settings = &bench.settings},
        {.text = &bench.id, .called = "GAME", .is_needed = true},
    };
    if (!arguments_read(&bench_program, options, argv) ||
        !arguments_find_game(&bench_program, bench.id, &bench.game) ||
        !arguments_make_game_config(&bench_program, bench.game, bench.players, &bench.settings,
                                    &bench.config)) {
        return 2;
    }
    if (!policy_read_list(bench.list, bench.config.players, bench.policies)) {
        return subcommand_report_wrong_usage(
            &bench_program,
            _("--bots must be a list of random, easy, medium and strong, not \"%s\""), bench.list);
    }
    bench.search = calloc(1, sizeof(*bench.search));
    bench.decision_ms = calloc(DECISIONS_MAX, sizeof(*bench.decision_ms));
    int status = 1;
    if (bench.search == NULL || bench.decision_ms == NULL) {
        fputs(_("bench bots: out of memory\n"), stderr);
    } else {
        search_init(bench.search);
        status = measure(&bench);
    }
    free(bench.search);
    free(bench.decision_ms);
    return status;
}
