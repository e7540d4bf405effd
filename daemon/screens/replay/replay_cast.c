#include "daemon/screens/replay/replay.h"

#include "daemon/base/i18n.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAST_TERM "xterm-256color"
#define COLUMNS_MAX 200
#define ROWS_MAX 60
#define TITLE_BYTES 300

/* How long a frame of the recording is shown, in ms. */
#define STEP_MS 1200
#define TRICK_MS 2200 /* time for a frame that shows a complete trick, in ms */
#define ROUND_MS 3000 /* time for a frame that shows a new deal, in ms */
#define END_MS 5000

struct replay_cast {
    struct display *display;
    struct theme theme;
    struct replay_game game;
    uint32_t line; /* the next one: 0 is the header, then each step has one, then the end */
    int64_t at_ms; /* the time of the next frame in the recording */
};

static int clamp(int value, int min, int max)
{
    return value < min ? min : value > max ? max : value;
}

struct replay_cast *replay_cast_new(int columns, int rows)
{
    struct replay_cast *cast = must_allocate(sizeof(*cast));
    cast->display = display_new(CAST_TERM, clamp(columns, DISPLAY_COLUMNS_MIN, COLUMNS_MAX),
                                clamp(rows, DISPLAY_ROWS_MIN, ROWS_MAX));
    if (cast->display == NULL) {
        free(cast);
        return NULL;
    }
    cast->theme.has_colour = cast->display->has_colour;
    return cast;
}

void replay_cast_free(struct replay_cast *cast)
{
    if (cast != NULL) {
        replay_game_clear(&cast->game);
        display_free(cast->display);
        free(cast);
    }
}

bool replay_cast_load(struct replay_cast *cast, json_t *record)
{
    return replay_game_init(&cast->game, record);
}

/* Appends a JSON value as one line of text, and releases the value. */
static bool append_json_line(json_t *value, struct bytes *out)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(value);
    if (text == NULL) {
        return false;
    }
    size_t len = strlen(text);
    text[len] = '\n'; /* the newline replaces the NUL, which is not written */
    bool is_put = bytes_add(out, text, len + 1);
    free(text);
    return is_put;
}

static bool append_recording_header(struct replay_cast *cast, struct bytes *out)
{
    const struct record *record = &cast->game.record;
    char title[TITLE_BYTES];
    snprintf(title, sizeof(title), _("%s, game %lld"), _(record->source.game->title),
             (long long)record->source.id);
    return append_json_line(json_pack("{s:i,s:i,s:i,s:I,s:s,s:{s:s}}", "version", 2, "width",
                                      cast->display->columns, "height", cast->display->rows,
                                      "timestamp", (json_int_t)(record->at_ms / 1000), "title",
                                      title, "env", "TERM", CAST_TERM),
                            out);
}

static int64_t compute_frame_duration_ms(const struct replay_game *game)
{
    if (game->is_trick_done) {
        return TRICK_MS;
    }
    return (game->marks[game->step] & REPLAY_ROUND) != 0 ? ROUND_MS : STEP_MS;
}

/* Appends an event of the recording: what the terminal gets at a time. */
static bool append_event(int64_t at_ms, const struct bytes *shown, struct bytes *out)
{
    json_t *text = json_stringn(shown->at, shown->len);
    return text != NULL &&
           append_json_line(json_pack("[f,s,o]", (double)at_ms / 1000.0, "o", text), out);
}

static bool append_frame(struct replay_cast *cast, uint32_t step, struct bytes *out)
{
    struct canvas canvas = {
        .frame = display_begin_frame(cast->display, &cast->theme),
        .theme = &cast->theme,
        .body = {0, 0, cast->display->rows, cast->display->columns},
    };
    struct bytes picture;
    bytes_init(&picture, CAST_LINE_MAX);
    replay_game_go_to(&cast->game, step);
    replay_draw_game(&canvas, &cast->game, _("all hands"), false, NULL);
    bool is_put = display_end_frame(cast->display, canvas.body.height - 1, 0, &picture);
    is_put = is_put && append_event(cast->at_ms, &picture, out);
    bytes_clear(&picture);
    cast->at_ms += compute_frame_duration_ms(&cast->game);
    return is_put;
}

/* Appends an event that restores the terminal on which the recording is played back. Playback
 * programs show the last frame until then. */
static bool append_end_of_recording(struct replay_cast *cast, struct bytes *out)
{
    struct bytes end;
    bytes_init(&end, CAST_LINE_MAX);
    display_restore_terminal(cast->display, &end);
    bool is_put = append_event(cast->at_ms + END_MS, &end, out);
    bytes_clear(&end);
    return is_put;
}

bool replay_cast_append_next_line(struct replay_cast *cast, struct bytes *out)
{
    uint32_t line = cast->line, last = cast->game.record.source.move_count;
    if (!cast->game.is_open || line > last + 2) {
        return false;
    }
    bool is_put = line == 0          ? append_recording_header(cast, out)
                  : line <= last + 1 ? append_frame(cast, line - 1, out)
                                     : append_end_of_recording(cast, out);
    cast->line = is_put ? line + 1 : last + 3;
    return is_put;
}
