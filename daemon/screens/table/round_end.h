#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/press.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/hints.h"
#include "daemon/screens/model/model.h"
#include "games/view.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The end of a round: its scores with every number explained, and its last trick. The screen shows
 * them
 *
 *   - during the stop between two rounds (the core's halt `round`): to a player until they press a
 *     key, which asks the core to go on; to a spectator until they press a key or the stop ends;
 *   - after the last round, when the game does not stop any more, and to spectators with a delay,
 *     whose game does not stop for them: until a key is pressed or for as long as a stop lasts.
 */
struct ui;
struct table_state;

struct round_end {
    uint16_t seen;         /* number of rounds on the score sheet that the screen knows */
    uint16_t left;         /* the number of rounds when the viewer went on; 0: never in this game */
    int64_t kept_until_ms; /* without a stop, when the end of the round is no longer shown; 0: it is
                              not shown */
    int top;               /* the first row shown, if there are more rows than fit */
    int top_max;           /* the greatest value of `top`, as of the last drawing */
    bool has_view;         /* `view` is known */
    struct game_view view; /* the finished round with its last trick: the trick's winner and why */
};

/* Forgets the previous table's rounds. `entered` may be NULL. */
void round_end_forget(struct round_end *round_end, const struct model_entered *entered);

/* Call it when the score sheet has changed. is_reset: the message contained the whole sheet. */
void round_end_note_scores(struct round_end *round_end, const struct model_entered *entered,
                           bool is_reset, int64_t now_ms);

/* Call it when the round's last trick is known; `view` shows that trick. */
void round_end_note_last_trick(struct round_end *round_end, const struct game_view *view);

/* True while the core stops the game between two rounds. */
bool round_end_is_stop(const struct model_entered *entered);

/* True if the stop waits for the viewer's key. */
bool round_end_waits_for_viewer(const struct model_entered *entered);

/* True while the screen shows the end of the round instead of the cards. */
bool round_end_is_shown(const struct round_end *round_end, const struct model_entered *entered,
                        int64_t now_ms);

/* Writes which round is over, what a key does, for whom the table waits and how many seconds. False
 * if neither a stop nor the end of a round is to be described. */
bool round_end_write_prompt(const struct round_end *round_end, const struct model_entered *entered,
                            const struct words *words, int64_t now_ms, struct text *out);

/* Prints in plain mode how to go on, and for whom the stop waits. */
void round_end_print_stop(const struct model_entered *entered, const struct words *words,
                          int64_t now_ms, struct lines *lines);

/* Handles a key while the end of the round is shown. False if it keeps its usual meaning. */
bool round_end_handle_key(struct ui *ui, struct round_end *round_end, const struct press *press);

/* Goes on: tells the core that the player has read the scores, or shows the cards again. */
void round_end_go_on(struct ui *ui, struct round_end *round_end);

void round_end_add_hints(const struct round_end *round_end, const struct model_entered *entered,
                         struct hints *hints);

/* Returns when the seconds in the prompt change, or the end of the round is no longer shown;
 * INT64_MAX: never. */
int64_t round_end_next_change_ms(const struct round_end *round_end,
                                 const struct model_entered *entered, int64_t now_ms);
