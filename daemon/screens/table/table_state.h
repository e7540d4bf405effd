#pragma once

#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/table/table_aim.h"
#include "daemon/screens/table/table_choices.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_layout.h"
#include "daemon/screens/table/table_scene.h"

/*
 * The state of the table's screen, which the files table_*.c share: what is selected, and what the
 * screen still shows of the past.
 *
 *     waiting ──start──▶ playing ──last round──▶ finished ──rematch──▶ playing
 *
 * While playing, a finished trick stays on the screen for TABLE_HOLD_MS, and after a round the
 * score sheet covers the table. Meanwhile keys already act on the newest view.
 */
#define TABLE_HOLD_MS 1200
#define TABLE_SHEET_MS 7000

enum table_over {
    TABLE_OVER_NOTHING,
    TABLE_OVER_SHEET, /* the scores of the finished round, which the screen shows unasked */
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
    uint16_t sheet_seen; /* number of rounds on the score sheet when it was shown last */
    bool keeps_slots;    /* the hand stays unsorted: a card was hidden or marked in this round */
    uint8_t keeps_round;
    int selected;          /* selected place in the viewer's hand; -1: none */
    struct move_set asked; /* the viewer's legal moves at the time when the cursor was set */
    struct choice_cursor cursor;
    struct aim_cursor aim;
    bool is_board_folded;
    bool is_sent; /* a move was sent at sent_step, and the core has not answered yet */
    uint16_t sent_step;
    bool is_alarmed;        /* the bell for little time has rung in this turn */
    int row;                /* the seat selected while the table waits for its start */
    int64_t committed_game; /* the game whose seed commitment (a SHA-256) arrived before its first
                               card */
    char commitment[65];
    struct game_view told; /* in plain mode: the view whose events were printed last */
    bool has_told;
    int8_t missing_told;  /* the number of free seats printed last; -1: not printed yet */
    int64_t told_game;    /* the game whose view was printed last */
    uint16_t warned_step; /* the game's step at which the warning about little time was printed; 0:
                             not printed yet */
    uint16_t sheet_told;  /* number of rounds whose scores have been printed */
    uint8_t told_halt;    /* the reason for a halt that was printed last (enum table_halt) */
    struct table_layout layout; /* where everything was drawn last; tells what a mouse click hits */
    struct hand_plan plan;
};
