#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "games/card.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_BYTES 256
#define LINE_BYTES (VIEW_TEXT_MAX + 1024)
#define TIME_TO_END_MS 1000

/*
 * A player that is a program of its own (`exec:COMMAND`). The program reads one JSON object per
 * line, its seat's view among them, and answers each with one line, the text of its move
 * (HISTORY.md). The object is the `think` of PROTOCOL.md without `policy`; its `table` is the
 * number of the game.
 */
struct bench_exec {
    const char *command;
    uint32_t limit_s;
    pid_t pid;    /* also the number of its process group */
    int to, from; /* its standard input and output; both without waiting */
    char line[LINE_BYTES];
    char answer[ANSWER_BYTES];
};

/* Makes a pipe, one end of which (0: for reading, 1: for writing) is ours and never waits. */
static bool make_pipe(int ends[2], int own)
{
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[own], F_SETFL, O_NONBLOCK) == 0;
}

/* Starts `/bin/sh -c COMMAND` in a process group of its own. Its standard error stays that of this
 * process. Returns its process id, or -1 with errno. */
static pid_t spawn_shell(const char *command, int in, int out)
{
    pid_t pid = fork();
    if (pid == 0) {
        (void)setpgid(0, 0);
        signal(SIGPIPE, SIG_DFL);
        if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
            execl("/bin/sh", "/bin/sh", "-c", command, (char *)NULL);
        }
        _exit(127);
    }
    if (pid > 0) {
        (void)setpgid(pid, pid); /* whichever process runs first */
    }
    return pid;
}

/* Starts the program of a player. `limit_s` is the time for each answer, in seconds. The command is
 * borrowed until bench_exec_stop. Returns NULL after printing why the program cannot be started. */
static struct bench_exec *bench_exec_start(const char *command, uint32_t limit_s)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t pid = -1;
    if (make_pipe(in, 1) && make_pipe(out, 0)) {
        pid = spawn_shell(command, in[0], out[1]);
    }
    fd_close(in[0]);
    fd_close(out[1]);
    if (pid > 0) {
        struct bench_exec *exec = must_allocate(sizeof(*exec));
        *exec = (struct bench_exec){
            .command = command, .limit_s = limit_s, .pid = pid, .to = in[1], .from = out[0]};
        return exec;
    }
    fprintf(stderr, _("trickhouse bench: cannot start \"%s\": %s\n"), command, strerror(errno));
    fd_close(in[1]);
    fd_close(out[0]);
    return NULL;
}

/* Waits until the descriptor can be used (`events` of poll). Returns false at the deadline. */
static bool wait_for(int fd, short events, int64_t deadline_ms)
{
    struct pollfd one = {.fd = fd, .events = events};
    int64_t left_ms;
    int ready = 0;
    while (ready <= 0 && (left_ms = deadline_ms - clock_steady_ms()) > 0) {
        ready = poll(&one, 1, (int)left_ms);
    }
    return ready > 0;
}

/* Writes the line that asks for a move. Returns its length, without a NUL. */
static size_t format_question(struct bench_exec *exec, const struct bench_turn *turn)
{
    const struct game_view *view = turn->view;
    struct text line = text_init(exec->line, sizeof(exec->line));
    text_put(&line, "{\"t\":\"think\",\"table\":");
    text_put_number(&line, turn->game_number);
    text_put(&line, ",\"seat\":");
    text_put_number(&line, view->seat);
    text_put(&line, ",\"step\":");
    text_put_number(&line, view->step);
    text_put(&line, ",\"game\":");
    text_put_json(&line, view->game->id);
    text_put(&line, ",\"players\":");
    text_put_number(&line, turn->config->players);
    text_put(&line, ",\"options\":");
    game_config_write(view->game, turn->config, &line);
    text_put(&line, ",\"view\":");
    view_write(view, &line);
    text_put(&line, "}\n");
    return line.len;
}

/* Sends the line. Returns false if the program does not read it before the deadline, or has
 * ended. */
static bool send_question(struct bench_exec *exec, size_t len, int64_t deadline_ms)
{
    const char *at = exec->line;
    while (len > 0) {
        ssize_t put = wait_for(exec->to, POLLOUT, deadline_ms) ? write(exec->to, at, len) : -1;
        if (put < 0) {
            return false;
        }
        at += put;
        len -= (size_t)put;
    }
    return true;
}

