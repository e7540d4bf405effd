#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "games/lesson.h"

#include <stdbool.h>
#include <stdint.h>

/* What a lesson (games/lesson.h) tells its player at the table: one note and one suggestion at a
 * time, above the prompt. */
struct table_lesson {
    uint32_t told;                        /* bit n: note n of the lesson has been told */
    uint8_t note;                         /* the note told now; LESSON_NOTES_MAX: none */
    const struct lesson_move *suggestion; /* the move suggested now; NULL: none */
    int64_t game;                         /* number of the game that the notes are about */
    uint16_t step;                        /* the step at which the notes were chosen last, plus 1 */
};

/* Chooses what to tell, whenever the table's view has changed. Does nothing at other tables. True
 * when there is something new to tell. */
bool table_lesson_update(struct table_lesson *lesson, const struct model_entered *entered);

/* Writes the note and the suggestion as one paragraph; writes nothing when there is nothing to
 * tell. */
const char *table_lesson_write(const struct table_lesson *lesson,
                               const struct model_entered *entered, const struct words *words,
                               struct text *out);

/* Plain mode: prints the note and the suggestion. */
void table_lesson_print(const struct table_lesson *lesson, const struct model_entered *entered,
                        const struct words *words, struct lines *lines);
