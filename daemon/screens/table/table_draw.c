#include "daemon/screens/table/table_draw.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/chat.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_board.h"
#include "daemon/screens/table/table_choices_draw.h"
#include "daemon/screens/table/table_result.h"
#include "daemon/screens/table/table_seats.h"
#include "daemon/screens/table/table_sheet.h"
#include "daemon/screens/table/table_state.h"
#include "daemon/screens/table/table_times.h"

#include <stdio.h>

#define LINE_BYTES 400
#define CLOCK_WIDTH 9
#define CHOICE_ROWS_MAX 2 /* below the prompt; more choices become a list */
#define TALL_FROM_ROWS 34 /* rows of the body from which cards of the hand are three lines high */

static struct scene scene_of(struct ui *ui, const struct table_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = table_is_holding(state) ? &state->shown : &entered->view;
    bool is_held = table_is_holding(state) ||
                   (state->over == TABLE_OVER_TRICK && entered->view.has_last_trick);
    return (struct scene){
        .view = view,
        .words = words_of_table(screen_theme(ui), entered),
        .seats = entered->details.seats.at,
        .live = entered,
        .now_ms = screen_now_ms(ui),
        .bottom = entered->you >= 0 && entered->you < view->seats ? (uint8_t)entered->you : 0,
        .is_held = is_held,
    };
}

/* True for a spectator with a delay. */
static bool is_shown_late(const struct model_entered *entered)
{
    return entered->you < 0 && entered->row.phase == TABLE_PLAYING &&
           entered->row.watch.policy == WATCH_DELAY;
}

/* "◄ Bid 0–7, not 3", or whose turn it is. */
static enum style write_prompt(const struct table_state *state, const struct scene *scene,
                               struct text *out)
{
    const struct game_view *view = scene->view;
    if (table_write_halt(scene->live, &scene->words, scene->now_ms, out)) {
        return STYLE_WARN;
    }
    if (view_viewer_may_move(view) && !state->is_sent) {
        struct phrase prompt = view->game->face->prompt(view);
        text_put(out, theme_glyph(scene->words.theme, GLYPH_TURN));
        text_put_char(out, ' ');
        words_write_phrase(&scene->words, &prompt, out);
        return STYLE_TURN;
    }
    if (scene->is_held || view->to_act == 0 || state->is_sent) {
        return STYLE_DIM;
    }
    char names[LINE_BYTES];
    struct text text = text_init(names, sizeof(names));
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if ((view->to_act >> seat & 1) != 0) {
            text_put(&text, text.len > 0 ? ", " : "");
            words_write_seat(&scene->words, seat, &text);
        }
    }
    char line[LINE_BYTES + 80];
    bool is_late = scene->live != NULL && is_shown_late(scene->live);
    snprintf(line, sizeof(line),
             is_late ? _("%s is next: you see each move some time after it was made")
                     : _("waiting for %s"),
             names);
    text_put(out, line);
    return STYLE_DIM;
}

/* The contents of a frame, determined before anything is painted. */
struct frame {
    struct scene scene;
    struct choices choices;
    struct aims aims; /* moves made by pointing at others' cards */
    char prompt[LINE_BYTES * 2];
    enum style prompt_style;
    bool has_row;  /* the choices are in the prompt's line, or the one below */
    bool has_list; /* the choices are drawn over the middle of the table */
};

static void frame_aims(struct table_state *state, struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    aims_make(view, &frame->aims);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        frame->scene.lit[seat] = aims_lit(&frame->aims, &state->aim, seat);
    }
}

static void frame_choices(struct table_state *state, int width, struct table_wants *wants,
                          struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    wants->prompt_rows = 1;
    if (!view_viewer_may_move(view) || state->is_sent || table_is_holding(state)) {
        return;
    }
    frame_aims(state, frame);
    if (frame->aims.count > 0) {
        wants->prompt_rows = 2;
        return;
    }
    choices_make(view, &frame->choices);
    if (frame->choices.count == 0) {
        return;
    }
    const struct area below = {.width = width - 2};
    int row = choices_row_width(&frame->choices, view, &frame->scene.words);
    int rows =
        choices_draw_rows(NULL, &below, &frame->choices, &state->cursor, view, &frame->scene.words);
    frame->has_row = rows <= CHOICE_ROWS_MAX;
    frame->has_list = !frame->has_row;
    if (frame->has_row && draw_text_width(frame->prompt) + 4 + row > width - CLOCK_WIDTH) {
        wants->prompt_rows = 1 + rows;
    }
}

/* The layout and the hand depend on each other: the hand on the table's width, the layout on the
 * hand's rows. */
