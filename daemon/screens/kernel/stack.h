#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The stack of open screens. */
struct ui;
struct ui_layer;

/* screen_open's argument for the rules: a game's index + 1, or 0 for the game of the entered table;
 * and whether to show the full rules. */
#define RULES_FULL 0x100

/* Puts a screen on top. If it is on the stack already, the screens above it are closed and it is
 * entered again. The caller's state stays valid unless its screen was above that one. False, after
 * a warning: there is no such screen, or the stack (8) is full. */
bool screen_open(struct ui *ui, const char *name, int64_t argument);

/* The same for a screen about a person; it reads the name with screen_person_name when it is
 * entered. "" is oneself. */
bool screen_open_about_person(struct ui *ui, const char *name, const char *about);
const char *screen_person_name(const struct ui *ui);

/* Closes the top screen; the lobby stays. The state given to the caller is freed. */
void screen_close(struct ui *ui);

/* Returns to the lobby; opens it if necessary (after sign-up). */
void screen_return_to_lobby(struct ui *ui);

/* The name of the screen below the top one, "" if there is none. */
const char *screen_name_below(const struct ui *ui);

/* Plain mode: prints the top screen again. */
void screen_print_again(struct ui *ui);

/*
 * For the kernel.
 */

/* The top layer, which always exists. Valid until the stack changes. */
struct ui_layer *ui_top_layer(struct ui *ui);

/* The layer with that serial; NULL if its screen was closed. */
struct ui_layer *ui_find_layer(struct ui *ui, uint32_t serial);

/* Call it before a function of a screen that may not be on top, so that answers to its requests go
 * to that screen. Returns what to pass to this function afterwards. */
uint32_t ui_set_acting_screen(struct ui *ui, uint32_t serial);

/* The serial of the screen whose function is running. */
uint32_t ui_acting_serial(struct ui *ui);

/* Removes every screen. */
void ui_close_all_screens(struct ui *ui);
