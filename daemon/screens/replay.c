#include "daemon/base/i18n.h"
#include "daemon/screens/game_events.h"
#include "daemon/screens/game_tell.h"
#include "daemon/screens/replay_game.h"
#include "daemon/screens/screen.h"
#include "daemon/screens/table_board.h"
#include "daemon/screens/table_hand.h"
#include "daemon/screens/table_scene.h"
#include "daemon/screens/table_sheet.h"
#include "daemon/screens/table_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A finished game, step by step, drawn as the table was. */

#define LINE_BYTES 400

struct replay_state {
    struct replay_game game;
    bool is_loaded, is_failed;
    bool has_sheet; /* laid over the table */
    struct table_layout layout;
};

static void record_answered(struct ui *ui, void *opaque, int64_t tag, bool is_ok,
                            const json_t *answer)
{
    struct replay_state *state = opaque;
    (void)tag;
    if (!is_ok) {
        state->is_failed = true;
        screen_refused(ui, answer);
        return;
    }
    replay_game_clear(&state->game);
    state->is_loaded = replay_game_init(&state->game, json_object_get(answer, "record"));
    state->is_failed = !state->is_loaded;
}

static void replay_enter(struct ui *ui, void *opaque, int64_t game_id)
{
    struct replay_state *state = opaque;
    replay_game_clear(&state->game);
    state->is_loaded = false;
    state->is_failed = false;
    state->has_sheet = false;
    screen_request(ui, "record", json_pack("{s:I}", "game_id", (json_int_t)game_id),
                   record_answered, 0);
}

static void replay_leave(struct ui *ui, void *opaque)
{
    struct replay_state *state = opaque;
    (void)ui;
    replay_game_clear(&state->game);
}

static struct scene scene_of(struct ui *ui, const struct replay_state *state)
{
    const struct replay_game *game = &state->game;
    struct scene scene = {
        .view = &game->view,
        .words = {.theme = screen_theme(ui),
                  .game = game->view.game,
                  .players = game->record.source.config.players,
                  .you = SPECTATOR},
        .bottom = game->seat >= 0 ? (uint8_t)game->seat : 0,
        .is_held = game->is_trick_done,
        .is_open = game->seat < 0,
    };
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        scene.words.names[seat] = replay_game_name(game, seat);
    }
    return scene;
}

/* "step 31 of 204 · ada: play T♥" */
static void write_step(const struct replay_game *game, const struct scene *scene, struct text *out)
{
    char line[LINE_BYTES];
    snprintf(line, sizeof(line), _("step %u of %u"), game->step, game->record.source.move_count);
    text_put(out, line);
    text_put_char(out, ' ');
    text_put(out, theme_glyph(scene->words.theme, GLYPH_DOT));
    text_put_char(out, ' ');
    if (game->step == 0) {
        text_put(out, _("the first deal"));
        return;
    }
    words_seat(&scene->words, game->mover, out);
    text_put(out, ": ");
    text_put(out, _(game->move_phase));
    text_put_char(out, ' ');
    words_phrase(&scene->words, &game->move_label, out);
}

static void draw_sheet(const struct canvas *canvas, const struct area *area,
                       const struct replay_game *game, const struct words *words)
{
    struct sheet sheet = {
        .words = words,
        .seats = game->view.seats,
        .rows = game->rows,
        .count = game->row_count,
        .selected = game->row_count > 0 ? game->row_count - 1 : -1,
        .explained = game->row_count > 0 ? &game->last_row : NULL,
    };
    struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    draw_fill(canvas, area, STYLE_PLAIN);
    draw_box(canvas, area, _("Scores"), true);
    sheet_draw(canvas, &inside, &sheet);
}

static void lay_out(struct replay_state *state, const struct canvas *canvas,
                    const struct scene *scene, struct hand_plan *plan)
{
    const struct game_view *view = scene->view;
    struct hand_plans plans;
    struct table_wants wants = {
        .seats = view->seats,
        .has_hand = view->seat != SPECTATOR,
        .prompt_rows = 1,
        .card_width = scene_card_width(scene),
        .has_open_hands = scene_has_open_hands(scene),
        .has_side = true,
    };
    table_layout_make(&canvas->body, &wants, &state->layout);
    int width = state->layout.header.width;
    wants.fact_rows = board_rows(scene, width);
    hand_plans_make(view, &scene->words, width, false, false, &plans);
    *plan = plans.framed;
    wants.hand_rows = plans.framed.rows;
    wants.hand_rows_small = plans.lines.rows;
    table_layout_make(&canvas->body, &wants, &state->layout);
    if (state->layout.is_list) {
        *plan = plans.lines;
    }
}

