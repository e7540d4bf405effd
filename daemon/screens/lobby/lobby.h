#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "games/game.h"
#include "lobby/protocol/protocol.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

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

/* The row that a person has selected, by what stays the same while the list changes: a person's
 * name or a table's number. Zero: its row has not arrived yet. */
struct row_key {
    char person[MODEL_NAME_MAX];
    int64_t table;
};

/*
 * A list of the lobby, and the window of it for which the screen asks the core (PROTOCOL.md, "The
 * lobby"): the rows on the screen, and as many above and below them. While these rows are on the
 * screen, the lobby asks for the same window, so that moving the cursor costs nothing.
 */
struct lobby_list {
    struct list list; /* positions in the whole list */
    bool is_chosen;   /* the person has selected a row; until then the first row stays selected */
    struct row_key selected;
    struct {
        int first, count;  /* count 0: the lobby has asked for none yet */
        bool is_at_row;    /* the window is where the selected row is */
        struct row_key at; /* the row around which the window lies; zero: none */
    } asked;
};

/* Which tables the lobby lists, and how. */
struct table_choice {
    uint8_t sort;                  /* how the list is sorted (enum table_sort) */
    uint8_t show;                  /* which tables the list shows (enum table_show) */
    char filter[LOBBY_FILTER_MAX]; /* shows only rows that contain this text; "": all */
};

struct lobby_tables {
    const struct lobby_best *best; /* the game whose replay the empty list offers; NULL: none */
    struct lobby_list rows;        /* those that pass the filter */
    struct table_choice choice;
    struct table_choice asked; /* what the last request to the core chose */
};

/* The words for the choices of tables and for the sort orders, in commands and in messages to the
 * core. After the last word comes NULL. */
extern const char *const lobby_tables_show_words[SHOW_COUNT + 1];
extern const char *const lobby_tables_sort_words[SORT_COUNT + 1];

/* The names of the choices of tables, not translated. */
extern const char *const lobby_tables_show_titles[SHOW_COUNT];

void lobby_tables_draw(struct lobby_tables *tables, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active);

/* Prints the people and tables of the house as lines, for plain mode. */

/* Prints the number of people, and one line for each that the lists have: name, rating, and where
 * the person is. */
void house_print_people(const struct model *model, const struct house_lists *lists,
                        struct lines *lines);

/* Prints one line per table: number, game, seats, clock, state. */
void house_print_tables(const struct model *model, const struct house_lists *lists,
                        struct lines *lines);

/* Prints how many more people are listed than have been printed, and how to list them; nothing if
 * there are none. */
void house_print_unlisted_people(const struct model_window *people, struct lines *lines);
