#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"

#include <inttypes.h>
#include <stdio.h>

#define LINE_BYTES (JSON_DIFF_MAX + 128)

struct verification {
    struct output *output;
    uint64_t holding;
    uint64_t failing;
    char last[LINE_BYTES]; /* the line about the last correct history, printed if the file contains
                              only that history */
};

static void print_failure(struct verification *verification, const struct history_file *file,
                          const char *what, const char *why)
{
    char line[LINE_BYTES];
    snprintf(line, sizeof(line), _("history %" PRIu64 " (line %" PRIu64 ") %s%s\n"), file->count,
             file->stream.line, what, why);
    output_write_line(verification->output, line);
    verification->failing++;
}

static void verify_history(struct verification *verification, const struct history_file *file,
                           const struct history_record *record)
{
    char buffer[JSON_DIFF_MAX];
    struct text why = text_init(buffer, sizeof(buffer));
    uint32_t moves;
    const char *more = json_is_true(json_object_get(record->root, "void"))
                           ? _("; the game was declared void")
                           : "";
    switch (history_verify(record, &moves, &why)) {
    case HISTORY_HOLDS:
        verification->holding++;
        snprintf(
            verification->last, sizeof(verification->last),
            _("correct: %s, %u players, %" PRIu32 " moves, %zu events: commitment, deal, every "
              "event and the result%s\n"),
            record->game->id, record->config.players, moves, json_array_size(record->events), more);
        break;
    case HISTORY_DIFFERS:
        print_failure(verification, file, _("differs at "), why.at);
        break;
    case HISTORY_UNFINISHED:
        print_failure(verification, file,
                      _("is of an unfinished game, so there is no seed to verify it by"), "");
        break;
    }
}

/* Prints one line for a single history. For several histories, prints those that failed and a
 * total. */
static void print_summary(const struct verification *verification)
{
    char line[LINE_BYTES];
    uint64_t all = verification->holding + verification->failing;
    if (all == 1 && verification->holding == 1) {
        output_write_line(verification->output, verification->last);
    } else if (all > 1 && verification->failing == 0) {
        snprintf(line, sizeof(line), _("%" PRIu64 " histories: all correct\n"), all);
        output_write_line(verification->output, line);
    } else if (all > 1) {
        snprintf(line, sizeof(line),
                 _("%" PRIu64 " histories: %" PRIu64 " correct, %" PRIu64 " wrong\n"), all,
                 verification->holding, verification->failing);
        output_write_line(verification->output, line);
    }
}

static int verify_file(const struct subcommand *self, const char *path)
{
    struct history_file file;
    if (history_file_open(&file, self, path) != HISTORY_FILE_OK) {
        return 1;
    }
    struct output output = output_begin();
    struct verification verification = {.output = &output};
    enum history_file_result next;
    do {
        struct history_record record;
        next = history_file_read_next(&file, &record);
        if (next == HISTORY_FILE_OK) {
            verify_history(&verification, &file, &record);
            history_record_clear(&record);
        } else if (next == HISTORY_FILE_BAD) {
            print_failure(&verification, &file, _("cannot be read: "), file.why);
        }
    } while (next == HISTORY_FILE_OK || next == HISTORY_FILE_BAD);
    print_summary(&verification);
    history_file_close(&file);
    int status = output_end(&output, self);
    return next == HISTORY_FILE_END && verification.failing == 0 ? status : 1;
}

static int verify_run(char **argv)
{
    const char *path = NULL;
    const struct argument options[] = {{.text = &path, .called = "FILE", .is_needed = true}};
    if (!arguments_read(&verify_subcommand, options, argv)) {
        return 2;
    }
    return verify_file(&verify_subcommand, path);
}

const struct subcommand verify_subcommand = {
    .name = "verify",
    .args = "FILE",
    .help = N_("Check finished games against their seeds."),
    .more = N_("FILE contains histories as written by `trickhouse simulate` and by the house,\n"
               "one after the other; - is standard input. For each history this checks the\n"
               "commitment against the seed, the deal and every event against the seed and the\n"
               "moves, the moves against the rules, the sets of legal moves if given, the\n"
               "options, seats and result.\n"
               "\n"
               "For a single history, prints one line: what was verified, or where the first\n"
               "difference is, as a path into the JSON, with the expected and the actual value.\n"
               "For several, prints a line for each that fails, and a total. The exit status is\n"
               "0 if all are right, 1 if one is wrong or the file cannot be read to its end, 2\n"
               "for wrong usage."),
    .run = verify_run,
};
