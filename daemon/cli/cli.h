#pragma once

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "games/bots/bots.h"
#include "games/game.h"
#include "games/history.h"
#include "games/macros.h"
#include "games/text.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A subcommand of the program: one row of subcommands.def and the function subcommand_run_NAME.
 * The program can run the subcommands of that list, and `trickhouse --help` prints the list.
 */
struct subcommand {
    const char *name;
    const char *args;    /* syntax of the arguments: "GAME --players N [--games M]" */
    const char *help;    /* one-line description in the list of subcommands */
    const char *more;    /* the rest of `trickhouse help NAME`: options, one per line; or NULL */
    bool lists_policies; /* the names of policies follow `more` */

    bool is_internal; /* the subcommand is not meant for people, and --help omits it */

    /* Runs the subcommand. argv[0] is its name; the words end with NULL. Returns the exit status: 0
     * for success, 1 after printing why it failed, 2 after printing one line about wrong usage. */
    int (*run)(char **argv);
};

#define SUBCOMMAND(name, ...) int subcommand_run_##name(char **argv);
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND

/* The functions below print the name of the subcommand that runs: main.c puts it in the place of
 * the program's (program_invocation_short_name). */

/* Prints "trickhouse NAME: ", the message and a newline on standard error. Returns 2, for callers
 * to return. */
int subcommand_report_wrong_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print "trickhouse NAME: WHAT: WHY" on standard error. Return 1 and false, for callers to return.
 */
int subcommand_fail(const char *what, const char *why);
bool report_failure(const char *what, const char *why);

/*
 * Reads the command lines of the subcommands. getopt is not used: it keeps its position in globals,
 * accepts abbreviations (which break scripts when an option is added) and cannot say which word was
 * wrong. A function that returns false has printed one line; the subcommand then returns 2.
 */

/* An option of a subcommand, and the variable that receives its value: exactly one of the pointers
 * after `is_needed` is set. The last entry of a table has no name and receives the words that are
 * not options ("-", and everything after "--"): `text` receives one word, `rest` all words. If
 * neither is set, such words are errors. */
struct argument {
    const char *name;   /* the option without dashes: "seed" for --seed */
    const char *called; /* what messages call the option or word: "--data DIR", "FILE" */
    bool is_needed; /* whether the argument must be given. Only for `text`, which stays NULL if the
                       argument is missing */
    bool *flag;     /* set to true if the option, which takes no value, is given */
    const char **text; /* receives the value of an option with a text, borrowed from argv */
    uint32_t *number;  /* receives the value of an option with a number */
    uint32_t min, max; /* smallest and largest allowed number */
    struct settings
        *settings; /* receives the KEY=VALUE texts of an option that may be given several times */
    char ***rest;  /* receives the words that are not options, ended by NULL; borrowed from argv */
};

/* Reads the words after argv[0], up to NULL. The variable of an option that is not given keeps its
 * value. */
bool arguments_read(const struct argument *known_arguments, char **argv) MUST_CHECK;

/* Reads the arguments of a subcommand whose only option is --data DIR. Returns DIR, borrowed from
 * argv; NULL after printing an error. */
const char *arguments_read_data_dir(char **argv);

bool arguments_find_game(const char *game_id, const struct game_def **game) MUST_CHECK;

/* how many times --option may be given in one command line */
#define SETTINGS_MAX 16

/* The "key=value" texts given with --option, borrowed from argv. They set options of the game, and
 * are checked once the game is known. */
struct settings {
    const char *at[SETTINGS_MAX];
    size_t count;
};

/* Makes the configuration of a game. `players` is the text given with --players; NULL if it was not
 * given. */
bool arguments_make_game_config(const struct game_def *game, const char *players,
                                const struct settings *settings,
                                struct game_config *config) MUST_CHECK;

/* What a player of a benchmark has to decide. It is the turn of the view's seat. */
struct bench_turn {
    const struct game_view *view;
    const struct game_config *config;
    struct quick_random *random;
    uint32_t game_number; /* counted from 1; tells the games of a benchmark apart */
};

/* A player that can take a seat in a benchmark. */
struct bench_player {
    const char *name;    /* as written in the list of players */
    const char *game_id; /* the only game that it can play; NULL: it plays every game */
    void *context;       /* passed to `choose` */

    /* Returns a legal move. Returns MOVE_NONE after printing why there is none; the benchmark then
     * ends. */
    uint8_t (*choose)(void *context, const struct bench_turn *turn);
};

