#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * What the load bench knows of Trickhouse: its keys, its commands, and how its screens tell whose
 * turn it is. All other files of the bench work with any server.
 */
struct house_play {
    const char *marker;                              /* words of a new guest's first screen */
    const char *enter;                               /* keys that close it and show the lobby */
    const char *before_echo, *echo_key, *after_echo; /* keys of a chat line, typed and deleted */
    const char *before_chat, *after_chat;            /* keys around a chat line that is sent */
    const char *open_table;                          /* command that opens a table for four */
    const char *before_table,
        *after_table;   /* the words around a table's number to sit down there */
    const char *start;  /* command that begins the game */
    const char *redraw; /* key that paints the whole screen */
    const char *go_on;  /* key that ends the pause after a round */
    const char *turn;   /* how the window's title begins while it is the person's turn */
};

extern const struct house_play house_play;

/* Finds the number of the table in the text of its screen. Returns 0 if there is none. */
int house_play_find_table(const char *text);

/* Finds a key that makes a legal move in the text of a whole screen. Returns 0 if there is none. */
char house_play_find_move(const char *text);
