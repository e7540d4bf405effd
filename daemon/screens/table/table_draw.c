#include "daemon/screens/table/table_draw.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/chat.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/table/table_board.h"
#include "daemon/screens/table/table_choices_draw.h"
#include "daemon/screens/table/table_hold.h"
#include "daemon/screens/table/table_result.h"
#include "daemon/screens/table/table_seats.h"
#include "daemon/screens/table/table_sheet.h"
#include "daemon/screens/table/table_state.h"
#include "daemon/screens/table/table_times.h"

#define LINE_BYTES 400
#define CLOCK_WIDTH 9
/* maximum number of rows of choices below the prompt; more choices are drawn as a list */
#define CHOICE_ROWS_MAX 2
/* If the screen's body has this many rows or more, cards of the hand are three lines high. */
#define TALL_FROM_ROWS 34

static struct scene make_scene(struct ui *ui, const struct table_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view =
        table_still_shows_finished_trick(state) ? &state->shown : &entered->view;
    bool is_held = table_still_shows_finished_trick(state) ||
                   (state->over == TABLE_OVER_TRICK && entered->view.has_last_trick);
    return (struct scene){
        .view = view,
        .words = words_make_for_entered_table(screen_theme(ui), entered),
        .seats = entered->details.seats.at,
        .live = entered,
        .now_ms = screen_now_ms(ui),
        .bottom = entered->you >= 0 && entered->you < view->seats ? (uint8_t)entered->you : 0,
        .is_held = is_held,
    };
}

/* True for a spectator who sees the game with a delay. */
static bool is_delayed_spectator(const struct model_entered *entered)
{
    return entered->you < 0 && entered->row.phase == TABLE_PLAYING &&
           entered->row.watch.policy == WATCH_DELAY;
}

/* Writes what the viewer must do, such as "◄ Bid 0–7, not 3", or whose turn it is. */
static enum style write_prompt(const struct table_state *state, const struct scene *scene,
                               struct text *out)
{
    const struct game_view *view = scene->view;
    if (table_write_why_game_waits(scene->live, &scene->words, scene->now_ms, out)) {
        return STYLE_WARN;
    }
    if (view_viewer_may_move(view) && !state->is_sent) {
        text_format(out, "%s ", theme_glyph_text(scene->words.theme, GLYPH_TURN));
        words_write_phrase(&scene->words, view->game->face->prompt(view), out);
        return STYLE_TURN;
    }
    if (!scene->is_held && view->to_act != 0 && !state->is_sent) {
        text_format(out,
                    is_delayed_spectator(scene->live)
                        ? _("%s is next: you see each move some time after it was made")
                        : _("waiting for %s"),
                    words_write_seats(&scene->words, view->to_act, &TEXT_OF(LINE_BYTES)));
    }
    return STYLE_DIM;
}

/* The contents of a frame, determined before anything is painted. */
struct frame {
    struct scene scene;
    struct choices choices;
    struct aims aims; /* moves that are made by pointing at cards of other players */
    char prompt[LINE_BYTES * 2];
    enum style prompt_style;
    bool has_row;  /* the choices are in the prompt's line, or in the line below it */
    bool has_list; /* the choices are drawn over the middle of the table */
};

static void prepare_moves_made_by_pointing(struct table_state *state, struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    aims_collect_pointing_moves(view, &frame->aims);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        frame->scene.lit[seat] = aims_find_highlighted_slots(&frame->aims, &state->aim, seat);
    }
}

static void prepare_choices(struct table_state *state, int width, struct table_layout_needs *needs,
                            struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    needs->prompt_rows = 1;
    if (!view_viewer_may_move(view) || state->is_sent || table_still_shows_finished_trick(state)) {
        return;
    }
    prepare_moves_made_by_pointing(state, frame);
    if (frame->aims.count > 0) {
        needs->prompt_rows = 2;
        return;
    }
    choices_collect(view, &frame->choices);
    if (frame->choices.count == 0) {
        return;
    }
    const struct area below = {.width = width - 2};
    int row = choices_measure_row_width(&frame->choices, view, &frame->scene.words);
    int rows =
        choices_draw_rows(NULL, &below, &frame->choices, &state->cursor, view, &frame->scene.words);
    frame->has_row = rows <= CHOICE_ROWS_MAX;
    frame->has_list = !frame->has_row;
    if (frame->has_row && draw_measure_text(frame->prompt) + 4 + row > width - CLOCK_WIDTH) {
        needs->prompt_rows = 1 + rows;
    }
}

/* The layout and the hand depend on each other: the hand on the table's width, the layout on the
 * hand's rows. */
static void prepare_layout(struct table_state *state, const struct canvas *canvas,
                           struct frame *frame)
{
    const struct scene *scene = &frame->scene;
    const struct game_view *view = scene->view;
    struct hand_plans plans;
    struct table_layout_needs needs = scene_compute_layout_needs(scene);
    needs.has_hand = needs.has_hand && view->phase != PHASE_OVER;
    needs.has_chat = true;
    table_layout_make(&canvas->body, &needs, &state->layout);
    int width = state->layout.header.width;
    prepare_choices(state, width, &needs, frame);
    needs.fact_rows = state->is_board_folded ? 0 : board_count_rows(scene, width);
    if (state->keeps_round != view->round) {
        state->keeps_slots = false;
        state->keeps_round = view->round;
    }
    hand_make_plans(view, &scene->words, width, state->keeps_slots,
                    canvas->body.height >= TALL_FROM_ROWS, &plans);
    state->keeps_slots = plans.lines.keeps_slots;
    needs.hand_rows = plans.framed.rows;
    needs.hand_rows_small = plans.lines.rows;
    table_layout_make(&canvas->body, &needs, &state->layout);
    state->plan = state->layout.is_list ? plans.lines : plans.framed;
}