static void draw_game(struct ui *ui, struct replay_state *state, const struct canvas *canvas)
{
    const struct replay_game *game = &state->game;
    struct scene scene = scene_of(ui, state);
    const struct table_layout *layout = &state->layout;
    struct hand_plan plan;
    char line[LINE_BYTES * 2];
    struct text text = text_init(line, sizeof(line));
    lay_out(state, canvas, &scene, &plan);
    const char *whose =
        game->seat < 0 ? _("all hands") : replay_game_name(game, (uint8_t)game->seat);
    char right[LINE_BYTES];
    snprintf(right, sizeof(right), _("replay: %s"), whose);
    scene_headline(&scene, "", canvas->body.width - draw_width(right) - 4, &text);
    draw_header(canvas, line, right);
    board_draw_rows(canvas, &layout->facts, &scene);
    scene_draw(canvas, layout, &scene);
    text = text_init(line, sizeof(line));
    write_step(game, &scene, &text);
    draw_text(canvas, layout->prompt.row, layout->prompt.column + 1, layout->prompt.width - 2,
              STYLE_TURN, line);
    hand_draw(canvas, &layout->hand, &plan, scene.view, &scene.words, -1);
    text = text_init(line, sizeof(line));
    if (!scene.is_held) {
        scene_last_trick(&scene, &text);
    }
    draw_text(canvas, layout->status.row, layout->status.column + 1, layout->status.width - 2,
              STYLE_DIM, line);
    if (layout->side.width > 0) {
        struct area board = layout->side;
        struct area sheet = layout->side;
        board.height = board_box_rows(&scene);
        sheet.row += board.height;
        sheet.height -= board.height;
        board_draw_box(canvas, &board, &scene);
        draw_sheet(canvas, &sheet, game, &scene.words);
    } else if (state->has_sheet) {
        draw_sheet(canvas, &layout->felt, game, &scene.words);
    }
}

static void replay_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct replay_state *state = opaque;
    const struct area *body = &canvas->body;
    if (state->is_loaded) {
        draw_game(ui, state, canvas);
        return;
    }
    draw_header(canvas, _("Replay"), "");
    draw_text_centre(canvas, body->row + body->height / 2, body->column, body->width, STYLE_DIM,
                     state->is_failed ? _("This game cannot be shown: q goes back.")
                                      : _("One moment…"));
}

static void turn_to_next_seat(struct replay_game *game)
{
    int seat = game->seat + 1;
    replay_game_see(game, (int8_t)(seat < game->record.source.config.players ? seat : SPECTATOR));
}

/* Where a key leads; -1: it is no key for moving. */
static int64_t target_of(const struct replay_game *game, const struct press *press)
{
    uint32_t step = game->step;
    uint32_t last = game->record.source.move_count;
    uint32_t code = press->kind == PRESS_CHAR ? press->code : 0;
    if (press->kind == PRESS_RIGHT || press->kind == PRESS_WHEEL_DOWN || code == 'l' ||
        code == ' ') {
        return step < last ? step + 1 : last;
    }
    if (press->kind == PRESS_LEFT || press->kind == PRESS_WHEEL_UP || code == 'h') {
        return step > 0 ? step - 1 : 0;
    }
    if (press->kind == PRESS_DOWN || code == 'j') {
        return replay_game_find(game, REPLAY_TRICK, 1);
    }
    if (press->kind == PRESS_UP || code == 'k') {
        return replay_game_find(game, REPLAY_TRICK, -1);
    }
    if (press->kind == PRESS_PAGE_DOWN || press->kind == PRESS_PAGE_UP) {
        return replay_game_find(game, REPLAY_ROUND, press->kind == PRESS_PAGE_DOWN ? 1 : -1);
    }
    if (press->kind == PRESS_HOME || press->kind == PRESS_END) {
        return press->kind == PRESS_HOME ? 0 : last;
    }
    return -1;
}

static bool replay_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct replay_state *state = opaque;
    (void)ui;
    if (!state->is_loaded) {
        return false;
    }
    int64_t target = target_of(&state->game, press);
    if (target >= 0) {
        replay_game_go(&state->game, (uint32_t)target);
        return true;
    }
    if (press->kind == PRESS_TAB || (press->kind == PRESS_CHAR && press->code == 'v')) {
        turn_to_next_seat(&state->game);
        return true;
    }
    if (press->kind == PRESS_CHAR && press->code == 's') {
        state->has_sheet = !state->has_sheet;
        return true;
    }
    return false;
}

