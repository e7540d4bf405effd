#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/card.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEALS_MAX 100000
#define DECISIONS_MAX 4000000
#define ROW_BYTES 128
#define CONFIDENCE 1.96 /* standard errors in half of a 95 % interval */

/* The figures that are printed with an interval. */
enum figure {
    FIGURE_WIN,    /* the measured player's share of the win */
    FIGURE_MORE,   /* its points a round, less the mean of the others' */
    FIGURE_POINTS, /* its points a round */
    FIGURE_RANK,   /* 1 for the first rank, 0 for the last */
    FIGURES,
};

static const char *const figure_names[FIGURES] = {
    [FIGURE_WIN] = N_("wins"),
    [FIGURE_MORE] = N_("points a round more"),
    [FIGURE_POINTS] = N_("points a round"),
    [FIGURE_RANK] = N_("rank (1 first, 0 last)"),
};

/* The mean of a figure, and half of its 95 % interval. All games of a deal count as one value,
 * because they resemble each other. */
struct mean {
    double sum, squares;
    uint32_t count;
};

struct bots_bench {
    const char *id, *player_count, *list;
    struct settings settings;
    uint32_t deals;
    uint32_t rounds_most;  /* a game ends after so many rounds; 0: at its own end */
    uint32_t move_seconds; /* the time for each answer of a program */
    const struct game_def *game;
    struct game_config config;
    struct bench_players players;
    double *decision_ms; /* the times of the measured player's choices */
    size_t decision_count;
    uint64_t playouts; /* of the measured player, and the time that they took */
    double playouts_ms;
    uint32_t game_number;
    uint32_t round_count; /* rounds of the current game */
    struct output output;
};

static void count_round(void *context, const struct score_row *row)
{
    struct bots_bench *bench = context;
    (void)row;
    bench->round_count++;
}

static double read_clock_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1000.0 + (double)now.tv_nsec / 1e6;
}

/* Returns the player in a seat when the measured one plays in `own`. */
static const struct bench_player *player_of_seat(const struct bots_bench *bench, uint8_t seat,
                                                 uint8_t own)
{
    return &bench->players.at[seat == own ? 0 : seat < own ? seat + 1 : seat];
}

/* Adds a choice of the measured player between several moves, which took so long. */
static void add_choice(struct bots_bench *bench, const struct game_view *view, double took_ms)
{
    uint32_t playouts = bench_players_count_playouts(&bench->players, view);
    bench->playouts += playouts;
    bench->playouts_ms += playouts > 0 ? took_ms : 0;
    if (bench->decision_count < DECISIONS_MAX) {
        bench->decision_ms[bench->decision_count++] = took_ms;
    }
}

/* Returns MOVE_NONE after the player has printed why it makes no move. */
static uint8_t choose_move(struct bots_bench *bench, const struct game_view *view, uint8_t own,
                           struct quick_random *random)
{
    uint8_t seat = (uint8_t)view->seat;
    const struct bench_player *player = player_of_seat(bench, seat, own);
    const struct bench_turn turn = {.view = view,
                                    .config = &bench->config,
                                    .random = random,
                                    .game_number = bench->game_number};
    double start_ms = read_clock_ms();
    uint8_t move = player->choose(player->context, &turn);
    double took_ms = read_clock_ms() - start_ms;
    if (seat == own && move_set_count(&view->legal) > 1) {
        add_choice(bench, view, took_ms);
    }
    return move;
}

static bool is_over(const struct bots_bench *bench, const struct game_state *state)
{
    return game_seats_to_act(state) == 0 ||
           (bench->rounds_most > 0 && bench->round_count >= bench->rounds_most);
}

/* Plays a game of the deal to its end. Returns false after printing why it cannot. */
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
    bench->game_number++;
    bool is_playable = game_start(bench->game, &bench->config, seed, &state, NULL) == GAME_OK;
    while (is_playable && !is_over(bench, &state)) {
        uint8_t seat = bits_index_of_lowest(game_seats_to_act(&state));
        game_fill_view(bench->game, &state, (int8_t)seat, &view);
        uint8_t move = choose_move(bench, &view, own, &random);
        if (move == MOVE_NONE) {
            return false;
        }
        is_playable = game_apply(bench->game, &state, seat, move, &log) == GAME_OK;
    }
    if (!is_playable) {
        fprintf(stderr, _("trickhouse bench: game %u cannot be played to its end\n"),
                bench->game_number);
        return false;
    }
    game_fill_outcome(bench->game, &state, outcome);
    return true;
}

