#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 65536

static const char too_long[] = N_("the history that begins here is longer than 16 MiB");

bool json_stream_open(struct json_stream *stream, const char *path)
{
    *stream = (struct json_stream){.fd = STDIN_FILENO};
    if (strcmp(path, "-") != 0) {
        stream->fd = open(path, O_RDONLY | O_CLOEXEC);
        stream->is_fd_ours = true;
    }
    /* Each read drops the bytes before the current object, to make room for further bytes. */
    bytes_init(&stream->held, JSON_STREAM_OBJECT_MAX + READ_BYTES);
    return stream->fd >= 0;
}

void json_stream_close(struct json_stream *stream)
{
    if (stream->is_fd_ours) {
        close(stream->fd);
    }
    bytes_clear(&stream->held);
}

/* Ends the reading. Returns false, for callers to return. */
static bool stop_reading(struct json_stream *stream, const char *why)
{
    stream->why = why;
    return false;
}

static bool read_next_bytes(struct json_stream *stream)
{
    bytes_drop_first(&stream->held, stream->start);
    stream->next -= stream->start;
    stream->start = 0;
    char buffer[READ_BYTES];
    ssize_t got;
    do {
        got = read(stream->fd, buffer, sizeof(buffer));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        stream->line = 0;
        return stop_reading(stream, strerror(errno));
    }
    stream->is_at_end = got == 0;
    return bytes_add(&stream->held, buffer, (size_t)got) || stop_reading(stream, _(too_long));
}

/* Makes sure that there is a byte at stream->next. Returns false if there is none: at the end,
 * `why_at_end` then says why not. */
static bool ensure_next_byte(struct json_stream *stream, const char *why_at_end)
{
    while (stream->next == stream->held.len) {
        if (stream->is_at_end) {
            return stop_reading(stream, why_at_end);
        }
        if (!read_next_bytes(stream)) {
            return false;
        }
    }
    return true;
}

static char take_byte(struct json_stream *stream)
{
    char c = stream->held.at[stream->next++];
    if (c == '\n') {
        stream->lines_passed++;
    }
    return c;
}

static bool is_white_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The reader's position within an object. Brackets inside strings do not count. */
struct nesting {
    size_t depth;
    bool is_in_string;
    bool is_escaped;
};

static bool closes_outermost_object(struct nesting *nesting, char c)
{
    if (nesting->is_in_string) {
        if (nesting->is_escaped) {
            nesting->is_escaped = false;
        } else if (c == '\\') {
            nesting->is_escaped = true;
        } else if (c == '"') {
            nesting->is_in_string = false;
        }
        return false;
    }
    if (c == '"') {
        nesting->is_in_string = true;
    } else if (c == '{' || c == '[') {
        nesting->depth++;
    } else if (c == '}' || c == ']') {
        nesting->depth--;
        return nesting->depth == 0;
    }
    return false;
}

bool json_stream_read_next(struct json_stream *stream, const char **text, size_t *len)
{
    char c = ' ';
    while (is_white_space(c)) {
        stream->start = stream->next;
        if (!ensure_next_byte(stream, NULL)) {
            return false;
        }
        c = take_byte(stream);
    }
    stream->line = stream->lines_passed + 1;
    struct nesting nesting = {0};
    if (c != '{') {
        return stop_reading(stream, _("a history begins with \"{\""));
    }
    while (!closes_outermost_object(&nesting, c)) {
        if (!ensure_next_byte(stream, _("the history that begins here has no end"))) {
            return false;
        }
        c = take_byte(stream);
    }
    *text = stream->held.at + stream->start;
    *len = stream->next - stream->start;
    return *len <= JSON_STREAM_OBJECT_MAX || stop_reading(stream, _(too_long));
}

static enum history_file_result report_failure(const struct history_file *file, const char *what)
{
    (void)subcommand_fail(file->self, file->path, what);
    return HISTORY_FILE_FAILED;
}

/* Opens the file; the path "-" means standard input. After HISTORY_FILE_FAILED there is nothing to
 * close; otherwise close the stream. */
static enum history_file_result history_file_open(struct history_file *file,
                                                  const struct subcommand *self, const char *path)
{
    *file = (struct history_file){.self = self, .path = path};
    if (!json_stream_open(&file->stream, path)) {
        return report_failure(file, strerror(errno));
    }
    return HISTORY_FILE_OK;
}

static enum history_file_result read_next_json_object(struct history_file *file, const char **text,
                                                      size_t *len)
{
    const struct json_stream *stream = &file->stream;
    if (json_stream_read_next(&file->stream, text, len)) {
        file->count++;
        return HISTORY_FILE_OK;
    }
    if (stream->why == NULL && file->count > 0) {
        return HISTORY_FILE_END;
    }
    if (stream->why == NULL || stream->line == 0) {
        return report_failure(file, stream->why == NULL ? _("the file contains no history")
                                                        : stream->why);
    }
    fprintf(stderr, _("trickhouse %s: %s: line %" PRIu64 ": %s\n"), file->self->name, file->path,
            stream->line, stream->why);
    return HISTORY_FILE_FAILED;
}