static void frame_layout(struct table_state *state, const struct canvas *canvas,
                         struct frame *frame)
{
    const struct scene *scene = &frame->scene;
    const struct game_view *view = scene->view;
    struct hand_plans plans;
    struct table_wants wants = {
        .seats = view->seats,
        .has_hand = view->seat != SPECTATOR && view->phase != PHASE_OVER,
        .prompt_rows = 1,
        .card_width = scene_card_width(scene),
        .has_open_hands = scene_has_open_hands(scene),
        .has_chat = true,
        .has_side = true,
    };
    table_layout_make(&canvas->body, &wants, &state->layout);
    int width = state->layout.header.width;
    frame_choices(state, width, &wants, frame);
    wants.fact_rows = state->is_board_folded ? 0 : board_rows(scene, width);
    if (state->keeps_round != view->round) {
        state->keeps_slots = false;
        state->keeps_round = view->round;
    }
    hand_plans_make(view, &scene->words, width, state->keeps_slots,
                    canvas->body.height >= TALL_FROM_ROWS, &plans);
    state->plan = plans.framed;
    state->keeps_slots = plans.lines.keeps_slots;
    wants.hand_rows = plans.framed.rows;
    wants.hand_rows_small = plans.lines.rows;
    table_layout_make(&canvas->body, &wants, &state->layout);
    if (state->layout.is_list) {
        state->plan = plans.lines;
    }
}

static void draw_headline(struct ui *ui, const struct canvas *canvas, const struct scene *scene)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    char right[LINE_BYTES] = "";
    bool is_late = is_shown_late(entered);
    if (is_late && entered->row.watch.moves > 0) {
        snprintf(right, sizeof(right),
                 ngettext("watching, %u move behind", "watching, %u moves behind",
                          entered->row.watch.moves),
                 entered->row.watch.moves);
    } else if (is_late) {
        snprintf(right, sizeof(right), "%s", _("watching, a round behind"));
    } else if (entered->row.watchers > 0) {
        snprintf(right, sizeof(right),
                 ngettext("%d watching", "%d watching", entered->row.watchers),
                 entered->row.watchers);
    }
    char prefix[32];
    snprintf(prefix, sizeof(prefix), "#%lld ", (long long)entered->row.id);
    char left[LINE_BYTES * 2];
    struct text text = text_init(left, sizeof(left));
    int kept = is_late ? draw_text_width(right) + 2 : 0; /* it matters more than the last facts */
    scene_headline(scene, prefix, canvas->body.width - 2 - kept, &text);
    bool has_room = draw_text_width(left) + draw_text_width(right) + 4 <= canvas->body.width;
    draw_header(canvas, left, has_room ? right : "");
}

static void draw_clock(struct ui *ui, const struct canvas *canvas, const struct area *row)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_clock || entered->view.to_act == 0) {
        return;
    }
    char buffer[64];
    struct text text = text_init(buffer, sizeof(buffer));
    int64_t now = entered->is_clock_stopped ? entered->view_ms : screen_now_ms(ui);
    int64_t left = entered->clock_end_ms - now;
    words_write_clock(left, &text);
    draw_text_right_aligned(canvas, row->row, row->column + row->width - CLOCK_WIDTH,
                            CLOCK_WIDTH - 1, left < CLOCK_SHORT_MS ? STYLE_WARN : STYLE_PLAIN,
                            buffer);
}

static void draw_prompt(struct ui *ui, struct table_state *state, const struct canvas *canvas,
                        const struct frame *frame)
{
    struct area row = state->layout.prompt;
    if (row.height == 0) {
        return;
    }
    int used = draw_text(canvas, row.row, row.column + 1, row.width - CLOCK_WIDTH - 1,
                         frame->prompt_style, frame->prompt);
    draw_clock(ui, canvas, &row);
    if (frame->aims.count > 0 && row.height > 1) {
        struct area below = {row.row + 1, row.column + 1, 1, row.width - 2};
        aims_draw(canvas, &below, &frame->aims, &state->aim, frame->scene.view,
                  &frame->scene.words);
    }
    if (!frame->has_row) {
        return;
    }
    struct area buttons = {row.row + 1, row.column + 1, row.height - 1, row.width - 2};
    if (row.height == 1) {
        buttons =
            (struct area){row.row, row.column + 3 + used, 1, row.width - 3 - used - CLOCK_WIDTH};
    }
    (void)choices_draw_rows(canvas, &buttons, &frame->choices, &state->cursor, frame->scene.view,
                            &frame->scene.words);
}

