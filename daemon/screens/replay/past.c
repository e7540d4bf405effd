#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/model/model_read.h"
#include "daemon/screens/replay/replay_draw.h"
#include "daemon/screens/table/game_tell.h"
#include "daemon/screens/table/table_state.h"
#include "lobby/protocol/view_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * For spectators: goes back through the game in play, from the first card to the last step they may
 * see. The core sends each step as spectators saw it (PROTOCOL.md, `past`).
 */

#define LINE_BYTES 400

struct past_state {
    bool is_there, is_asked;
    struct game_view view;
    int64_t step, last;
    int64_t tricks[2], rounds[2]; /* the nearest earlier and later step of that kind */
    int64_t wanted;               /* requested while an answer was outstanding; -1: none */
};

static void ask(struct ui *ui, struct past_state *state, int64_t step);

static void pair_read(const json_t *answer, const char *key, int64_t pair[2])
{
    const json_t *list = json_object_get(answer, key);
    pair[0] = model_read_number(json_array_get(list, 0), 0);
    pair[1] = model_read_number(json_array_get(list, 1), 0);
}

static void answered(struct ui *ui, void *opaque, UNUSED int64_t tag, bool is_ok,
                     const json_t *answer)
{
    struct past_state *state = opaque;
    state->is_asked = false;
    if (!is_ok) {
        screen_warn_refused(ui, answer);
        screen_close(ui);
        return;
    }
    state->is_there = view_read(json_object_get(answer, "view"), &state->view);
    state->step = model_read_number(json_object_get(answer, "step"), 0);
    state->last = model_read_number(json_object_get(answer, "last"), 0);
    pair_read(answer, "tricks", state->tricks);
    pair_read(answer, "rounds", state->rounds);
    if (state->wanted >= 0 && state->wanted != state->step) {
        ask(ui, state, state->wanted);
    } else {
        screen_print_again(ui);
    }
}

/* Sends one request at a time: while a key is held down, only the last press counts. */
static void ask(struct ui *ui, struct past_state *state, int64_t step)
{
    state->wanted = step;
    if (!state->is_asked) {
        state->is_asked = true;
        state->wanted = -1;
        screen_request(ui, "past", step < 0 ? json_object() : json_pack("{s:I}", "step", step),
                       answered, 0);
    }
}

/* Starts one step before the current one. */
static void past_enter(struct ui *ui, void *opaque, UNUSED int64_t argument)
{
    struct past_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    *state = (struct past_state){.wanted = -1};
    int64_t step = entered != NULL && entered->has_view ? (int64_t)entered->view.step : -1;
    ask(ui, state, step > 0 ? step - 1 : step);
}

static void write_step(const struct past_state *state, struct text *out)
{
    char line[LINE_BYTES];
    if (state->step == 0) {
        snprintf(line, sizeof(line), _("step 0 of %lld: the first deal"), (long long)state->last);
    } else {
        snprintf(line, sizeof(line), _("step %lld of %lld"), (long long)state->step,
                 (long long)state->last);
    }
    text_put(out, line);
}

static void past_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    const struct past_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    char line[LINE_BYTES];
    struct text text = text_init(line, sizeof(line));
    if (entered == NULL || !state->is_there) {
        draw_text_centred(canvas, body->row + body->height / 2, body->column, body->width,
                          STYLE_DIM,
                          entered == NULL ? _("You have left the table.") : _("One moment…"));
        return;
    }
    struct scene scene = {
        .view = &state->view,
        .words = words_of_table(canvas->theme, entered),
        .is_open = true,
    };
    struct replay_picture picture = {.scene = &scene, .right = _("looking back"), .line = line};
    write_step(state, &text);
    replay_draw_picture(canvas, &picture);
}

