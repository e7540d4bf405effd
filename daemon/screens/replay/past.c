#include "daemon/screens/replay/replay.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

#include <limits.h>
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

/* The screen that lists the person's finished games, newest first. Enter replays the selected
 * game. */

#define CHUNK 50
#define ROWS_MAX 1000
struct history {
    struct list list;
    struct played *rows;
    int count;
    bool is_asked, is_loaded, is_complete;
};

static void receive_games(struct ui *ui, const struct ui_answer *answer)
{
    struct history *history = answer->state;
    history->is_asked = false;
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    history->is_loaded = true;
    json_t *list = json_object_get(answer->json, "rows");
    size_t size = json_array_size(list);
    history->rows = must_not_be_null(
        realloc(history->rows, ((size_t)history->count + size + 1) * sizeof *history->rows));
    for (size_t i = 0; i < size && history->count < ROWS_MAX; i++) {
        history->count += played_read_game(json_array_get(list, i), screen_model(ui)->you.name,
                                           INT_MAX, &history->rows[history->count]);
    }
    history->is_complete = size < CHUNK || history->count >= ROWS_MAX;
    list_set_size(&history->list, history->count, history->list.visible);
}

static void request_more_games(struct ui *ui, struct history *history)
{
    if (history->is_asked || history->is_complete) {
        return;
    }
    json_t *fields = json_pack("{s:i}", "count", CHUNK);
    if (history->count > 0) {
        json_object_set_new(fields, "before",
                            json_integer((json_int_t)history->rows[history->count - 1].game_id));
    }
    history->is_asked = true;
    screen_send_request(ui, "games", fields, receive_games, 0);
}

static void history_enter(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct history *history = state;
    history->list.visible = 1;
    if (history->count == 0) {
        request_more_games(ui, history);
    }
}

static void history_leave(UNUSED struct ui *ui, void *state)
{
    struct history *history = state;
    free(history->rows);
}

static void history_draw(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    static const struct played_column_area places[] = {
        {PLAYED_DAY_AND_TIME, 2, 16}, {PLAYED_GAME, 20, 15},  {PLAYED_PLACE, 36, 8},
        {PLAYED_SCORE, 43, 6},        {PLAYED_CHANGE, 50, 7}, {PLAYED_OPPONENTS, 60, 0},
    };
    struct history *history = state;
    struct text facts = TEXT_OF(64);
    int top = canvas->body.row + 3, rows = canvas->body.height - 4;
    list_set_size(&history->list, history->count, rows);
    if (history->count > 0) {
        text_format(&facts,
                    history->is_complete
                        ? ngettext("%d game", "%d games", (unsigned long)history->count)
                        : _("%d and more"),
                    history->count);
    }
    draw_header(canvas, _("Your games"), facts.at);
    if (history->count == 0) {
        draw_text(canvas, top, 2, canvas->body.width - 4, STYLE_PLAIN,
                  history->is_loaded
                      ? _("No finished game yet. In the lobby, b starts a game against bots.")
                      : _("Asking the house…"));
        return;
    }
    played_draw_list(canvas, top - 1, &history->list, history->rows, places, ARRAY_LEN(places));
}

static bool history_handle_key(struct ui *ui, void *state, const struct press *press)
{
    struct history *history = state;
    if (press->kind == PRESS_CLICK) {
        int row = list_row_at_offset(&history->list, press->row - 3);
        history->list.selected = row >= 0 ? row : history->list.selected;
        return true;
    }
    if (press->kind == PRESS_ENTER && history->count > 0) {
        screen_open(ui, "replay", history->rows[history->list.selected].game_id);
        return true;
    }
    bool is_used = list_handle_key(&history->list, press);
    if (is_used && history->list.selected >= history->count - history->list.visible) {
        request_more_games(ui, history);
    }
    return is_used;
}

static bool history_print(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct history *history = state;
    if (!history->is_loaded) {
        return false;
    }
    if (history->count == 0) {
        lines_put(lines, _("No finished game yet. /quick starts a game against bots."));
        return true;
    }
    lines_put(lines, _("Your games, newest first. /replay and its number replays a game."));
    for (int i = 0; i < history->count; i++) {
        played_put_game_line(&history->rows[i], lines);
    }
    return true;
}

static void history_add_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct history *history = state;
    if (history->count > 0) {
        hints_add(hints, "Enter", _("replay"));
        hints_add(hints, "↑ ↓", _("choose"));
    }
}

static const struct screen_key history_keys[] = {
    {"Enter", N_("look at the game again, move by move"), "/replay", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen history_screen = {
    .name = "history",
    .title = N_("Your games"),
    .state_size = sizeof(struct history),
    .keys = history_keys,
    .enter = history_enter,
    .leave = history_leave,
    .draw = history_draw,
    .key = history_handle_key,
    .hints = history_add_hints,
    .print = history_print,
};

void review_leave(struct ui *ui)
{
    if (ui->model->shared_replay.game_id != 0) {
        ui->model->shared_replay = (struct model_shared_replay){0};
        ui_request(ui, "review_leave", json_object(), NULL, 0);
    }
}