/* Reads the answer, up to a newline, the end of the output, the deadline, or the end of the buffer.
 * Reads byte by byte, so that a second line stays in the pipe and counts as the next answer.
 * Returns whether the answer ends with a newline, which is then removed. */
static bool read_answer(struct bench_exec *exec, int64_t deadline_ms)
{
    size_t len = 0;
    ssize_t got = 1;
    while (got > 0 && len < ANSWER_BYTES - 1 && (len == 0 || exec->answer[len - 1] != '\n') &&
           wait_for(exec->from, POLLIN, deadline_ms)) {
        got = read(exec->from, exec->answer + len, 1);
        len += got > 0 ? (size_t)got : 0;
    }
    exec->answer[len] = '\0';
    bool is_line = len > 0 && exec->answer[len - 1] == '\n';
    while (len > 0 && strchr("\r\n ", exec->answer[len - 1]) != NULL) {
        exec->answer[--len] = '\0';
    }
    return is_line;
}

enum fault {
    FAULT_ILLEGAL,
    FAULT_LATE,
    FAULT_ENDED,
};

/* Prints what is wrong with the answer, whose control characters become question marks. Returns
 * MOVE_NONE. */
static uint8_t report_fault(struct bench_exec *exec, const struct bench_turn *turn,
                            enum fault fault)
{
    for (char *at = exec->answer; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            *at = '?';
        }
    }
    const struct game_view *view = turn->view;
    switch (fault) {
    case FAULT_ILLEGAL:
        fprintf(stderr,
                _("trickhouse bench: game %u, seat %d, step %u: %s answered \"%s\", which is no "
                  "legal move\n"),
                turn->game_number, view->seat, view->step, exec->command, exec->answer);
        break;
    case FAULT_LATE:
        fprintf(stderr,
                _("trickhouse bench: game %u, seat %d, step %u: %s answered no line within %u s, "
                  "only \"%s\"\n"),
                turn->game_number, view->seat, view->step, exec->command, exec->limit_s,
                exec->answer);
        break;
    case FAULT_ENDED:
        fprintf(stderr,
                _("trickhouse bench: game %u, seat %d, step %u: %s closed its output without a "
                  "line, after \"%s\"\n"),
                turn->game_number, view->seat, view->step, exec->command, exec->answer);
        break;
    }
    return MOVE_NONE;
}

/* The `choose` of such a player; the context is the struct bench_exec. A wrong, late or missing
 * answer is printed, with the step of the view. SIGPIPE must be ignored. */
static uint8_t bench_exec_choose(void *context, const struct bench_turn *turn)
{
    struct bench_exec *exec = context;
    int64_t deadline_ms = clock_steady_ms() + (int64_t)exec->limit_s * 1000;
    exec->answer[0] = '\0';
    if (!send_question(exec, format_question(exec, turn), deadline_ms) ||
        !read_answer(exec, deadline_ms)) {
        bool is_late = clock_steady_ms() >= deadline_ms;
        bool is_too_long = strlen(exec->answer) == ANSWER_BYTES - 1;
        return report_fault(exec, turn,
                            is_too_long ? FAULT_ILLEGAL
                            : is_late   ? FAULT_LATE
                                        : FAULT_ENDED);
    }
    uint8_t move = game_move_parse(turn->view->game, exec->answer);
    return move_set_has(&turn->view->legal, move) ? move : report_fault(exec, turn, FAULT_ILLEGAL);
}

/* Closes the program's input, gives it a second to end, and kills it and the processes that it has
 * started. The argument may be NULL. */
static void bench_exec_stop(struct bench_exec *exec)
{
    if (exec == NULL) {
        return;
    }
    int64_t deadline_ms = clock_steady_ms() + TIME_TO_END_MS;
    close(exec->to);
    while (wait_for(exec->from, POLLIN, deadline_ms) &&
           read(exec->from, exec->answer, ANSWER_BYTES) > 0) {
    }
    close(exec->from);
    kill(-exec->pid, SIGKILL);
    waitpid(exec->pid, NULL, 0);
    free(exec);
}

static const char exec_prefix[] = "exec:";

/* A policy as a player. */
struct bench_policy {
    const struct policy *policy;
    struct search *search; /* memory for policies that search */
};

