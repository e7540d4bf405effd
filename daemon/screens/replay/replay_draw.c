#include "daemon/screens/replay/replay_draw.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_board.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_seats.h"
#include "daemon/screens/table/table_sheet.h"

#include <stdio.h>

#define LINE_BYTES 400

struct scene replay_scene(const struct replay_game *game, const struct theme *theme)
{
    struct scene scene = {
        .view = &game->view,
        .words = {.theme = theme,
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

void replay_write_step(const struct replay_game *game, const struct scene *scene, struct text *out)
{
    char line[LINE_BYTES];
    snprintf(line, sizeof(line),
             game->record.is_void ? _("declared void, step %u of %u") : _("step %u of %u"),
             game->step, game->record.source.move_count);
    text_put(out, line);
    text_put_char(out, ' ');
    text_put(out, theme_glyph(scene->words.theme, GLYPH_DOT));
    text_put_char(out, ' ');
    if (game->step == 0) {
        text_put(out, _("the first deal"));
        return;
    }
    words_write_seat(&scene->words, game->mover, out);
    text_put(out, ": ");
    text_put(out, _(game->move_phase));
    text_put_char(out, ' ');
    words_write_phrase(&scene->words, &game->move_label, out);
}

static void draw_sheet(const struct canvas *canvas, const struct area *area,
                       const struct sheet *sheet)
{
    struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    if (sheet == NULL) {
        return;
    }
    draw_filled_area(canvas, area, STYLE_PLAIN);
    draw_box(canvas, area, _("Scores"), true);
    sheet_draw(canvas, &inside, sheet);
}

static void lay_out(struct table_layout *layout, const struct canvas *canvas,
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
    table_layout_make(&canvas->body, &wants, layout);
    int width = layout->header.width;
    wants.fact_rows = board_rows(scene, width);
    hand_plans_make(view, &scene->words, width, false, false, &plans);
    *plan = plans.framed;
    wants.hand_rows = plans.framed.rows;
    wants.hand_rows_small = plans.lines.rows;
    table_layout_make(&canvas->body, &wants, layout);
    if (layout->is_list) {
        *plan = plans.lines;
    }
}

void replay_draw_picture(const struct canvas *canvas, const struct replay_picture *picture)
{
    const struct scene *scene = picture->scene;
    struct table_layout made;
    const struct table_layout *layout = &made;
    struct hand_plan plan;
    char line[LINE_BYTES * 2];
    struct text text = text_init(line, sizeof(line));
    lay_out(&made, canvas, scene, &plan);
    scene_headline(scene, "", canvas->body.width - draw_text_width(picture->right) - 4, &text);
    draw_header(canvas, line, picture->right);
    board_draw_rows(canvas, &layout->facts, scene);
    scene_draw(canvas, layout, scene);
    draw_text(canvas, layout->prompt.row, layout->prompt.column + 1, layout->prompt.width - 2,
              STYLE_TURN, picture->line);
    hand_draw(canvas, &layout->hand, &plan, scene->view, &scene->words, -1);
    text = text_init(line, sizeof(line));
    if (!scene->is_held) {
        scene_last_trick(scene, &text);
    }
    draw_text(canvas, layout->status.row, layout->status.column + 1, layout->status.width - 2,
              STYLE_DIM, line);
    if (layout->side.width > 0) {
        struct area board = layout->side;
        struct area sheet = layout->side;
        board.height = board_box_rows(scene);
        sheet.row += board.height;
        sheet.height -= board.height;
        board_draw_box(canvas, &board, scene);
        draw_sheet(canvas, &sheet, picture->sheet);
    } else if (picture->has_sheet) {
        draw_sheet(canvas, &layout->felt, picture->sheet);
    }
}

void replay_draw_game(const struct canvas *canvas, const struct replay_game *game,
                      const struct replay_look *look)
{
    struct scene scene = replay_scene(game, canvas->theme);
    char line[LINE_BYTES * 2];
    struct text text = text_init(line, sizeof(line));
    replay_write_step(game, &scene, &text);
    struct sheet sheet = {
        .words = &scene.words,
        .seats = game->view.seats,
        .rows = game->rows,
        .count = game->row_count,
        .selected = game->row_count > 0 ? game->row_count - 1 : -1,
        .explained = game->row_count > 0 ? &game->last_row : NULL,
    };
    struct replay_picture picture = {&scene, look->right, line, &sheet, look->has_sheet};
    replay_draw_picture(canvas, &picture);
}