static void tell_how(struct lines *lines)
{
    lines_put(lines, _("Enter or next is the next step, back the one before, trick and round go "
                       "on by so much, start, end or a number go there, view changes whose cards "
                       "are told, all tells everything to the end, /back leaves."));
}

static bool replay_tell(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct replay_state *state = opaque;
    if (!state->is_loaded) {
        return state->is_failed;
    }
    struct scene scene = scene_of(ui, state);
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    write_step(&state->game, &scene, &text);
    lines_put(lines, line);
    game_tell_head(&state->game.view, &scene.words, lines);
    game_tell_seats(&state->game.view, &scene.words, lines);
    game_tell_hand(&state->game.view, &scene.words, lines);
    game_tell_trick(&state->game.view, &scene.words, lines);
    tell_how(lines);
    return true;
}

/* One step forward, as it happened. */
static void tell_next(struct ui *ui, struct replay_state *state, struct lines *lines)
{
    struct replay_game *game = &state->game;
    struct game_view before;
    int rows = game->row_count;
    bool was_done = game->is_trick_done;
    table_view_copy(&before, &game->view);
    replay_game_go(game, game->step + 1);
    struct scene scene = scene_of(ui, state);
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    write_step(game, &scene, &text);
    lines_put(lines, line);
    (void)was_done;
    game_events_tell(&before, &game->view, &scene.words, lines);
    if (game->row_count > rows) {
        game_tell_score(&game->last_row, &game->view, &scene.words, lines);
    }
}

static void tell_steps(struct ui *ui, struct replay_state *state, uint32_t to)
{
    struct lines *lines = screen_lines(ui);
    if (to <= state->game.step) {
        lines_put(lines, _("This is the end of the game."));
    }
    while (state->game.step < to) {
        tell_next(ui, state, lines);
    }
}

static bool go_to(struct ui *ui, struct replay_state *state, int64_t step)
{
    uint32_t last = state->game.record.source.move_count;
    replay_game_go(&state->game, step < 0 ? 0 : step > last ? last : (uint32_t)step);
    screen_retell(ui);
    return true;
}

static bool replay_line(struct ui *ui, void *opaque, const char *line)
{
    struct replay_state *state = opaque;
    struct replay_game *game = &state->game;
    if (!state->is_loaded) {
        return false;
    }
    uint32_t last = game->record.source.move_count;
    if (line[0] == '\0' || strcmp(line, "next") == 0 || strcmp(line, "n") == 0) {
        tell_steps(ui, state, game->step < last ? game->step + 1 : last);
    } else if (strcmp(line, "trick") == 0) {
        tell_steps(ui, state, replay_game_find(game, REPLAY_TRICK, 1));
    } else if (strcmp(line, "round") == 0) {
        tell_steps(ui, state, replay_game_find(game, REPLAY_ROUND, 1));
    } else if (strcmp(line, "all") == 0) {
        tell_steps(ui, state, last);
    } else if (strcmp(line, "back") == 0 || strcmp(line, "b") == 0) {
        return go_to(ui, state, (int64_t)game->step - 1);
    } else if (strcmp(line, "start") == 0 || strcmp(line, "end") == 0) {
        return go_to(ui, state, line[0] == 's' ? 0 : last);
    } else if (strcmp(line, "view") == 0) {
        turn_to_next_seat(game);
        screen_retell(ui);
    } else if (strspn(line, "0123456789") == strlen(line)) {
        return go_to(ui, state, strtoll(line, NULL, 10));
    } else {
        tell_how(screen_lines(ui));
    }
    return true;
}

static void replay_hints(struct ui *ui, void *opaque, struct hints *hints)
{
    (void)ui;
    (void)opaque;
    hints_add(hints, _("left right"), _("step"));
    hints_add(hints, _("up down"), _("trick"));
    hints_add(hints, "PgUp PgDn", _("round"));
    hints_add(hints, "v", _("whose view"));
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back"));
}

static const struct screen_key replay_keys[] = {
    {"left right", N_("one step back or forward"), NULL},
    {"up down", N_("to the trick before or the next one"), NULL},
    {"PgUp PgDn", N_("to the round before or the next one"), NULL},
    {"Home End", N_("to the first deal, to the end"), NULL},
    {"v Tab", N_("all hands, or what one seat saw"), NULL},
    {"s", N_("scores so far"), NULL},
    {NULL, NULL, NULL},
};

const struct screen replay_screen = {
    .name = "replay",
    .title = N_("Replay"),
    .state_size = sizeof(struct replay_state),
    .keys = replay_keys,
    .enter = replay_enter,
    .leave = replay_leave,
    .draw = replay_draw,
    .key = replay_key,
    .hints = replay_hints,
    .tell = replay_tell,
    .line = replay_line,
};
