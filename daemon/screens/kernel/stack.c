#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ui_layer *ui_top_layer(struct ui *ui)
{
    assert(ui->depth > 0);
    return &ui->stack[ui->depth - 1];
}

struct ui_layer *ui_find_layer(struct ui *ui, uint32_t serial)
{
    for (int i = 0; i < ui->depth; i++) {
        if (ui->stack[i].serial == serial) {
            return &ui->stack[i];
        }
    }
    return NULL;
}

uint32_t ui_set_running_screen(struct ui *ui, uint32_t serial)
{
    uint32_t before = ui->running_serial;
    ui->running_serial = serial;
    return before;
}

uint32_t ui_running_screen_serial(struct ui *ui)
{
    return ui->running_serial != 0 ? ui->running_serial : ui_top_layer(ui)->serial;
}

/* Calls the `enter` function of the top screen, which was just opened or is opened again. */
static void enter_top_screen(struct ui *ui, int64_t argument)
{
    const struct ui_layer layer = *ui_top_layer(ui);
    uint32_t before = ui_set_running_screen(ui, layer.serial);
    if (layer.screen->enter != NULL) {
        layer.screen->enter(ui, layer.state, argument);
    }
    (void)ui_set_running_screen(ui, before);
}

/* The state of a screen. The state of a closed screen stays until no function of the screen can be
 * running any more. */
struct state_block {
    struct state_block *next; /* the next one of a closed screen */
    max_align_t state[];
};

static void *new_state(const struct screen *screen)
{
    struct state_block *block = calloc(1, sizeof *block + screen->state_size);
    return block == NULL ? NULL : block->state; /* cppcheck-suppress memleak ; state owns it */
}

void ui_free_closed_screens(struct ui *ui)
{
    while (ui->closed != NULL) {
        struct state_block *block = ui->closed;
        ui->closed = block->next;
        free(block);
    }
}

static void close_top_layer(struct ui *ui)
{
    struct ui_layer layer = *ui_top_layer(ui);
    if (ui->question.is_open && ui->question.serial == layer.serial) {
        ui->question.is_open = false;
        input_set_text(&ui->input, "");
    }
    if (layer.screen->leave != NULL) {
        layer.screen->leave(ui, layer.state);
    }
    struct state_block *block = (void *)((char *)layer.state - offsetof(struct state_block, state));
    block->next = ui->closed;
    ui->closed = block;
    ui->depth--;
    /* in plain mode, prints the screen below again: the person may have forgotten it */
    if (ui->depth > 0 && layer.screen->line != NULL) {
        ui_top_layer(ui)->is_printed = false;
    }
    ui->is_dirty = true;
}

void ui_close_all_screens(struct ui *ui)
{
    while (ui->depth > 0) {
        close_top_layer(ui);
    }
}

/* Removes the notice if the person has seen it on the screen that is being left. A warning of the
 * house stays: the house may open a screen itself, so no key shows that the warning was read. */
static void remove_seen_notice(struct ui *ui)
{
    if (ui->is_notice_painted && !ui->is_notice_of_house) {
        ui->notice_end_ms = 0;
    }
}

static bool push_screen(struct ui *ui, const struct screen *screen, int64_t argument)
{
    if (ui->depth == UI_STACK_MAX) {
        screen_warn(ui, "%s", _("Too many screens are open: close some with q."));
        return false;
    }
    struct ui_layer layer = {
        .screen = screen, .state = new_state(screen), .serial = ++ui->last_serial};
    if (layer.state == NULL) {
        return false;
    }
    ui->stack[ui->depth++] = layer;
    ui->is_typing = false;
    ui->is_dirty = true;
    enter_top_screen(ui, argument);
    return true;
}

/* Returns the position of a screen on the stack; -1 if it is not open. */
static int find_stack_position(const struct ui *ui, const struct screen *screen)
{
    for (int i = 0; i < ui->depth; i++) {
        if (ui->stack[i].screen == screen) {
            return i;
        }
    }
    return -1;
}

/* Puts an open screen on top of the others, which stay open: a function of one of them may be
 * running. The lobby is always at the bottom; the screens above it close. */
static void raise_layer(struct ui *ui, int at)
{
    while (at == 0 && ui->depth > 1) {
        close_top_layer(ui);
    }
    struct ui_layer layer = ui->stack[at];
    layer.is_printed = false;
    memmove(&ui->stack[at], &ui->stack[at + 1], (size_t)(ui->depth - 1 - at) * sizeof layer);
    ui->stack[ui->depth - 1] = layer;
    ui->is_dirty = true;
}

static bool open_named_screen(struct ui *ui, const char *name, int64_t argument)
{
    const struct screen *screen = screen_find(name);
    if (screen == NULL) {
        screen_warn(ui, _("There is no screen \"%s\" in this house."), name);
        return false;
    }
    int at = find_stack_position(ui, screen);
    remove_seen_notice(ui);
    if (at < 0) {
        return push_screen(ui, screen, argument);
    }
    raise_layer(ui, at);
    enter_top_screen(ui, argument);
    return true;
}

bool screen_open(struct ui *ui, const char *name, int64_t argument)
{
    ui->about[0] = '\0';
    return open_named_screen(ui, name, argument);
}

bool screen_open_about_person(struct ui *ui, const char *screen_name, const char *person_name)
{
    snprintf(ui->about, sizeof ui->about, "%s", person_name);
    return open_named_screen(ui, screen_name, 0);
}

const char *screen_shown_person_name(const struct ui *ui)
{
    return ui->about;
}

void screen_close(struct ui *ui)
{
    if (ui->depth > 1) {
        remove_seen_notice(ui);
        close_top_layer(ui);
    }
}

void screen_return_to_lobby(struct ui *ui)
{
    remove_seen_notice(ui);
    while (ui->depth > 1) {
        close_top_layer(ui);
    }
    const struct screen *lobby = screen_find("lobby");
    if (ui->depth == 0 || ui->stack[0].screen != lobby) {
        ui_close_all_screens(ui);
        push_screen(ui, lobby, 0);
    }
}

const char *screen_name_below_top(const struct ui *ui)
{
    return ui->depth > 1 ? ui->stack[ui->depth - 2].screen->name : "";
}

void *screen_find_state(struct ui *ui, const char *name)
{
    int at = find_stack_position(ui, screen_find(name));
    return at >= 0 ? ui->stack[at].state : NULL;
}

void screen_print_top_again(struct ui *ui)
{
    ui_top_layer(ui)->is_printed = false;
}