/* Over the middle of the table; also over the players if there are that many. */
static void draw_choices(struct table_state *state, const struct canvas *canvas,
                         const struct frame *frame)
{
    struct area board = state->layout.board;
    if (state->layout.is_list) {
        board = state->layout.centre;
        board.height = state->layout.felt.row + state->layout.felt.height - board.row;
        if (board.height < 3) {
            board = state->layout.felt;
        }
    }
    if (choices_list_rows(&frame->choices, frame->scene.view, &frame->scene.words, board.width) >
        board.height) {
        board = state->layout.felt;
    }
    int rows =
        choices_list_rows(&frame->choices, frame->scene.view, &frame->scene.words, board.width);
    if (rows < board.height) {
        board.row += board.height - rows; /* the players above stay visible */
        board.height = rows;
    }
    choices_draw_list(canvas, &board, &frame->choices, &state->cursor, frame->scene.view,
                      &frame->scene.words);
}

/* The score sheet in a frame, the last round explained. */
static void table_sheet_lay(struct ui *ui, const struct canvas *canvas, const struct area *area)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_of_table(screen_theme(ui), entered);
    struct score_row row;
    struct sheet sheet = {
        .words = &words,
        .seats = entered->view.seats,
        .rows = entered->sheet,
        .count = entered->sheet_count,
        .selected = entered->sheet_count - 1,
    };
    if (entered->sheet_count > 0) {
        model_convert_score_row(&entered->sheet[entered->sheet_count - 1], &row);
        sheet.explained = &row;
    }
    struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    struct area all = *area;
    draw_filled_area(canvas, &all, STYLE_PLAIN);
    draw_box(canvas, &all, _("Scores"), true);
    sheet_draw(canvas, &inside, &sheet);
}

/* From top to bottom: the game's board, the sheet, chat. */
static void draw_side(struct ui *ui, const struct canvas *canvas, const struct area *whole,
                      const struct scene *scene)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct area side = *whole;
    struct area board = {side.row, side.column, board_box_rows(scene), side.width};
    if (board.height > 0 && board.height < side.height / 2) {
        board_draw_box(canvas, &board, scene);
        side.row += board.height;
        side.height -= board.height;
    }
    int want = entered->sheet_count + 4 + entered->view.seats;
    int most = side.height * 2 / 3;
    struct area sheet = {side.row, side.column, want < most ? want : most, side.width};
    table_sheet_lay(ui, canvas, &sheet);
    struct area chat = {side.row + sheet.height, side.column, side.height - sheet.height,
                        side.width};
    draw_box(canvas, &chat, _("Chat"), false);
    struct area inside = {chat.row + 1, chat.column + 2, chat.height - 2, chat.width - 4};
    chat_draw(canvas, &inside, screen_model(ui), CHAT_TABLE, 0);
}

void table_game_draw(struct ui *ui, struct table_state *state, const struct canvas *canvas)
{
    struct frame frame = {.scene = scene_of(ui, state)};
    struct text prompt = text_init(frame.prompt, sizeof(frame.prompt));
    const struct table_layout *layout = &state->layout;
    bool is_over = frame.scene.view->phase == PHASE_OVER && !table_is_holding(state);
    frame.prompt_style = write_prompt(state, &frame.scene, &prompt);
    frame_layout(state, canvas, &frame);
    draw_headline(ui, canvas, &frame.scene);
    board_draw_rows(canvas, &layout->facts, &frame.scene);
    if (is_over && state->over != TABLE_OVER_TRICK) {
        table_result_draw(ui, state, canvas, &layout->felt);
    } else {
        scene_draw(canvas, layout, &frame.scene);
    }
    if (frame.has_list) {
        draw_choices(state, canvas, &frame);
    }
    draw_prompt(ui, state, canvas, &frame);
    hand_draw(canvas, &layout->hand, &state->plan, frame.scene.view, &frame.scene.words,
              state->selected);
    char status[LINE_BYTES];
    struct text text = text_init(status, sizeof(status));
    if (!frame.scene.is_held && !is_over) {
        scene_last_trick(&frame.scene, &text);
    }
    draw_text(canvas, layout->status.row, layout->status.column + 1, layout->status.width - 2,
              STYLE_DIM, status);
    if (layout->chat.height > 0) {
        chat_draw(canvas, &layout->chat, screen_model(ui), CHAT_TABLE, 0);
    }
    if (layout->side.width > 0) {
        draw_side(ui, canvas, &layout->side, &frame.scene);
    } else if (state->over == TABLE_OVER_SHEET && !table_is_holding(state) && !is_over) {
        table_sheet_lay(ui, canvas, &layout->felt);
    }
}