/* The step that a key leads to; -1: it is not a key for moving. */
static int64_t target_of(const struct past_state *state, const struct press *press)
{
    uint32_t code = press->kind == PRESS_CHAR ? press->code : 0;
    int64_t at = state->is_asked && state->wanted >= 0 ? state->wanted : state->step;
    if (press->kind == PRESS_RIGHT || press->kind == PRESS_WHEEL_DOWN || code == 'l' ||
        code == ' ') {
        return at + 1; /* for any later step the core sends the last one */
    }
    if (press->kind == PRESS_LEFT || press->kind == PRESS_WHEEL_UP || code == 'h') {
        return at > 0 ? at - 1 : 0;
    }
    if (press->kind == PRESS_DOWN || code == 'j' || press->kind == PRESS_UP || code == 'k') {
        return state->tricks[press->kind == PRESS_DOWN || code == 'j'];
    }
    if (press->kind == PRESS_PAGE_DOWN || press->kind == PRESS_PAGE_UP) {
        return state->rounds[press->kind == PRESS_PAGE_DOWN];
    }
    if (press->kind == PRESS_HOME || press->kind == PRESS_END) {
        return press->kind == PRESS_HOME ? 0 : INT32_MAX;
    }
    return -1;
}

static bool past_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct past_state *state = opaque;
    int64_t target = state->is_there ? target_of(state, press) : -1;
    if (target >= 0) {
        ask(ui, state, target);
        return true;
    }
    if (press->kind == PRESS_CHAR && press->code == 'p') {
        screen_close(ui);
        return true;
    }
    return false;
}

static bool past_tell(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct past_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !state->is_there) {
        return entered == NULL;
    }
    struct words words = words_of_table(screen_theme(ui), entered);
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    write_step(state, &text);
    lines_put(lines, line);
    game_tell_head(&state->view, &words, lines);
    game_tell_seats(&state->view, &words, lines);
    game_tell_trick(&state->view, &words, lines);
    lines_put(lines, _("next and prev go by a step, trick and round by so much, start, end or a "
                       "number go there, /back leaves."));
    return true;
}

static bool past_line(struct ui *ui, void *opaque, const char *line)
{
    static const char *const words[] = {"next", "", "prev", "trick", "round", "start", "end", NULL};
    struct past_state *state = opaque;
    int64_t next = state->step + 1;
    int64_t targets[] = {
        next, next,      state->step > 0 ? state->step - 1 : 0, state->tricks[1], state->rounds[1],
        0,    INT32_MAX,
    };
    int word = text_find_word(words, state->is_there ? line : "");
    if (word >= 0) {
        ask(ui, state, targets[word]);
    } else if (strlen(line) < 10 && strspn(line, "0123456789") == strlen(line)) {
        ask(ui, state, strtoll(line, NULL, 10));
    } else {
        return false; /* it is chat */
    }
    return true;
}

static void past_hints(struct ui *ui, UNUSED void *opaque, struct hints *hints)
{
    bool is_ascii = screen_theme(ui)->is_ascii;
    hints_add(hints, is_ascii ? "Left Right" : "← →", _("step"));
    hints_add(hints, is_ascii ? "Up Down" : "↑ ↓", _("trick"));
    hints_add(hints, "PgUp PgDn", _("round"));
    hints_add(hints, "Home", _("first deal"));
    hints_add(hints, "End", _("last step"));
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back to the table"));
}

static const struct screen_key past_keys[] = {
    {N_("left right"), N_("one step back or forward"), NULL},
    {N_("up down"), N_("to the trick before or the next one"), NULL},
    {"PgUp PgDn", N_("to the round before or the next one"), NULL},
    {"Home End", N_("to the first deal, to the last step you may see"), NULL},
    {"p q", N_("back to the table as it is"), NULL},
    {NULL, NULL, NULL},
};

const struct screen past_screen = {
    .name = "past",
    .title = N_("Looking back"),
    .state_size = sizeof(struct past_state),
    .keys = past_keys,
    .enter = past_enter,
    .draw = past_draw,
    .key = past_key,
    .hints = past_hints,
    .tell = past_tell,
    .line = past_line,
};