/* Measures a player against others and prints the figures: `bench bots`. argv[0] is "bots", the
 * other words are its arguments. `others` are players that the list of players may name besides
 * policies and programs; a player without a name ends them. NULL: none. Returns the exit status,
 * as a subcommand does. */
int bench_bots_run(char **argv, const struct bench_player *others);

/* Reads a configuration file, prints each error on standard error as "FILE:LINE: error", and
 * returns the number of errors. */
unsigned config_faults_read_and_print(struct config *config, const char *path) MUST_CHECK;

/* Prints an ASCII text as mdoc: each sentence begins a new line, words in back quotes become
 * literal text, and characters with a meaning in mdoc lose it. */
void config_manual_print_text(FILE *out, const char *text);

/* Finds the URL of the PostgreSQL database that has the data of this folder: the one that
 * house.conf in the folder names, otherwise that of the house that was opened last with the folder,
 * whatever file its settings were in. Returns false if there is none. */
bool data_in_file_find_url(const char *data_dir, char url[CONFIG_TEXT_SIZE]) MUST_CHECK;

/*
 * Reads histories (HISTORY.md) from untrusted sources. A message in `why` begins with the path of
 * the wrong value, as differences of JSON values do.
 */

/* A history of which everything but the events has been checked. */
struct history_record {
    json_t *root; /* the whole history, which owns the JSON values below */
    const struct game_def *game;
    struct game_config config; /* players and options of the game, accepted by game_config_check */
    uint8_t seats;             /* number of seats, virtual ones included */
    bool is_finished; /* the history contains a seed, from which the game can be replayed */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    json_t *events; /* the array of events */
    json_t *result; /* the recorded result, which may be any JSON value; NULL if absent */
};

/* Reads one history. Returns false if the text is not JSON (duplicate keys are errors), or no
 * history of a known game; `why` then says why not. After true, the caller releases record->root.
 */
bool history_read(const char *text, size_t len, struct history_record *record,
                  struct text *why) MUST_CHECK;

/* Size of a buffer for the message about a difference. */
#define JSON_DIFF_MAX 512

/* Plays a history again from its seed and moves, and compares every recorded value with the
 * replayed one. */

/* Verifies the history of a finished game; *correct_moves becomes the number of correct moves.
 * Returns false if it differs; `why`, which is empty before, then says where the first difference
 * is, what was expected and what was found. */
bool history_verify(const struct history_record *record, uint32_t *correct_moves,
                    struct text *why) MUST_CHECK;

/* Finds errors in a house's log file, for commands that wait for the house and report why it
 * failed. */

/* Returns the length of the log in bytes; 0 if there is no log. */
long house_log_length(const char *data_dir);

/* Prints the first error at or after the byte `start_byte` of the log on standard error; nothing if
 * there is none. */
void house_log_print_error(const char *data_dir, long start_byte);

/*
 * What an open house whose data are in PostgreSQL knows of its nodes, as its page of metrics shows
 * it: neither the house nor the database need answer.
 */
struct house_nodes {
    uint64_t alive;     /* nodes that are alive, this one included; 0: the data are in a file, or
                           the house has not reached the database yet */
    uint64_t holder;    /* the node that holds the house; 0: none, or the only node */
    uint64_t connected; /* other nodes that are connected to this one, if it holds the house */
    uint64_t commit_s;  /* how long the last durable commit took */
    bool is_holder;     /* this node holds the house */
    bool is_one_of_several; /* the setting `[cluster] node` gives this node a number */
};

/* Reads them for the house that is open with this data folder, whose supervisor has this process
 * id. Returns false with errno if the house has no page of metrics. */
bool house_nodes_read(const char *data_dir, pid_t house_pid, struct house_nodes *nodes) MUST_CHECK;

/*
 * The processes of an open house, as its page of metrics and /proc show them: they need not answer,
 * so this also works if they hang.
 */

enum house_process_state {
    HOUSE_PROCESS_STARTS,
    HOUSE_PROCESS_WAITS,
    HOUSE_PROCESS_WORKS,
    HOUSE_PROCESS_WRITES,
    HOUSE_PROCESS_RESTARTS, /* has just ended; the supervisor starts it again */
    /* a process in one of these states does not work: */
    HOUSE_PROCESS_STOPPED, /* by a signal, or by a debugger */
    HOUSE_PROCESS_HANGS,   /* gives no sign of life */
    HOUSE_PROCESS_GONE,
    HOUSE_PROCESS_FAILS, /* was started again after a death, and has given no sign of life since */
};

