#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The stack of open screens. */
struct ui;
struct ui_layer;

/* screen_open's argument for the rules: a game's index + 1, or 0 for the entered table's; and
 * whether all of them. */
#define RULES_FULL 0x100

/* Puts a screen on top. A screen that is already on the stack is uncovered instead, and entered
 * again. The caller's state stays valid unless its screen was above that one. False (a warning
 * says why): there is no such screen, or the stack (8) is full. */
bool screen_open(struct ui *ui, const char *name, int64_t argument);

/* The same for a screen about a person; it learns the name from screen_about when it is entered.
 * "" is oneself. */
bool screen_open_about(struct ui *ui, const char *name, const char *about);
const char *screen_about(const struct ui *ui);

/* Takes the top screen off; the lobby stays. The state given to the caller is freed. */
void screen_close(struct ui *ui);

/* Back to the lobby; opens it when it is not there (after sign-up). */
void screen_home(struct ui *ui);

/* The name of the screen below the top one, "" when there is none. */
const char *screen_below(const struct ui *ui);

/* Plain mode: the top screen is told again. */
void screen_retell(struct ui *ui);

/*
 * For the kernel.
 */

/* The top layer; there always is one. Valid until the stack changes. */
struct ui_layer *ui_layer_top(struct ui *ui);

/* The layer with that serial, NULL when its screen was closed. */
struct ui_layer *ui_layer_find(struct ui *ui, uint32_t serial);

/* Call before a function of a screen that may not be on top: answers to its requests then go to
 * that screen. Returns what to call this with again afterwards. */
uint32_t ui_act_as(struct ui *ui, uint32_t serial);

/* The serial of the screen whose function runs. */
uint32_t ui_acting_serial(struct ui *ui);

/* Removes every screen. */
void ui_stack_clear(struct ui *ui);
