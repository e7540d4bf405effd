#ifndef DAEMON_SCREENS_TABLE_TABLE_STATE_H
#define DAEMON_SCREENS_TABLE_TABLE_STATE_H

#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/table/table_aim.h"
#include "daemon/screens/table/table_choices.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_layout.h"
#include "daemon/screens/table/table_scene.h"

/*
 * The table screen's own state, shared by its files: what is being pointed at, and what is shown
 * for a moment before the present state.
 *
 *     waiting ──start──▶ playing ──last round──▶ finished ──rematch──▶ playing
 *
 * While playing, a finished trick is held, and after a round the score sheet lies over the table.
 * Both are only shown: keys act on the present view all the time.
 */
#define TABLE_HOLD_MS 1200
#define TABLE_SHEET_MS 7000

enum table_over {
    TABLE_OVER_NOTHING,
    TABLE_OVER_SHEET, /* the finished round's scores, by themselves */
    TABLE_OVER_TRICK, /* the last trick again, on a key */
};

struct table_state {
    struct game_view shown; /* what was shown last; while a trick is held, that trick's */
    bool has_shown;
    int64_t hold_end_ms; /* 0: nothing is held */
    enum table_over over;
    int64_t over_end_ms;
    uint16_t sheet_seen; /* rounds on the sheet that were there already */
    bool keeps_slots;    /* a card of this round was hidden or marked */
    uint8_t keeps_round;
    int selected;          /* place in the hand, -1 for none */
    struct move_set asked; /* the viewer's legal moves when the cursor was set */
    struct choice_cursor cursor;
    struct aim_cursor aim;
    bool is_board_folded;
    bool is_sent; /* a move is under way: made at sent_step */
    uint16_t sent_step;
    bool is_alarmed;        /* the own clock was about to run out in this turn, and it was said */
    int row;                /* selected seat while waiting */
    int64_t committed_game; /* the commitment that was shown before its first card */
    char commitment[65];
    struct game_view told; /* plain mode: the view told last */
    bool has_told;
    int8_t missing_told;        /* free seats, as told last; -1: not yet */
    int64_t told_game;          /* the game it is of */
    uint16_t warned_step;       /* the step at which little time was said to be left; 0: none yet */
    uint16_t sheet_told;        /* rounds whose scores have been told */
    uint8_t told_halt;          /* enum table_halt */
    struct table_layout layout; /* as drawn last, for clicks */
    struct hand_plan plan;
};

/* Copies what is set, not the whole of `info`: views are large and mostly empty. */
void table_view_copy(struct game_view *to, const struct game_view *from);

/* While a finished trick lies there. */
bool table_is_holding(const struct table_state *state);

/* Turns the view before a round's last trick into the one to show while that trick lies there: the
 * round as it was, the new deal still hidden. `now` is the view after it. */
void table_hold_round(struct game_view *held, const struct game_view *now);

/* Why the game does not simply go on: it stands still, a bot plays for you, somebody has lost the
 * connection. False when there is nothing to say. */
bool table_write_halt(const struct model_entered *entered, const struct words *words,
                      int64_t now_ms, struct text *out);

/* Asks the house to go on with a game that stands still, or for one's seat back from a bot. */
void table_resume(struct ui *ui);

/* Enter, when that ends what table_write_halt says of a halt or of a bot; else false. */
bool table_halt_key(struct ui *ui, const struct press *press);

/* What to do about it, in the last line. */
void table_halt_hints(const struct model_entered *entered, struct hints *hints);

/* Rings once a turn when the own clock of a live game has only CLOCK_SHORT_MS left. */
#define CLOCK_SHORT_MS 10000
void table_alarm(struct ui *ui, struct table_state *state);

/* When a time that is shown changes; INT64_MAX: none runs. */
int64_t table_clock_next_ms(const struct model_entered *entered, int64_t now_ms);

/* The running or finished game. */
void table_game_draw(struct ui *ui, struct table_state *state, const struct canvas *canvas);

/* Ends the hold and goes on to the present view. */
void table_hold_end(struct ui *ui, struct table_state *state);

/* The score sheet in a frame, the last round explained. */
void table_sheet_lay(struct ui *ui, const struct canvas *canvas, const struct area *area);

/* Waiting room (before the start). */
void table_wait_draw(struct ui *ui, struct table_state *state, const struct canvas *canvas);
bool table_wait_key(struct ui *ui, struct table_state *state, const struct press *press);
void table_wait_hints(struct ui *ui, struct hints *hints);

/* Result (after the end). */
void table_result_draw(struct ui *ui, const struct table_state *state, const struct canvas *canvas,
                       const struct area *area);
bool table_result_key(struct ui *ui, const struct press *press);
void table_result_hints(struct ui *ui, struct hints *hints);

/* Plain mode: all of it; what a push brings; a line typed. */
bool table_tell(struct ui *ui, void *opaque, struct lines *lines);
void table_tell_push(struct ui *ui, struct table_state *state, const char *type);
bool table_line(struct ui *ui, void *opaque, const char *line);
int64_t table_tell_pass(struct ui *ui, void *opaque);

/* The end of a game in lines: ranks, ratings, whether the deal was fair. */
void table_result_tell(struct ui *ui, const struct table_state *state, struct lines *lines);

/* Keys and moves of a running game. */
bool table_play_key(struct ui *ui, struct table_state *state, const struct press *press);
void table_play_hints(struct ui *ui, const struct table_state *state, struct hints *hints);

/* What keys and commands share: makes a move or says why not, asks before leaving for good, shows
 * the last trick again. */
void table_make_move(struct ui *ui, struct table_state *state, uint8_t move);
void table_ask_resign(struct ui *ui);
void table_show_last(struct ui *ui, struct table_state *state);

/* Opens the game so far for who watches; false for who plays, or where no game is on. */
bool table_look_back(struct ui *ui);

/* A notice of who watches the entered table. */
void table_tell_watchers(struct ui *ui);

#endif