struct house_process {
    char name[LIFE_NAME_SIZE + 1];
    int64_t pid; /* 0 if it does not run */
    int64_t up_ms;
    uint64_t restarts;
    int64_t silent_ms; /* time since its last sign of life */
    enum house_process_state state;
};

struct house_processes {
    struct house_process list[LIFE_PROCESSES];
    size_t count; /* 0: they are not known */
};

/* Lists the processes on the page as of now_ms (clock_steady_ms). */
struct house_processes house_processes_list(const struct metrics_page *page, int64_t now_ms);

/* True if no process has stopped, hangs or is gone. */
bool house_processes_all_work(const struct house_processes *processes);

/* Returns the word for a state, for programs ("waits"), and the words for people ("waits for
 * work"). */
const char *house_process_state_word(enum house_process_state state);

/*
 * A house that root opens runs as another user: the named one; otherwise the owner of the folder;
 * otherwise, for a new folder, "trickhouse", or "nobody" if there is no such account. The folder
 * and everything in it is given to that user.
 */
#define HOUSE_USER "trickhouse"
#define HOUSE_USER_LAST "nobody"

/* Finds the house that is open with the data in `data_dir`. Returns the process id of its
 * supervisor, 0 if no house is open, or -1 with a message on standard error if that cannot be found
 * out. */
pid_t open_house_find(const char *data_dir);

/* Sends moderation commands (PROTOCOL.md, mod) to an open house for the owner of its data
 * folder. */

#define OPERATOR_SAID_MAX 1024

enum operator_result {
    OPERATOR_OK = 0,
    OPERATOR_REFUSED, /* the core answered `no` */
    OPERATOR_CLOSED,  /* no house is open with this data folder */
    OPERATOR_FAILED,  /* no answer arrived; operator_explain_failure says why */
    OPERATOR_WAITS,   /* the core cannot use its data, and waits; not from operator_run_command */
    OPERATOR_STAYED,  /* a reload has not replaced the core */
};

/* Sends a moderation command to the house that is open with this data folder, and waits for the
 * answer. The caller owns *answer, which is NULL if no answer came. */
enum operator_result operator_run_command(const char *data_dir, const char *command,
                                          json_t **answer) MUST_CHECK;

/* Checks whether the core answers within a few seconds: returns OPERATOR_OK, _CLOSED, _FAILED or
 * _WAITS. Writes the core's version into `version_or_reason`; after _WAITS the reasons, one per
 * line. */
enum operator_result
operator_check_core_answers(const char *data_dir,
                            char version_or_reason[OPERATOR_SAID_MAX]) MUST_CHECK;

/* Explains why the last call returned OPERATOR_FAILED: the core hangs (ETIMEDOUT), the connection
 * was lost (ECONNRESET), or the text of errno. */
const char *operator_explain_failure(void);

/* Prepares standard output for much text: gives it a large buffer, and turns a closed pipe into an
 * error instead of a signal that ends the process. A subcommand stops when ferror(stdout) is set;
 * the program then prints why writing failed. */
void output_begin(void);

/*
 * Takes the listening sockets that systemd has opened for the house, as sd_listen_fds(3) does: the
 * unit trickhouse.socket names its sockets "ssh" (FileDescriptorName), another unit may name its
 * own "telnet". The list is empty if systemd has passed none. Removes the variables that describe
 * them from the environment. Returns false, after printing an error, if a socket has another name,
 * is no listening TCP socket, or if there are more than LISTENERS_MAX.
 */
bool passed_sockets_take(struct listeners *listeners) MUST_CHECK;

/* Compares what the configured number of sessions needs with what the machine allows. */

/* What the machine allows this process and those that it starts; UINT64_MAX: no limit. */
struct capacity_limits {
    uint64_t descriptors;    /* open descriptors of a process: hard limit RLIMIT_NOFILE */
    uint64_t user_processes; /* processes of the user: hard limit RLIMIT_NPROC; no limit for root */
    uint64_t unit_processes; /* processes of the control group: pids.max */
    uint64_t process_ids;    /* kernel.pid_max */
};

/* Reads the limits of this process. A limit that cannot be read counts as no limit. */
struct capacity_limits capacity_read_limits(void);

/* Prints a line for each limit that is too low for this number of sessions, with the value that is
 * needed. */
void capacity_print_shortages(const struct capacity_limits *limits, uint32_t sessions, FILE *out);
