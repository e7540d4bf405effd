#pragma once

#include "daemon/screens/drawing/list.h"
#include "daemon/screens/kernel/screen.h"

/* The lobby's two lists: their rows, order and drawing. */

enum table_sort {
    SORT_USEFUL, /* the person's own tables first, then open, running and finished ones */
    SORT_NEWEST,
    SORT_GAME,
    SORT_WATCHED, /* most spectators first */
    SORT_COUNT,
};

/* Which tables the list shows. */
enum table_show {
    SHOW_ALL,
    SHOW_OPEN, /* tables with a free seat */
    SHOW_PLAYING,
    SHOW_MINE,    /* tables where the person has a seat */
    SHOW_WAITING, /* tables that wait for the person's move */
    SHOW_COUNT,
};

#define LOBBY_FILTER_MAX 33

/* A finished game worth replaying. */
struct lobby_best {
    int64_t id; /* 0: there is no such game */
    const struct game_def *game;
    char players[MODEL_TEXT_MAX / 4]; /* their names, as a list */
};

struct lobby_tables {
    const struct lobby_best
        *best; /* the game offered if there is no table; NULL: no game is offered */
    struct list list;
    bool is_chosen; /* the person has selected a row; until then the first row stays selected */
    int64_t selected_id;              /* stays selected when the order changes; 0: none */
    uint8_t sort;                     /* enum table_sort */
    uint8_t show;                     /* enum table_show */
    char filter[LOBBY_FILTER_MAX];    /* shows only rows that contain this text; "": all */
    uint16_t order[MODEL_TABLES_MAX]; /* indices in model->tables */
};

struct lobby_people {
    struct list list;
    bool is_chosen; /* the person has selected a row; until then the first row stays selected */
    char selected[MODEL_NAME_MAX];
    uint16_t order[MODEL_PEOPLE_MAX]; /* indices in model->people: friends first */
};
