#include "daemon/cli/cli.h"
#include "tests/train/arena.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Trains the net of a game: tests/train/README.md. The work is counted in decisions, not in
 * seconds, so that the same command makes the same net.
 */

#define DECISIONS_A_MINUTE 12000000 /* about what one core of 2024 learns from */
#define HEAT_FIRST 0.1F
#define HEAT_LAST 0.02F
#define RATE_FIRST 0.0005F
#define RATE_LAST 0.00001F
#define POINTS_DEFAULT 20

struct training {
    const struct game_def *game;
    const char *id, *out, *checkpoint, *against;
    uint32_t minutes, seed, hidden, middle, points, deals;
    bool wants_help;
    struct selfplay play;
};

static int fail(const char *path)
{
    fprintf(stderr, "train: %s: %s\n", path, strerror(errno));
    return 1;
}

static int print_help(void)
{
    printf("usage: train GAME --cpu-minutes N --out FILE [...]\n\n"
           "Train the net with which bots play GAME.\n\n"
           "  --cpu-minutes N    how long, about: %d million decisions a minute\n"
           "  --seed S           another seed makes another net (1)\n"
           "  --out FILE         where the net goes, at each point of the curve\n"
           "  --checkpoint FILE  goes on from FILE if it is there, and writes it at each point\n"
           "  --points N         points of the learning curve (%d)\n"
           "  --deals N          deals that are played at each point, from every seat (0)\n"
           "  --against POLICY   the players in them (medium)\n"
           "  --hidden N, --middle N   units of the layers (96, 32)\n",
           DECISIONS_A_MINUTE / 1000000, POINTS_DEFAULT);
    return 0;
}

static double read_cpu_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Learns until this part of the work is done. */
static void learn_until(struct training *training, uint64_t samples, uint64_t all)
{
    struct selfplay *play = &training->play;
    play->net.loss = 0;
    while (play->samples < samples) {
        float done = (float)play->samples / (float)all;
        play->heat = HEAT_FIRST * powf(HEAT_LAST / HEAT_FIRST, done);
        play->rate = RATE_FIRST + (RATE_LAST - RATE_FIRST) * done;
        selfplay_play(play);
    }
}

/* Prints how well the net plays with the fewest, the usual and the most players. */
static void print_strength(const struct training *training)
{
    const struct game_def *game = training->game;
    const uint8_t players[] = {game->seats_min, 4, game->seats_max};
    for (size_t i = 0; i < ARRAY_LEN(players) && training->deals > 0; i++) {
        bool is_new = players[i] >= game->seats_min && players[i] <= game->seats_max &&
                      (i == 0 || players[i] > players[i - 1]);
        if (is_new) {
            struct arena_result result = arena_play(&training->play, policy_find(training->against),
                                                    players[i], training->deals);
            printf("  %u players %+.2f ± %.2f, wins %.0f %% (even %.0f)", players[i], result.gain,
                   result.gain_error, 100 * result.wins, 100.0 / players[i]);
        }
    }
}

/* Writes the file under another name first, so that a reader never finds half of it. */
static bool write_file(const struct training *training, const char *path,
                       bool (*write)(const struct training *training, FILE *file))
{
    char next[4096];
    (void)snprintf(next, sizeof next, "%s.next", path);
    FILE *file = fopen(next, "wbe");
    bool is_written = file != NULL && write(training, file);
    is_written = file != NULL && fclose(file) == 0 && is_written;
    return is_written && rename(next, path) == 0;
}

static bool write_net(const struct training *training, FILE *file)
{
    char made[128];
    (void)snprintf(made, sizeof made, "train %s --cpu-minutes %u --seed %u --hidden %u --middle %u",
                   training->game->id, training->minutes, training->seed, training->hidden,
                   training->middle);
    return learner_write_net(&training->play.net, made, file);
}

static bool write_checkpoint(const struct training *training, FILE *file)
{
    return selfplay_save(&training->play, file);
}

/* Goes on from the checkpoint, if there is one. */
static bool read_checkpoint(struct training *training)
{
    FILE *file = training->checkpoint == NULL ? NULL : fopen(training->checkpoint, "rbe");
    if (file == NULL) {
        return training->checkpoint == NULL || errno == ENOENT;
    }
    bool is_read = selfplay_load(&training->play, file);
    (void)fclose(file);
    errno = EINVAL; /* what a file that is no checkpoint of this net is called */
    return is_read;
}

static int train(struct training *training)
{
    struct selfplay *play = &training->play;
    uint64_t all = (uint64_t)training->minutes * DECISIONS_A_MINUTE;
    double begun = read_cpu_seconds();
    if (!read_checkpoint(training)) {
        return fail(training->checkpoint);
    }
    for (uint32_t point = 1; point <= training->points; point++) {
        uint64_t before = play->samples;
        if (before >= all * point / training->points) {
            continue; /* the checkpoint is from later */
        }
        learn_until(training, all * point / training->points, all);
        selfplay_keep_self(play);
        printf("%7.0f s  %5.1f million decisions  error %.3f", read_cpu_seconds() - begun,
               (double)play->samples * 1e-6, play->net.loss / (double)(play->samples - before));
        print_strength(training);
        printf("\n");
        (void)fflush(stdout);
        if (!write_file(training, training->out, write_net)) {
            return fail(training->out);
        }
        if (training->checkpoint != NULL &&
            !write_file(training, training->checkpoint, write_checkpoint)) {
            return fail(training->checkpoint);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct training training = {
        .against = "medium", .seed = 1, .hidden = 96, .middle = 32, .points = POINTS_DEFAULT};
    const struct argument options[] = {
        {.name = "cpu-minutes", .number = &training.minutes, .min = 1, .max = 10000},
        {.name = "seed", .number = &training.seed, .max = UINT32_MAX},
        {.name = "out", .text = &training.out, .called = "--out FILE", .is_needed = true},
        {.name = "checkpoint", .text = &training.checkpoint},
        {.name = "points", .number = &training.points, .min = 1, .max = 10000},
        {.name = "deals", .number = &training.deals, .max = 100000},
        {.name = "against", .text = &training.against},
        {.name = "hidden", .number = &training.hidden, .min = 16, .max = NET_HIDDEN_MAX},
        {.name = "middle", .number = &training.middle, .min = 16, .max = NET_MIDDLE_MAX},
        {.text = &training.id, .called = "GAME", .is_needed = true},
    };
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        return print_help();
    }
    if (!arguments_read(options, argv) || !arguments_find_game(training.id, &training.game)) {
        return 2;
    }
    if (training.minutes == 0 || training.hidden % NET_PADDING != 0 ||
        training.middle % NET_PADDING != 0 || policy_find(training.against) == NULL) {
        return subcommand_report_wrong_usage(
            "--cpu-minutes is needed, --against names a policy, and layers have"
            " multiples of 16 units");
    }
    if (!selfplay_init(&training.play, training.game, training.hidden, training.middle,
                       training.seed)) {
        return fail("memory");
    }
    int status = train(&training);
    selfplay_free(&training.play);
    return status;
}
