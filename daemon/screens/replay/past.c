#include "daemon/screens/replay/replay.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

#include <stdlib.h>
#include <string.h>

/*
 * Lets spectators go back through the game in play, from the first card to the last step they may
 * see. The core sends each step as spectators saw it (PROTOCOL.md, `past`).
 */

#define LINE_BYTES 400

struct past_state {
    bool is_there, is_asked;
    struct game_view view;
    int64_t step, last;
    int64_t tricks[2], rounds[2]; /* the nearest earlier step [0] and the nearest later step [1] at
                                     which a trick ends (tricks) or a round begins (rounds) */
    int64_t wanted; /* the step to request when the outstanding answer has arrived; -1: none */
};

static void read_step_pair(const json_t *answer, const char *key, int64_t pair[2])
{
    const json_t *list = json_object_get(answer, key);
    pair[0] = model_read_number(json_array_get(list, 0), 0);
    pair[1] = model_read_number(json_array_get(list, 1), 0);
}

static void receive_past_step(struct ui *ui, const struct ui_answer *answer);

/* Sends one request at a time: while a key is held down, only the last press counts. */
static void request_past_step(struct ui *ui, struct past_state *state, int64_t step)
{
    state->wanted = step;
    if (!state->is_asked) {
        state->is_asked = true;
        state->wanted = -1;
        screen_send_request(ui, "past", step < 0 ? json_object() : json_pack("{s:I}", "step", step),
                            receive_past_step, 0);
    }
}

static void receive_past_step(struct ui *ui, const struct ui_answer *answer)
{
    struct past_state *state = answer->state;
    state->is_asked = false;
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        screen_close(ui);
        return;
    }
    state->is_there = view_read(json_object_get(answer->json, "view"), &state->view);
    state->step = model_read_number(json_object_get(answer->json, "step"), 0);
    state->last = model_read_number(json_object_get(answer->json, "last"), 0);
    read_step_pair(answer->json, "tricks", state->tricks);
    read_step_pair(answer->json, "rounds", state->rounds);
    if (state->wanted >= 0 && state->wanted != state->step) {
        request_past_step(ui, state, state->wanted);
    } else {
        screen_print_top_again(ui);
    }
}

/* Looking back starts one step before the step that the table shows. */
static void enter_earlier_steps(struct ui *ui, void *opaque, UNUSED int64_t argument)
{
    struct past_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    *state = (struct past_state){.wanted = -1};
    int64_t step = entered != NULL && entered->has_view ? (int64_t)entered->view.step : -1;
    request_past_step(ui, state, step > 0 ? step - 1 : step);
}

static const char *write_step_number(const struct past_state *state, struct text *out)
{
    text_format(out,
                state->step == 0 ? _("step %lld of %lld: the first deal") : _("step %lld of %lld"),
                (long long)state->step, (long long)state->last);
    return out->at;
}

static void draw_earlier_step(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    const struct past_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    if (entered == NULL || !state->is_there) {
        draw_text_centred(canvas, body->row + body->height / 2, body->column, body->width,
                          STYLE_DIM,
                          entered == NULL ? _("You have left the table.") : _("One moment…"));
        return;
    }
    struct scene scene = {
        .view = &state->view,
        .words = words_make_for_entered_table(canvas->theme, entered),
        .is_open = true,
    };
    const char *step = write_step_number(state, &TEXT_OF(LINE_BYTES));
    replay_draw_scene(canvas, &(struct replay_picture){
                                  .scene = &scene, .right_text = _("looking back"), .line = step});
}

static bool handle_earlier_steps_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct past_state *state = opaque;
    int64_t at = state->is_asked && state->wanted >= 0 ? state->wanted : state->step;
    /* for a step beyond the last one the core sends the last step */
    int64_t target = state->is_there ? replay_find_target_step(press, at, INT32_MAX, state->tricks,
                                                               state->rounds)
                                     : -1;
    if (target >= 0) {
        request_past_step(ui, state, target);
        return true;
    }
    if (press->kind == PRESS_CHAR && press->code == 'p') {
        screen_close(ui);
        return true;
    }
    return false;
}

static bool print_earlier_step(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct past_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !state->is_there) {
        return entered == NULL;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    lines_put(lines, write_step_number(state, &TEXT_OF(LINE_BYTES)));
    game_print_headline(&state->view, &words, lines);
    game_print_seats(&state->view, &words, lines);
    game_print_trick(&state->view, &words, lines);
    lines_put(lines, _("next and prev go one step, trick and round go to the next trick or round, "
                       "start, end or a number goes to that step, /back leaves."));
    return true;
}

static bool handle_earlier_steps_line(struct ui *ui, void *opaque, const char *line)
{
    static const char *const words[] = {"next", "", "prev", "trick", "round", "start", "end", NULL};
    struct past_state *state = opaque;
    int64_t next = state->step + 1, previous = state->step > 0 ? state->step - 1 : 0;
    int64_t targets[] = {next, next, previous, state->tricks[1], state->rounds[1], 0, INT32_MAX};
    int word = text_find_word(words, state->is_there ? line : "");
    bool is_number = strlen(line) < 10 && strspn(line, "0123456789") == strlen(line);
    if (word >= 0 || is_number) {
        request_past_step(ui, state, word >= 0 ? targets[word] : strtoll(line, NULL, 10));
    }
    return word >= 0 || is_number; /* any other line is sent to the chat */
}

static const struct screen_key past_keys[] = {
    {"← →", N_("one step back or forward"), NULL, N_("step")},
    {"↑ ↓", N_("to the previous or next trick"), NULL, N_("trick")},
    {N_("PgUp PgDn"), N_("to the previous or next round"), NULL, N_("round")},
    {N_("Home End"), N_("to the first deal, to the last step you may see"), NULL,
     N_("first deal, last step")},
    {"p q", N_("back to the table as it is now"), NULL, NULL},
    {"?", NULL, NULL, N_("help")},
    {"q", NULL, NULL, N_("back to the table")},
    {NULL, NULL, NULL, NULL},
};

const struct screen past_screen = {
    .name = "past",
    .title = N_("Looking back"),
    .state_size = sizeof(struct past_state),
    .keys = past_keys,
    .enter = enter_earlier_steps,
    .draw = draw_earlier_step,
    .key = handle_earlier_steps_key,
    .print = print_earlier_step,
    .line = handle_earlier_steps_line,
};

void review_leave(struct ui *ui)
{
    if (ui->model->shared_replay.game_id != 0) {
        ui->model->shared_replay = (struct model_shared_replay){0};
        ui_request(ui, "review_leave", json_object(), NULL, 0);
    }
}