/* Adds what a game showed of the measured player to the figures of its deal. */
static void add_figures(const struct bots_bench *bench, const struct game_outcome *outcome,
                        uint8_t own, double sums[FIGURES])
{
    double others = 0;
    uint8_t players = bench->config.players;
    for (uint8_t seat = 0; seat < players; seat++) {
        others += seat == own ? 0 : outcome->scores[seat];
    }
    double points = outcome->scores[own];
    bool has_won = (outcome->winners >> own & 1) != 0;
    sums[FIGURE_WIN] += has_won ? 1.0 / bits_count(outcome->winners) : 0;
    sums[FIGURE_MORE] += (points - others / (players - 1)) / bench->round_count;
    sums[FIGURE_POINTS] += points / bench->round_count;
    sums[FIGURE_RANK] += (double)(players - outcome->ranks[own]) / (players - 1);
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

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_times(struct bots_bench *bench)
{
    char row[ROW_BYTES];
    size_t count = bench->decision_count;
    if (count == 0) {
        return;
    }
    qsort(bench->decision_ms, count, sizeof(bench->decision_ms[0]), compare_times);
    snprintf(row, sizeof(row), "%-28s %8.2f (99 %%: %.2f)\n", _("ms a choice, median"),
             bench->decision_ms[count / 2], bench->decision_ms[count - 1 - count / 100]);
    output_write_line(&bench->output, row);
    if (bench->playouts > 0) {
        snprintf(row, sizeof(row), "%-28s %8.0f\n", _("play-outs a second"),
                 (double)bench->playouts / bench->playouts_ms * 1000.0);
        output_write_line(&bench->output, row);
    }
}

/* Plays the deal with the measured player in each seat. Returns false after printing why it cannot
 * be played. */
static bool measure_deal(struct bots_bench *bench, uint32_t deal, struct mean means[FIGURES])
{
    static struct game_outcome outcome;
    double sums[FIGURES] = {0};
    uint8_t players = bench->config.players;
    for (uint8_t own = 0; own < players; own++) {
        if (!play_game(bench, deal, own, &outcome)) {
            return false;
        }
        add_figures(bench, &outcome, own, sums);
    }
    for (int figure = 0; figure < FIGURES; figure++) {
        add_value(&means[figure], sums[figure] / players);
    }
    return true;
}

/* Returns the exit status. */
static int measure(struct bots_bench *bench, const struct subcommand *self)
{
    struct mean means[FIGURES] = {{0}};
    char row[ROW_BYTES];
    bench->output = output_begin();
    for (uint32_t deal = 0; deal < bench->deals; deal++) {
        if (!measure_deal(bench, deal, means)) {
            return 1;
        }
    }
    snprintf(row, sizeof(row), _("%s, %u players, %u deals with %.60s in each seat (even: %.3f)\n"),
             bench->game->id, bench->config.players, bench->deals, bench->players.at[0].name,
             1.0 / bench->config.players);
    output_write_line(&bench->output, row);
    for (int figure = 0; figure < FIGURES; figure++) {
        print_mean(bench, _(figure_names[figure]), &means[figure]);
    }
    print_times(bench);
    return output_end(&bench->output, self);
}

int bench_bots_run(const struct subcommand *self, char **argv, const struct bench_player *others)
{
    struct bots_bench bench = {.list = "strong,medium", .deals = 100, .move_seconds = 10};
    const struct argument options[] = {
        {.name = "players", .text = &bench.player_count},
        {.name = "bots", .text = &bench.list},
        {.name = "deals", .number = &bench.deals, .min = 1, .max = DEALS_MAX},
        {.name = "rounds", .number = &bench.rounds_most, .min = 1, .max = GAME_ROUNDS_MAX},
        {.name = "move-seconds", .number = &bench.move_seconds, .min = 1, .max = 3600},
        {.name = "option", .settings = &bench.settings},
        {.text = &bench.id, .called = "GAME", .is_needed = true},
    };
    if (!arguments_read(self, options, argv) || !arguments_find_game(self, bench.id, &bench.game) ||
        !arguments_make_game_config(self, bench.game, bench.player_count, &bench.settings,
                                    &bench.config)) {
        return 2;
    }
    const struct bench_player_list list = {.at = others, .limit_s = bench.move_seconds};
    int status = bench_players_read(&bench.players, self, bench.list, bench.game,
                                    bench.config.players, &list);
    bench.decision_ms = calloc(DECISIONS_MAX, sizeof(*bench.decision_ms));
    if (bench.decision_ms == NULL && status == 0) {
        fputs(_("trickhouse bench: out of memory\n"), stderr);
        status = 1;
    }
    status = status == 0 ? measure(&bench, self) : status;
    bench_players_clear(&bench.players);
    free(bench.decision_ms);
    return status;
}
