#pragma once

#include "daemon/screens/lobby/lobby.h"

/* What the files of the lobby's screen share. */

enum pane {
    PANE_TABLES,
    PANE_PEOPLE,
    PANE_CHAT,
    PANE_COUNT,
};

struct lobby {
    uint8_t pane; /* the pane with the keyboard focus (enum pane) */
    struct lobby_tables tables;
    struct lobby_list people;
    struct {
        struct house_lists lists;
        bool is_asked, is_waiting; /* the rows have been requested; they have not all arrived */
    } printed;                     /* plain mode: what the lobby prints */
    int chat_scroll, chat_rows;
    bool has_asked_best;
    bool has_seen_tables; /* the person's own tables have arrived, and with them the entered one */
    struct lobby_best best;
    int64_t drawn_ms;
    bool was_told;                 /* plain mode: the person has been told what can be typed */
    struct area areas[PANE_COUNT]; /* where the panes were drawn last, for clicks */
};
