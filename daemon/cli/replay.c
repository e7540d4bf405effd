#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#define EVERY_STEP UINT32_MAX

struct replay {
    const char *path;
    int8_t seat;   /* the seat whose views are shown, or SPECTATOR */
    uint32_t step; /* number of the only step to show, or EVERY_STEP */
    uint32_t game; /* number of the only history to show, from 1; 0: show all histories */
    struct output output;
};

static void print_view(struct replay *replay, const struct history_record *record,
                       const struct game_state *state)
{
    char buffer[VIEW_TEXT_MAX] FILLED_LATER;
    struct text text = text_init(buffer, sizeof(buffer));
    struct game_view view FILLED_LATER;
    game_fill_view(record->game, state, replay->seat, &view);
    view_write(&view, &text);
    text_put_char(&text, '\n');
    assert(!text.is_cut);
    output_write(&replay->output, text.at, text.len);
}

/* Finds the next event that is a move. Returns false after the last move, or at an invalid event,
 * which `why` then explains. */
static bool find_next_move(const struct history_record *record, size_t *event_index,
                           struct history_entry *entry, struct text *why)
{
    while (*event_index < json_array_size(record->events)) {
        if (!history_entry_read(record, (*event_index)++, entry, why)) {
            return false;
        }
        if (entry->type == HISTORY_ENTRY_MOVE) {
            return true;
        }
    }
    return false;
}

/* Prints the views of one game. Returns false if the history is wrong; `why` says how. */
static bool replay_record(struct replay *replay, const struct history_record *record,
                          struct text *why)
{
    if (!record->is_finished) {
        text_put(why, _("the game is unfinished: without its seed it cannot be replayed"));
        return false;
    }
    if (replay->seat >= record->config.players) {
        text_put(why, _("there is no such seat; the last one is "));
        text_put_number(why, record->config.players - 1);
        return false;
    }
    struct game_state state;
    enum game_result went = game_start(record->game, &record->config, record->seed, &state, NULL);
    assert(went == GAME_OK); /* history_read has accepted these players and options */
    size_t at = 0;
    uint32_t step = 0;
    for (;;) {
        bool is_wanted = replay->step == EVERY_STEP || step == replay->step;
        if (is_wanted) {
            print_view(replay, record, &state);
        }
        struct history_entry entry;
        if (step == replay->step || !find_next_move(record, &at, &entry, why)) {
            break;
        }
        uint8_t move = game_move_parse(record->game, json_string_value(entry.move));
        went = game_apply(record->game, &state, entry.seat, move, NULL);
        if (went != GAME_OK) {
            text_put(why, "events[");
            text_put_number(why, (int64_t)at - 1);
            text_put(why, _("]: this move is not allowed: "));
            json_diff_write_value(entry.move, why);
            return false;
        }
        step++;
    }
    if (why->len == 0 && replay->step != EVERY_STEP && step < replay->step) {
        text_put(why, _("there is no such step; the last one is "));
        text_put_number(why, step);
    }
    return why->len == 0;
}

static bool report_error(const struct history_file *file, const char *why)
{
    fprintf(stderr, _("trickhouse %s: %s: history %" PRIu64 " (line %" PRIu64 "): %s\n"),
            file->self->name, file->path, file->count, file->stream.line, why);
    return false;
}

/* Shows or skips one history; returns false after an error or at the end of the file. */
static bool replay_next_history(struct replay *replay, struct history_file *file, int *exit_status)
{
    enum history_file_result next;
    struct history_record record;
    bool is_skipped = file->count + 1 < replay->game;
    next = is_skipped ? history_file_skip_next(file) : history_file_read_next(file, &record);
    *exit_status = next == HISTORY_FILE_OK || next == HISTORY_FILE_END ? 0 : 1;
    if (next == HISTORY_FILE_BAD) {
        return report_error(file, file->why);
    }
    if (next != HISTORY_FILE_OK || is_skipped) {
        return next == HISTORY_FILE_OK;
    }
    char buffer[JSON_DIFF_MAX];
    struct text why = text_init(buffer, sizeof(buffer));
    bool is_done = replay_record(replay, &record, &why);
    history_record_clear(&record);
    if (!is_done) {
        *exit_status = 1;
        return report_error(file, why.at);
    }
    return file->count != replay->game && replay->output.error == 0;
}

static int replay_file(struct replay *replay)
{
    struct history_file file;
    if (history_file_open(&file, &replay_subcommand, replay->path) != HISTORY_FILE_OK) {
        return 1;
    }
    replay->output = output_begin();
    int status = 0;
    while (replay_next_history(replay, &file, &status)) {
    }
    if (status == 0 && file.count < replay->game) {
        fprintf(stderr,
                _("trickhouse %s: %s: there is no history %" PRIu32 "; the last one is "
                  "%" PRIu64 "\n"),
                replay_subcommand.name, replay->path, replay->game, file.count);
        status = 1;
    }
    history_file_close(&file);
    int written = output_end(&replay->output, &replay_subcommand);
    return status != 0 ? status : written;
}

static int replay_run(char **argv)
{
    const struct subcommand *self = &replay_subcommand;
    struct replay replay = {.seat = SPECTATOR, .step = EVERY_STEP};
    bool is_spectator = false;
    uint32_t seat = SEATS_MAX; /* SEATS_MAX means that no seat was given */
    const struct argument options[] = {
        {.name = "seat", .number = &seat, .max = SEATS_MAX - 1},
        {.name = "spectator", .flag = &is_spectator},
        {.name = "step", .number = &replay.step, .max = UINT16_MAX},
        {.name = "game", .number = &replay.game, .min = 1, .max = UINT32_MAX},
        {.text = &replay.path, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(self, options, argv)) {
        return 2;
    }
    if (seat < SEATS_MAX) {
        replay.seat = (int8_t)seat;
    }
    if (is_spectator && seat < SEATS_MAX) {
        return subcommand_report_wrong_usage(self, _("--seat and --spectator exclude each other"));
    }
    return replay_file(&replay);
}

const struct subcommand replay_subcommand = {
    .name = "replay",
    .args = "FILE [--seat N | --spectator] [--step K] [--game I]",
    .help = N_("Show what a seat knew at each step of a finished game."),
    .more = N_("  --seat N      the view of seat N, from 0\n"
               "  --spectator   the view of a spectator; this is the default\n"
               "  --step K      only the view before move number K, from 0\n"
               "  --game I      only the Ith history of FILE, from 1\n"
               "\n"
               "Prints views as JSON, one per line: of every step from 0 to the end, or of step\n"
               "K. FILE contains one or more histories, which are replayed one after the other;\n"
               "- is standard input. Reads only the set-up, the seed and the moves; `trickhouse\n"
               "verify` checks the rest. An unfinished game has no seed and cannot be replayed."),
    .run = replay_run,
};
