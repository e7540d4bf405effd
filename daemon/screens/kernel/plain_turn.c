#include "daemon/screens/kernel/plain_turn.h"

#include "daemon/screens/kernel/keys.h"
#include "daemon/screens/kernel/ui_state.h"

#include <string.h>

#define AT_ONCE 20 /* the most lines that are carried out before the session serves others */

/* Carries out the next complete line; at the end of input also an incomplete one. */
static void carry_out_next_line(struct ui *ui)
{
    struct bytes *typed = &ui->plain.typed;
    size_t len = 0;
    while (len < typed->len && typed->at[len] != '\r' && typed->at[len] != '\n') {
        len++;
    }
    len += len < typed->len ? 1 : 0;
    char line[INPUT_MAX];
    for (size_t at = 0; at < len;) {
        size_t part = len - at < sizeof(line) ? len - at : sizeof(line);
        memcpy(line, typed->at + at, part);
        ui_take_typed_bytes(ui, (const uint8_t *)line, part);
        at += part;
    }
    explicit_bzero(line, sizeof(line));
    explicit_bzero(typed->at, len);
    bytes_drop(typed, len);
}

/* True if the top screen can be closed: it takes no input, is printed, and waits for no answer. */
static bool may_close_top_screen(struct ui *ui)
{
    const struct ui_layer *layer = ui_top_layer(ui);
    return ui->depth > 1 && layer->is_told && layer->screen->line == NULL &&
           !ui->question.is_open && !ui_layer_is_waiting(ui, layer);
}

static void print_top_screen(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    if (ui->going_back != 0) {
        return; /* the lobby is not printed on the way back to a table */
    }
    if (!layer->is_told && (layer->screen->tell == NULL ||
                            layer->screen->tell(ui, layer->state, screen_plain_lines(ui)))) {
        ui_top_layer(ui)->is_told = true;
    }
    if (may_close_top_screen(ui)) {
        screen_close(ui);
    }
    layer = ui_top_layer(ui);
    ui->plain.pass_ms =
        layer->screen->pass != NULL ? layer->screen->pass(ui, layer->state) : INT64_MAX;
}

static bool may_carry_out_line(const struct ui *ui)
{
    return ui->plain.typed.len > 0 && !ui_plain_awaits_answer(ui) && !ui->is_done;
}

void ui_plain_carry_out_lines(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    if (!plain->is_on || ui->depth == 0) {
        bytes_drop(&plain->typed, plain->typed.len); /* these bytes were typed for plain mode */
        return;
    }
    plain->begin_ms = plain->begin_ms == 0 ? ui->now_ms : plain->begin_ms;
    print_top_screen(ui);
    for (int i = 0; i < AT_ONCE && plain->is_on && may_carry_out_line(ui); i++) {
        carry_out_next_line(ui);
        print_top_screen(ui);
    }
    bool has_told = ui_top_layer(ui)->is_told || ui->now_ms - plain->end_ms >= PLAIN_BUSY_MS;
    bool is_over = plain->is_ended || (plain->is_leaving && !ui->question.is_open);
    if (is_over && plain->typed.len == 0 && !ui_plain_awaits_answer(ui) && has_told) {
        ui->is_done = true;
    }
}

int64_t ui_plain_next_event_ms(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    if (may_carry_out_line(ui)) {
        return ui->now_ms + 1;
    }
    bool is_waiting =
        plain->typed.len > 0 || plain->is_ended || plain->is_leaving || ui_plain_awaits_answer(ui);
    int64_t busy_ms = is_waiting ? ui->now_ms + PLAIN_BUSY_MS : INT64_MAX;
    return busy_ms < plain->pass_ms ? busy_ms : plain->pass_ms;
}
