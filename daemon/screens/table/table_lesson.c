#include "daemon/screens/table/table_lesson.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"

#define LABEL_BYTES 200

static const struct game_lesson *find_lesson(const struct model_entered *entered)
{
    return entered->details.is_lesson ? entered->row.game->face->lesson : NULL;
}

bool table_lesson_update(struct table_lesson *lesson, const struct model_entered *entered)
{
    const struct game_view *view = &entered->view;
    if (find_lesson(entered) == NULL || !entered->has_view) {
        *lesson = (struct table_lesson){.note = LESSON_NOTES_MAX};
        return false;
    }
    if (lesson->game != entered->details.game_id) {
        *lesson = (struct table_lesson){.note = LESSON_NOTES_MAX, .game = entered->details.game_id};
    }
    if (!view_viewer_may_move(view)) {
        lesson->suggestion = NULL; /* the note stays until the player has to decide again */
        return false;
    }
    if (lesson->step == view->step + 1U) {
        return false;
    }
    lesson->step = (uint16_t)(view->step + 1U);
    lesson->note = lesson_find_note(view, lesson->told);
    lesson->told |= lesson->note < LESSON_NOTES_MAX ? UINT32_C(1) << lesson->note : 0;
    lesson->suggestion = lesson_find_suggestion(view);
    return lesson->note < LESSON_NOTES_MAX || lesson->suggestion != NULL;
}

static void write_suggestion(const struct table_lesson *lesson, const struct model_entered *entered,
                             const struct words *words, struct text *out)
{
    const struct game_view *view = &entered->view;
    uint8_t move = game_move_parse(view->game, lesson->suggestion->move);
    struct text label = TEXT_OF(LABEL_BYTES);
    words_write_phrase(words, view->game->face->label(view, move), &label);
    text_format(out, _("Try %s: %s."), label.at, _(lesson->suggestion->why));
}

const char *table_lesson_write(const struct table_lesson *lesson,
                               const struct model_entered *entered, const struct words *words,
                               struct text *out)
{
    const struct game_lesson *source = find_lesson(entered);
    if (source != NULL && lesson->note < source->note_count) {
        text_put(out, _(source->notes[lesson->note].text));
    }
    if (source != NULL && lesson->suggestion != NULL) {
        text_put(out, out->len > 0 ? " " : "");
        write_suggestion(lesson, entered, words, out);
    }
    return out->at;
}

void table_lesson_print(const struct table_lesson *lesson, const struct model_entered *entered,
                        const struct words *words, struct lines *lines)
{
    struct text text = TEXT_OF(LINES_LINE_MAX);
    if (table_lesson_write(lesson, entered, words, &text)[0] != '\0') {
        lines_put(lines, text.at);
    }
}