static void draw_headline(struct ui *ui, const struct canvas *canvas, const struct scene *scene)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct text left = TEXT_OF(LINE_BYTES * 2), right = TEXT_OF(LINE_BYTES), table = TEXT_OF(32);
    bool is_late = is_delayed_spectator(entered);
    if (is_late && entered->row.watch.moves > 0) {
        text_format(&right,
                    ngettext("watching, %u move behind", "watching, %u moves behind",
                             entered->row.watch.moves),
                    entered->row.watch.moves);
    } else if (is_late) {
        text_put(&right, _("watching, a round behind"));
    } else if (entered->row.watchers > 0) {
        text_format(&right, ngettext("%d watching", "%d watching", entered->row.watchers),
                    entered->row.watchers);
    }
    text_format(&table, "#%lld ", (long long)entered->row.id);
    /* The words about the delay get room first: they matter more than the last facts of the
     * headline. */
    int kept = is_late ? draw_measure_text(right.at) + 2 : 0;
    scene_write_headline(scene, table.at, canvas->body.width - 2 - kept, &left);
    bool has_room =
        draw_measure_text(left.at) + draw_measure_text(right.at) + 4 <= canvas->body.width;
    draw_header(canvas, left.at, has_room ? right.at : "");
}

static void draw_clock(struct ui *ui, const struct canvas *canvas, const struct area *row)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_clock || entered->view.to_act == 0) {
        return;
    }
    int64_t now = entered->is_clock_stopped ? entered->view_ms : screen_now_ms(ui);
    int64_t left = entered->clock_end_ms - now;
    draw_text_right_aligned(canvas, row->row, row->column + row->width - CLOCK_WIDTH,
                            CLOCK_WIDTH - 1, left < CLOCK_SHORT_MS ? STYLE_WARN : STYLE_PLAIN,
                            words_write_time_left(left, &TEXT_OF(64)));
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

/* Draws the choices over the middle of the table. If the choices need more room, covers the players
 * too. */
static void draw_choices(struct table_state *state, const struct canvas *canvas,
                         const struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    const struct words *words = &frame->scene.words;
    const struct area *felt = &state->layout.felt;
    struct area board = state->layout.board;
    if (state->layout.is_list) {
        board = state->layout.centre;
        board.height = felt->row + felt->height - board.row;
        board = board.height < 3 ? *felt : board;
    }
    if (choices_count_list_rows(&frame->choices, view, words, board.width) > board.height) {
        board = *felt;
    }
    int rows = choices_count_list_rows(&frame->choices, view, words, board.width);
    if (rows < board.height) {
        board.row += board.height - rows; /* the players at the top stay visible */
        board.height = rows;
    }
    choices_draw_list(canvas, &board, &frame->choices, &state->cursor, view, words);
}

static void draw_score_sheet(struct ui *ui, const struct canvas *canvas, const struct area *area)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct score_row explained;
    struct sheet sheet = sheet_make(entered, &words, entered->sheet_count - 1, &explained);
    sheet_draw_box(canvas, area, &sheet);
}

/* Draws the pane beside the table, from top to bottom: the game's board, the score sheet, chat. */
static void draw_side_pane(struct ui *ui, const struct canvas *canvas, const struct area *pane,
                           const struct scene *scene)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct area side = *pane;
    struct area board = {side.row, side.column, board_count_box_rows(scene), side.width};
    if (board.height > 0 && board.height < side.height / 2) {
        board_draw_box(canvas, &board, scene);
        side.row += board.height;
        side.height -= board.height;
    }
    int want = entered->sheet_count + 4 + entered->view.seats;
    int most = side.height * 2 / 3;
    struct area sheet = {side.row, side.column, want < most ? want : most, side.width};
    draw_score_sheet(ui, canvas, &sheet);
    struct area chat = {side.row + sheet.height, side.column, side.height - sheet.height,
                        side.width};
    draw_box(canvas, &chat, _("Chat"), false);
    struct area inside = {chat.row + 1, chat.column + 2, chat.height - 2, chat.width - 4};
    chat_draw(canvas, &inside, screen_model(ui), CHAT_TABLE, 0);
}

void table_draw_game(struct ui *ui, struct table_state *state, const struct canvas *canvas)
{
    struct frame frame = {.scene = make_scene(ui, state)};
    struct text prompt = text_init(frame.prompt, sizeof(frame.prompt));
    const struct table_layout *layout = &state->layout;
    bool is_over =
        frame.scene.view->phase == PHASE_OVER && !table_still_shows_finished_trick(state);
    frame.prompt_style = write_prompt(state, &frame.scene, &prompt);
    prepare_layout(state, canvas, &frame);
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
    struct text status = TEXT_OF(LINE_BYTES);
    if (!frame.scene.is_held && !is_over) {
        scene_write_last_trick(&frame.scene, &status);
    }
    draw_text(canvas, layout->status.row, layout->status.column + 1, layout->status.width - 2,
              STYLE_DIM, status.at);
    if (layout->chat.height > 0) {
        chat_draw(canvas, &layout->chat, screen_model(ui), CHAT_TABLE, 0);
    }
    if (layout->side.width > 0) {
        draw_side_pane(ui, canvas, &layout->side, &frame.scene);
    } else if (state->over == TABLE_OVER_SHEET && !table_still_shows_finished_trick(state) &&
               !is_over) {
        draw_score_sheet(ui, canvas, &layout->felt);
    }
}
