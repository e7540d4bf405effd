#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table_hand.h"
#include "games/lesson.h"

#include <stdbool.h>
#include <stdint.h>

/* What a lesson (games/lesson.h) tells its player at the table: one note and one suggestion at a
 * time, above the prompt. A note may come while others move. It stays until a newer note replaces
 * it, or until the player has made a move or has gone on after a round. */
struct table_lesson {
    uint32_t told;                        /* bit n: note n of the lesson has been told */
    uint8_t note;                         /* the note told now; LESSON_NOTES_MAX: none */
    const struct lesson_move *suggestion; /* the move suggested now; NULL: none */
    bool has_ended;                       /* the player has been told that suggestions end */
    bool tells_end;                       /* the player is told so now */
    bool has_strayed;                     /* suggestions end because the player made another move */
    uint8_t printed_note; /* in plain mode: what has been printed last of each kind */
    bool is_end_printed;
    const struct lesson_move *printed_suggestion;
    int64_t game;          /* number of the game that the notes are about */
    bool is_stop;          /* the table stopped after a round when the notes were chosen last */
    uint16_t step;         /* the step at which the notes were chosen last, plus 1 */
    struct move_set asked; /* the viewer's legal moves at that time; empty: no move was awaited */
};

/* Chooses what to tell, whenever the table or its view has changed. Does nothing at other tables.
 */
void table_lesson_update(struct table_lesson *lesson, const struct model_entered *entered);

/* Writes the note and the suggestion as one paragraph; writes nothing when there is nothing to
 * tell. plan: the hand as it is drawn, which tells the key of a suggested card; NULL in plain mode,
 * where people type the names of cards. */
const char *table_lesson_write(const struct table_lesson *lesson,
                               const struct model_entered *entered, const struct words *words,
                               const struct hand_plan *plan, struct text *out);

/* Plain mode: prints all that is told now. */
void table_lesson_print(struct table_lesson *lesson, const struct model_entered *entered,
                        const struct words *words, struct lines *lines);

/* Plain mode: prints what is told now and has not been printed yet. */
void table_lesson_print_news(struct table_lesson *lesson, const struct model_entered *entered,
                             const struct words *words, struct lines *lines);
