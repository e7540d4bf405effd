#pragma once

#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/model/hint.h"
#include "daemon/screens/table/premove.h"
#include "daemon/screens/table/round_end.h"
#include "daemon/screens/table/table_aim.h"
#include "daemon/screens/table/table_choices.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_layout.h"
#include "daemon/screens/table/table_lesson.h"
#include "daemon/screens/table/table_moment.h"
#include "daemon/screens/table/table_order.h"
#include "daemon/screens/table/table_scene.h"

/*
 * The state of the table's screen, which the files table_*.c share: what is selected, and what the
 * screen still shows of the past.
 *
 *     waiting ──start──▶ playing ──last round──▶ finished ──rematch──▶ playing
 *
 * While playing, a finished trick stays on the screen for as long as the person has chosen
 * (pace_trick_ms), and the end of a round until a key is pressed (round_end.h). While a finished
 * trick is shown, keys already act on the newest view.
 */
#define TABLE_LAST_TRICK_MS 7000
/* milliseconds in which a space bar is still meant for a trick that is no longer shown */
#define TABLE_LATE_SPACE_MS 1500

enum table_over {
    TABLE_OVER_NOTHING,
    TABLE_OVER_TRICK, /* the last trick, which the player shows again with a key */
};

struct table_state {
    struct game_view shown; /* the view drawn last; as long as a finished trick is shown, the view
                               of that trick */
    bool has_shown;
    int64_t hold_end_ms; /* when the screen stops showing the finished trick; 0: no finished trick
                            is shown */
    enum table_over over;
    int64_t over_end_ms;
    struct round_end round_end;
    bool keeps_slots; /* the hand stays unsorted: a card was hidden or marked in this round */
    uint8_t keeps_round;
    int selected;          /* selected place in the viewer's hand; -1: none */
    struct move_set asked; /* the viewer's legal moves at the time when the cursor was set */
    struct choice_cursor cursor;
    struct aim_cursor aim;
    struct order_cursor order;
    uint8_t named_move; /* the last key was an Enter that must be repeated to make this move, which
                           nobody has chosen; MOVE_NONE: it was not */
    struct moment moment;       /* since when keys have their present meaning */
    int64_t early_key_since_ms; /* its since_ms when a key came too early last; 0: none did */
    struct premove premove;
    int64_t held_ms; /* when a finished trick was shown last; 0: not yet */
    bool is_board_folded;
    bool is_sent; /* a move was sent at sent_step, and the core has not answered yet */
    uint16_t sent_step;
    uint8_t sent_move;
    bool is_sent_again;     /* that move was refused because of a halt, and sent a second time */
    int64_t made_ms;        /* when the person made a move last; 0: not yet */
    bool is_alarmed;        /* the bell for little time has rung in this turn */
    int row;                /* the seat selected while the table waits for its start */
    int64_t committed_game; /* the game whose seed commitment (a SHA-256) arrived before its first
                               card */
    char commitment[65];
    bool is_after_letter;  /* the last key that was not Enter was a letter */
    struct game_view told; /* in plain mode: the view whose events were printed last */
    bool has_told;
    int8_t missing_told;  /* the number of free seats printed last; -1: not printed yet */
    int64_t told_game;    /* the game whose view was printed last */
    uint16_t warned_step; /* the game's step at which the warning about little time was printed; 0:
                             not printed yet */
    bool is_round_end_told; /* in plain mode: the end of the round was printed, and the next round
                               waits for the end of the stop */
    bool is_turn_untold;    /* in plain mode: whose turn it is will be printed after the stop */
    uint16_t sheet_told;    /* number of rounds whose scores have been printed */
    struct claim_row told_claim; /* the claim that was shown last */
    uint8_t told_halt;           /* the reason for a halt that was printed last (enum table_halt) */
    struct table_lesson lesson;  /* what a lesson tells now */
    struct table_layout layout; /* where everything was drawn last; tells what a mouse click hits */
    struct hand_plan plan;
    struct hint hint;  /* for the view at hint_step of the game hint_game */
    int64_t hint_game; /* 0: no hint was made yet */
    uint16_t hint_step;
};
