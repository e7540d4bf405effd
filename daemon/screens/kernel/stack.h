#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The stack of open screens. */
struct ui;
struct ui_layer;

/* The argument of screen_open for the rules screen: a game's index + 1, or 0 for the game of the
 * entered table. RULES_FULL is added to show the full rules. */
#define RULES_FULL 0x100

/* Opens a screen on top of the others. If the screen is open already, raises it and calls its
 * `enter` again; to raise the lobby closes all others. The state of a closed screen stays valid
 * until the function of a screen that runs has returned. Returns false, after a warning, if there
 * is no such screen or the stack is full. */
bool screen_open(struct ui *ui, const char *name, int64_t argument);

/* Opens a screen about a person ("": the person of this session). The screen reads the name with
 * screen_shown_person_name when it is entered. */
bool screen_open_about_person(struct ui *ui, const char *screen_name, const char *person_name);
const char *screen_shown_person_name(const struct ui *ui);

/* Closes the top screen, unless it is the lobby. */
void screen_close(struct ui *ui);

/* Closes all screens above the lobby, and opens the lobby if it is not open. */
void screen_return_to_lobby(struct ui *ui);

/* The name of the screen below the top one; "" if there is none. */
const char *screen_name_below_top(const struct ui *ui);

/* Returns the state of the open screen with that name, for commands that act on it; NULL if the
 * screen is not open. Valid until the stack changes. */
void *screen_find_state(struct ui *ui, const char *name);

/* Plain mode: prints the top screen again. */
void screen_print_top_again(struct ui *ui);

/*
 * The functions below are for the kernel.
 */

/* Returns the top layer, which always exists. Valid until the stack changes. */
struct ui_layer *ui_top_layer(struct ui *ui);

/* Returns the layer with that serial; NULL if its screen was closed. */
struct ui_layer *ui_find_layer(struct ui *ui, uint32_t serial);

/* Notes which screen's function runs from now on: that screen receives the answers to the requests
 * that follow. Call it before you call a function of a screen that may not be on top. Returns the
 * earlier screen's serial, to restore it afterwards. */
uint32_t ui_set_running_screen(struct ui *ui, uint32_t serial);

/* The serial of the screen whose function is running. */
uint32_t ui_running_screen_serial(struct ui *ui);

/* Closes every screen, the lobby too. */
void ui_close_all_screens(struct ui *ui);

/* Frees the states of closed screens. Call it when no function of a screen is running. */
void ui_free_closed_screens(struct ui *ui);