/* The players of a benchmark: the measured one, then its opponents. */
struct bench_players {
    uint8_t count;
    struct bench_player at[SEATS_MAX];
    struct bench_policy policies[SEATS_MAX];
    struct bench_exec *programs[SEATS_MAX]; /* NULL: this player is no program */
    char *words;               /* the list of players, cut into words; `at` points into it */
    struct search searches[2]; /* the measured player's memory, then that of the others */
    const struct bench_player *others; /* whom the list may name besides policies and programs; a
                                          player without a name ends them; NULL: none */
    uint32_t move_seconds;             /* the time for each answer of a program */
};

static uint8_t choose_by_policy(void *context, const struct bench_turn *turn)
{
    const struct bench_policy *own = context;
    return policy_choose_move(own->policy, own->search, turn->view, turn->config, turn->random, 0);
}

/* Ends the word that begins here: at the first comma, or at the end of the list. The commas of
 * commands (`\,`) lose their backslashes. Returns the next word; NULL after the last one. */
static char *end_word(char *word)
{
    char *to = word;
    const char *from = word;
    while (*from != '\0' && *from != ',') {
        from += from[0] == '\\' && from[1] == ',';
        *to++ = *from++;
    }
    bool is_last = *from == '\0';
    *to = '\0';
    return is_last ? NULL : word + (from + 1 - word);
}

static const struct bench_player *find_other(const struct bench_player *others, const char *name)
{
    while (others != NULL && others->name != NULL && strcmp(others->name, name) != 0) {
        others++;
    }
    return others != NULL && others->name != NULL ? others : NULL;
}

/* Makes the player of a place. Returns the exit status. */
static int make_player(struct bench_players *players, uint8_t place, const char *word,
                       const struct game_def *game)
{
    const struct bench_player *other = find_other(players->others, word);
    const struct policy *policy = policy_find(word);
    if (strncmp(word, exec_prefix, sizeof(exec_prefix) - 1) == 0) {
        players->programs[place] =
            bench_exec_start(word + sizeof(exec_prefix) - 1, players->move_seconds);
        players->at[place] = (struct bench_player){
            .name = word, .context = players->programs[place], .choose = bench_exec_choose};
        return players->programs[place] == NULL ? 1 : 0;
    }
    if (other != NULL && other->game_id != NULL && strcmp(other->game_id, game->id) != 0) {
        return subcommand_report_wrong_usage(_("%s plays only %s"), word, other->game_id);
    }
    if (other != NULL) {
        players->at[place] = *other;
        return 0;
    }
    if (policy == NULL) {
        return subcommand_report_wrong_usage(_("--bots names no player \"%s\""), word);
    }
    players->policies[place] =
        (struct bench_policy){.policy = policy, .search = &players->searches[place == 0 ? 0 : 1]};
    players->at[place] = (struct bench_player){.name = policy_name(policy),
                                               .context = &players->policies[place],
                                               .choose = choose_by_policy};
    return 0;
}

/* Reads a list of `count` players, separated by commas; the last one also takes all places that are
 * left. A word names a policy or one of the others, or is `exec:COMMAND`; there, a comma of the
 * command is written `\,`. One process is started for each place. Returns the exit status: 0, or 1
 * or 2 after printing why not. bench_players_clear in any case. */
static int bench_players_read(struct bench_players *players, const char *list,
                              const struct game_def *game, uint8_t count)
{
    players->count = count;
    players->words = must_copy_text(list);
    const char *word = "";
    char *rest = players->words;
    int status = 0;
    for (uint8_t place = 0; place < count && status == 0; place++) {
        if (rest != NULL) {
            word = rest;
            rest = end_word(rest);
        }
        status = make_player(players, place, word, game);
    }
    if (status == 0 && rest != NULL) {
        return subcommand_report_wrong_usage(_("--bots names more than %u players"), count);
    }
    return status;
}

/* Returns in how many play-outs the measured player has found its last move; 0 if it did not
 * search for it, or is no policy. `view` is the view of that move. */
static uint32_t bench_players_count_playouts(const struct bench_players *players,
                                             const struct game_view *view)
{
    const struct policy *policy = players->policies[0].policy;
    if (policy == NULL || policy_playouts(policy) == 0) {
        return 0;
    }
    struct search_choice choices[MOVES_MAX];
    uint8_t count = search_list_choices(&players->searches[0], view, choices);
    uint32_t sum = 0;
    for (uint8_t i = 0; i < count; i++) {
        sum += choices[i].visits;
    }
    return sum;
}