/* Reads the next history. After HISTORY_FILE_OK the caller clears the record. A file that contains
 * no history is a failure. */
static enum history_file_result history_file_read_next(struct history_file *file,
                                                       struct history_record *record)
{
    const char *bytes;
    size_t len;
    enum history_file_result found = read_next_json_object(file, &bytes, &len);
    if (found != HISTORY_FILE_OK) {
        return found;
    }
    struct text why = text_init(file->why, sizeof(file->why));
    return history_read(bytes, len, record, &why) ? HISTORY_FILE_OK : HISTORY_FILE_BAD;
}

/* Skips one history without parsing it. Returns HISTORY_FILE_OK, _END or _FAILED. */
static enum history_file_result history_file_skip_next(struct history_file *file)
{
    const char *bytes;
    size_t len;
    return read_next_json_object(file, &bytes, &len);
}

#define LINE_BYTES (JSON_DIFF_MAX + 128)

struct verification {
    uint64_t holding;
    uint64_t failing;
    char last[LINE_BYTES]; /* the line about the last correct history, printed if the file contains
                              only that history */
};

static void print_failure(struct verification *verification, const struct history_file *file,
                          const char *what, const char *why)
{
    printf(_("history %" PRIu64 " (line %" PRIu64 ") %s%s\n"), file->count, file->stream.line, what,
           why);
    verification->failing++;
}

static void verify_history(struct verification *verification, const struct history_file *file,
                           const struct history_record *record)
{
    struct text why = TEXT_OF(JSON_DIFF_MAX);
    uint32_t moves;
    const char *more = json_is_true(json_object_get(record->root, "void"))
                           ? _("; the game was declared void")
                           : "";
    if (!record->is_finished) {
        print_failure(verification, file,
                      _("is of an unfinished game, so there is no seed to verify it by"), "");
    } else if (!history_verify(record, &moves, &why)) {
        print_failure(verification, file, _("differs at "), why.at);
    } else {
        verification->holding++;
        snprintf(
            verification->last, sizeof(verification->last),
            _("correct: %s, %u players, %" PRIu32 " moves, %zu events: commitment, deal, every "
              "event and the result%s\n"),
            record->game->id, record->config.players, moves, json_array_size(record->events), more);
    }
}

/* Prints one line for a single history. For several histories, prints those that failed and a
 * total. */
static void print_summary(const struct verification *verification)
{
    uint64_t all = verification->holding + verification->failing;
    if (all == 1 && verification->holding == 1) {
        printf("%s", verification->last);
    } else if (all > 1 && verification->failing == 0) {
        printf(_("%" PRIu64 " histories: all correct\n"), all);
    } else if (all > 1) {
        printf(_("%" PRIu64 " histories: %" PRIu64 " correct, %" PRIu64 " wrong\n"), all,
               verification->holding, verification->failing);
    }
}

static int verify_file(const struct subcommand *self, const char *path)
{
    struct history_file file;
    if (history_file_open(&file, self, path) != HISTORY_FILE_OK) {
        return 1;
    }
    output_begin();
    struct verification verification = {0};
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
        (void)fflush(stdout); /* somebody may be waiting for it */
    } while ((next == HISTORY_FILE_OK || next == HISTORY_FILE_BAD) && ferror(stdout) == 0);
    print_summary(&verification);
    json_stream_close(&file.stream);
    return (next == HISTORY_FILE_END && verification.failing == 0) || ferror(stdout) != 0 ? 0 : 1;
}

int subcommand_run_verify(char **argv)
{
    const char *path = NULL;
    const struct argument options[] = {{.text = &path, .called = "FILE", .is_needed = true}};
    if (!arguments_read(&verify_subcommand, options, argv)) {
        return 2;
    }
    return verify_file(&verify_subcommand, path);
}

#define EVERY_STEP UINT32_MAX

struct replay {
    const char *path;
    int8_t seat;   /* the seat whose views are shown, or SPECTATOR */
    uint32_t step; /* number of the only step to show, or EVERY_STEP */
    uint32_t game; /* number of the only history to show, from 1; 0: show all histories */
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
    fwrite(text.at, 1, text.len, stdout);
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
    struct text why = TEXT_OF(JSON_DIFF_MAX);
    bool is_done = replay_record(replay, &record, &why);
    history_record_clear(&record);
    if (!is_done) {
        *exit_status = 1;
        return report_error(file, why.at);
    }
    return file->count != replay->game && ferror(stdout) == 0;
}

static int replay_file(struct replay *replay)
{
    struct history_file file;
    if (history_file_open(&file, &replay_subcommand, replay->path) != HISTORY_FILE_OK) {
        return 1;
    }
    output_begin();
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
    json_stream_close(&file.stream);
    return status;
}

int subcommand_run_replay(char **argv)
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
