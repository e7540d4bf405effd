#pragma once

#include "daemon/screens/drawing/list.h"
#include "daemon/screens/kernel/screen.h"

/* The lobby's two lists: which rows, in what order, and how a row is drawn. */

enum table_sort {
    SORT_USEFUL, /* yours first, then open ones, running ones, finished ones */
    SORT_NEWEST,
    SORT_GAME,
    SORT_WATCHED, /* most watchers first */
    SORT_COUNT,
};

/* Which tables stand in the list. */
enum table_show {
    SHOW_ALL,
    SHOW_OPEN, /* one can sit down there */
    SHOW_PLAYING,
    SHOW_MINE,    /* with a seat of one's own, */
    SHOW_WAITING, /* and waiting for one's move */
    SHOW_COUNT,
};

#define LOBBY_FILTER_MAX 33

/* A finished game worth looking at. */
struct lobby_best {
    int64_t id; /* 0: none */
    const struct game_def *game;
    char players[MODEL_TEXT_MAX / 4]; /* names */
};

struct lobby_tables {
    const struct lobby_best *best; /* to be offered where there is no table; NULL: none */
    struct list list;
    bool is_chosen;                /* by the person; until then the first row is the selected one */
    int64_t selected_id;           /* stays selected when the order changes; 0: none */
    uint8_t sort;                  /* enum table_sort */
    uint8_t show;                  /* enum table_show */
    char filter[LOBBY_FILTER_MAX]; /* shows only rows that hold this text; "" all */
    uint16_t order[MODEL_TABLES_MAX]; /* indices in model->tables */
};

struct lobby_people {
    struct list list;
    bool is_chosen; /* as for the tables */
    char selected[MODEL_NAME_MAX];
    uint16_t order[MODEL_PEOPLE_MAX]; /* indices in model->people: friends, then the others */
};
