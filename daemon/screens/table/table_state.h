#pragma once

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
 * Meanwhile keys already act on the newest view.
 */
#define TABLE_HOLD_MS 1200
#define TABLE_SHEET_MS 7000

enum table_over {
    TABLE_OVER_NOTHING,
    TABLE_OVER_SHEET, /* the scores of the finished round, which the screen shows by itself */
    TABLE_OVER_TRICK, /* the last trick, which a key shows again */
};

struct table_state {
    struct game_view shown; /* the view shown last; while a trick is held, the view of that trick */
    bool has_shown;
    int64_t hold_end_ms; /* when the screen stops showing the held trick; 0: no trick is held */
    enum table_over over;
    int64_t over_end_ms;
    uint16_t sheet_seen; /* number of rounds on the sheet when it was shown last */
    bool keeps_slots;    /* a card was hidden or marked in this round */
    uint8_t keeps_round;
    int selected;          /* selected place in the hand; -1: none */
    struct move_set asked; /* the viewer's legal moves at the time when the cursor was set */
    struct choice_cursor cursor;
    struct aim_cursor aim;
    bool is_board_folded;
    bool is_sent; /* a move was sent at sent_step, and the core has not answered yet */
    uint16_t sent_step;
    bool is_alarmed;        /* the warning that time is running out was given in this turn */
    int row;                /* the selected seat before the start */
    int64_t committed_game; /* the game whose commitment this session saw before the first card */
    char commitment[65];
    struct game_view told; /* in plain mode: the view printed last */
    bool has_told;
    int8_t missing_told;  /* the number of free seats printed last; -1: not printed yet */
    int64_t told_game;    /* the game of the view printed last */
    uint16_t warned_step; /* the step at which the warning about little time was printed; 0: not
                             printed */
    uint16_t sheet_told;  /* number of rounds whose scores have been printed */
    uint8_t told_halt;    /* the halt that was printed last (enum table_halt) */
    struct table_layout layout; /* where everything was drawn last, to find what a click means */
    struct hand_plan plan;
};
