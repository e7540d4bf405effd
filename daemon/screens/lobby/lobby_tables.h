#pragma once

#include "daemon/screens/drawing/list.h"
#include "daemon/screens/kernel/screen.h"

/* The lobby's pane of tables. */

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

/* Yesterday's best game, whose replay the lobby offers. */
struct lobby_best {
    int64_t id; /* number of the finished game; 0: no such game was found */
    const struct game_def *game;
    char players[MODEL_TEXT_MAX / 4]; /* the players' names in one text, such as "ada, bob" */
};

struct lobby_tables {
    const struct lobby_best *best; /* the game whose replay the empty list offers; NULL: none */
    struct list list;              /* positions in the whole list of tables that pass the filter */
    bool is_chosen; /* the person has selected a row; until then the first row stays selected */
    int64_t selected_id; /* the selected table, kept when the order changes; 0: none, or its row has
                            not arrived yet */
    uint8_t sort;        /* how the list is sorted (enum table_sort) */
    uint8_t show;        /* which tables the list shows (enum table_show) */
    char filter[LOBBY_FILTER_MAX]; /* shows only rows that contain this text; "": all */
};

/* Keeps the same table selected while the list changes. Called before the list is drawn. */
void lobby_tables_update_rows(struct lobby_tables *tables, const struct model_tables *rows);

/* Returns the selected table; NULL if there is none. */
const struct table_row *lobby_tables_find_selected_table(const struct lobby_tables *tables,
                                                         const struct model *model);

/* Remembers which table is selected. Called after the list's cursor has moved. */
void lobby_tables_remember_selected_table(struct lobby_tables *tables,
                                          const struct model_tables *rows);

/* The words for the choices of tables and for the sort orders, in commands and in messages to the
 * core. After the last word comes NULL. */
extern const char *const lobby_tables_show_words[SHOW_COUNT + 1];
extern const char *const lobby_tables_sort_words[SORT_COUNT + 1];

/* Return the translated name of a sort order, or of a choice of tables (enum table_show). */
const char *lobby_tables_sort_order_title(uint8_t order);
const char *lobby_tables_kind_title(uint8_t kind);

void lobby_tables_draw(struct lobby_tables *tables, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active);