/* Stops the programs and frees the memory. */
static void bench_players_clear(struct bench_players *players)
{
    for (uint8_t place = 0; place < players->count; place++) {
        bench_exec_stop(players->programs[place]);
    }
    free(players->words);
}

#define DEALS_MAX 100000
#define DECISIONS_MAX 4000000
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
    uint32_t rounds_most; /* a game ends after so many rounds; 0: at its own end */
    const struct game_def *game;
    struct game_config config;
    struct bench_players players;
    double *decision_ms; /* the times of the measured player's choices */
    size_t decision_count;
    uint64_t playouts; /* of the measured player, and the time that they took */
    double playouts_ms;
    uint32_t game_number;
    uint32_t round_count; /* rounds of the current game */
};

static void count_round(void *context, const struct game_event *event)
{
    struct bots_bench *bench = context;
    bench->round_count += event->is_score;
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
    const struct game_log log = {.context = bench, .event = count_round};
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

static void print_mean(const char *what, const struct mean *mean)
{
    double average = mean->sum / mean->count;
    double variance = mean->squares / mean->count - average * average;
    double half =
        mean->count < 2 || variance <= 0 ? 0 : CONFIDENCE * sqrt(variance / (mean->count - 1));
    printf("%-28s %8.3f +- %.3f\n", what, average, half);
}

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_times(struct bots_bench *bench)
{
    size_t count = bench->decision_count;
    if (count == 0) {
        return;
    }
    qsort(bench->decision_ms, count, sizeof(bench->decision_ms[0]), compare_times);
    printf("%-28s %8.2f (99 %%: %.2f)\n", _("ms a choice, median"), bench->decision_ms[count / 2],
           bench->decision_ms[count - 1 - count / 100]);
    if (bench->playouts > 0) {
        printf("%-28s %8.0f\n", _("play-outs a second"),
               (double)bench->playouts / bench->playouts_ms * 1000.0);
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
static int measure(struct bots_bench *bench)
{
    struct mean means[FIGURES] = {{0}};
    output_begin();
    for (uint32_t deal = 0; deal < bench->deals; deal++) {
        if (!measure_deal(bench, deal, means)) {
            return 1;
        }
    }
    printf(_("%s, %u players, %u deals with %.60s in each seat (even: %.3f)\n"), bench->game->id,
           bench->config.players, bench->deals, bench->players.at[0].name,
           1.0 / bench->config.players);
    for (int figure = 0; figure < FIGURES; figure++) {
        print_mean(_(figure_names[figure]), &means[figure]);
    }
    print_times(bench);
    return 0;
}

int bench_bots_run(char **argv, const struct bench_player *others)
{
    struct bots_bench bench = {
        .list = "strong,medium", .deals = 100, .players = {.others = others, .move_seconds = 10}};
    const struct argument options[] = {
        {.name = "players", .text = &bench.player_count},
        {.name = "bots", .text = &bench.list},
        {.name = "deals", .number = &bench.deals, .min = 1, .max = DEALS_MAX},
        {.name = "rounds", .number = &bench.rounds_most, .min = 1, .max = GAME_ROUNDS_MAX},
        {.name = "move-seconds", .number = &bench.players.move_seconds, .min = 1, .max = 3600},
        {.name = "option", .settings = &bench.settings},
        {.text = &bench.id, .called = "GAME", .is_needed = true},
    };
    if (!arguments_read(options, argv) || !arguments_find_game(bench.id, &bench.game) ||
        !arguments_make_game_config(bench.game, bench.player_count, &bench.settings,
                                    &bench.config)) {
        return 2;
    }
    int status = bench_players_read(&bench.players, bench.list, bench.game, bench.config.players);
    bench.decision_ms = must_allocate(DECISIONS_MAX * sizeof(*bench.decision_ms));
    status = status == 0 ? measure(&bench) : status;
    bench_players_clear(&bench.players);
    free(bench.decision_ms);
    return status;
}

int subcommand_run_bench(char **argv)
{
    if (argv[1] == NULL) {
        return subcommand_report_wrong_usage(_("what to measure is missing; it can be: bots"));
    }
    if (strcmp(argv[1], "bots") != 0) {
        return subcommand_report_wrong_usage(_("\"%s\" cannot be measured, only bots"), argv[1]);
    }
    return bench_bots_run(argv + 1, NULL);
}
