#include "daemon/screens/model/model.h"

#include "games/face.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the number of oldest lines that go when the log is full */
#define DROPPED (LOG_LINES_MAX / 4)

void model_log_clear(struct table_log *log)
{
    free(log->lines);
    free(log->holders);
    memset(log, 0, sizeof(*log));
}

/* Makes room for one more line. False if there is no memory. */
static bool make_room(struct table_log *log)
{
    if (log->count == LOG_LINES_MAX) {
        log->count -= DROPPED;
        log->decided = log->decided > DROPPED ? log->decided - DROPPED : 0;
        log->ended = log->ended > DROPPED ? log->ended - DROPPED : 0;
        log->begun = log->begun > DROPPED ? log->begun - DROPPED : 0;
        memmove(log->lines, log->lines + DROPPED, (size_t)log->count * sizeof(*log->lines));
    }
    if (log->count < log->capacity) {
        return true;
    }
    int capacity = log->capacity == 0 ? 64 : log->capacity * 2;
    struct log_line *lines = realloc(log->lines, (size_t)capacity * sizeof(*lines));
    if (lines == NULL) {
        return false;
    }
    log->lines = lines;
    log->capacity = capacity;
    return true;
}

/* Remembers who holds the seats now, if that has changed. False if there is no memory. */
static bool note_holders(struct model_entered *entered)
{
    struct table_log *log = &entered->log;
    struct log_holders now = {.you = entered->you};
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        bool is_over = entered->has_result && entered->result.names[seat][0] != '\0';
        (void)snprintf(now.names[seat], sizeof(now.names[seat]), "%s",
                       is_over ? entered->result.names[seat]
                               : entered->details.seats.at[seat].name);
    }
    bool is_same = log->holders_count > 0 &&
                   memcmp(&log->holders[log->holders_count - 1], &now, sizeof(now)) == 0;
    if (is_same || log->holders_count == LOG_HOLDERS_MAX) {
        return true;
    }
    struct log_holders *holders =
        realloc(log->holders, (size_t)(log->holders_count + 1) * sizeof(*holders));
    if (holders == NULL) {
        return false;
    }
    log->holders = holders;
    log->holders[log->holders_count++] = now;
    return true;
}

static void add_lines(struct model *model, const struct story *story, uint8_t first, uint8_t end)
{
    struct table_log *log = &model->entered->log;
    if (!note_holders(model->entered)) {
        return;
    }
    for (uint8_t i = first; i < end && make_room(log); i++) {
        log->lines[log->count++] = (struct log_line){
            .words = story->lines[i].words,
            .holders = (uint8_t)(log->holders_count - 1),
            .is_great = story->lines[i].great.format != NULL,
            .chat_before = model->chat[CHAT_TABLE].added,
        };
    }
}

/* Remembers the announcement of a great moment: of several, one about the viewer or else the
 * last. */
static void announce(struct model *model, const struct story *story)
{
    struct table_log *log = &model->entered->log;
    int8_t you = model->entered->you;
    bool is_own = false;
    for (uint8_t i = 0; i < story->count; i++) {
        const struct phrase *great = &story->lines[i].great;
        if (great->format == NULL || is_own) {
            continue;
        }
        log->great = *great;
        log->great_ms = model->now_ms;
        is_own = phrase_choose_format(great, you) != great->format;
    }
}

/* Adds the points of the rounds before `round` that the log does not have yet. */
static void add_points(struct model *model, struct story *story, uint16_t round)
{
    struct model_entered *entered = model->entered;
    struct table_log *log = &entered->log;
    for (; log->rows < entered->sheet_count && entered->sheet[log->rows].round < round;
         log->rows++) {
        struct score_row row;
        model_convert_score_row(&entered->sheet[log->rows], &row);
        story_tell_points(entered->view.game, &row, entered->view.seats, story);
        add_lines(model, story, 0, story->count);
    }
}

static void begin_log(struct model *model, struct story *story)
{
    struct model_entered *entered = model->entered;
    model_log_clear(&entered->log);
    entered->log.game_id = entered->details.game_id;
    add_points(model, story, entered->view.round);
    entered->log.begun = entered->log.count;
    story_tell(NULL, &entered->view, story);
    add_lines(model, story, 0, story->count);
}

static void continue_log(struct model *model, struct story *story)
{
    struct model_entered *entered = model->entered;
    struct table_log *log = &entered->log;
    story_tell(&log->told, &entered->view, story);
    announce(model, story);
    add_lines(model, story, 0,
              story->decided < story->old_count ? story->decided : story->old_count);
    if (story->old_count > 0) {
        log->decided = log->count;
        add_lines(model, story, story->decided, story->old_count);
        log->ended = log->count;
    }
    if (story->old_count < story->count) {
        struct story points;
        add_points(model, &points, entered->view.round);
        log->begun = story->old_count > 0 ? log->count : log->begun;
        add_lines(model, story, story->old_count, story->count);
    }
}

void model_log_add_view(struct model *model)
{
    struct story story;
    struct model_entered *entered = model->entered;
    struct table_log *log = &entered->log;
    if (!entered->has_view) {
        return;
    }
    if (log->has_told && log->game_id == entered->details.game_id &&
        story_views_follow(&log->told, &entered->view)) {
        continue_log(model, &story);
    } else {
        begin_log(model, &story);
    }
    if (entered->view.phase == PHASE_OVER) {
        add_points(model, &story, UINT16_MAX);
    }
    log->told = entered->view;
    log->has_told = true;
}

void model_log_add_result(struct model *model)
{
    struct story story;
    struct model_entered *entered = model->entered;
    if (!entered->has_view || entered->log.has_result) {
        return;
    }
    add_points(model, &story, UINT16_MAX);
    story_tell_result(&entered->view, &entered->config, entered->result.winners, &story);
    add_lines(model, &story, 0, story.count);
    entered->log.has_result = true;
}
