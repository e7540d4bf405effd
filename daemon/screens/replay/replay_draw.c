#include "daemon/screens/replay/replay_draw.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/table_board.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_seats.h"
#include "daemon/screens/table/table_sheet.h"

#define LINE_BYTES 400

struct scene replay_draw_make_scene(const struct replay_game *game, const struct theme *theme)
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
        scene.words.names[seat] = replay_game_seat_name(game, seat);
    }
    return scene;
}

const char *replay_draw_write_step(const struct replay_game *game, const struct scene *scene,
                                   struct text *out)
{
    text_format(out, game->record.is_void ? _("declared void, step %u of %u") : _("step %u of %u"),
                game->step, game->record.source.move_count);
    text_format(out, " %s ", theme_glyph_text(scene->words.theme, GLYPH_DOT));
    if (game->step == 0) {
        text_put(out, _("the first deal"));
    } else {
        words_write_seat(&scene->words, game->mover, out);
        text_format(out, ": %s ", _(game->move_phase));
        words_write_phrase(&scene->words, game->move_label, out);
    }
    return out->at;
}

static void compute_layout(struct table_layout *layout, const struct canvas *canvas,
                           const struct scene *scene, struct hand_plan *plan)
{
    struct hand_plans plans;
    struct table_layout_needs wants = scene_compute_layout_needs(scene);
    table_layout_make(&canvas->body, &wants, layout);
    int width = layout->header.width;
    wants.fact_rows = board_count_rows(scene, width);
    hand_make_plans(scene->view, &scene->words, width, false, false, &plans);
    wants.hand_rows = plans.framed.rows;
    wants.hand_rows_small = plans.lines.rows;
    table_layout_make(&canvas->body, &wants, layout);
    *plan = layout->is_list ? plans.lines : plans.framed;
}

void replay_draw_scene(const struct canvas *canvas, const struct replay_picture *picture)
{
    const struct scene *scene = picture->scene;
    struct table_layout layout;
    struct hand_plan plan;
    struct text headline = TEXT_OF(LINE_BYTES * 2), last_trick = TEXT_OF(LINE_BYTES * 2);
    compute_layout(&layout, canvas, scene, &plan);
    scene_write_headline(scene, "", canvas->body.width - draw_measure_text(picture->right_text) - 4,
                         &headline);
    draw_header(canvas, headline.at, picture->right_text);
    board_draw_rows(canvas, &layout.facts, scene);
    scene_draw(canvas, &layout, scene);
    draw_text(canvas, layout.prompt.row, layout.prompt.column + 1, layout.prompt.width - 2,
              STYLE_TURN, picture->line);
    hand_draw(canvas, &layout.hand, &plan, scene->view, &scene->words, -1);
    if (!scene->is_held) {
        scene_write_last_trick(scene, &last_trick);
    }
    draw_text(canvas, layout.status.row, layout.status.column + 1, layout.status.width - 2,
              STYLE_DIM, last_trick.at);
    if (layout.side.width > 0) {
        struct area board = layout.side, sheet = layout.side;
        board.height = board_count_box_rows(scene);
        sheet.row += board.height;
        sheet.height -= board.height;
        board_draw_box(canvas, &board, scene);
        sheet_draw_box(canvas, &sheet, picture->sheet);
    } else if (picture->has_sheet) {
        sheet_draw_box(canvas, &layout.felt, picture->sheet);
    }
}

void replay_draw_game(const struct canvas *canvas, const struct replay_game *game,
                      const char *right_text, bool has_sheet)
{
    struct scene scene = replay_draw_make_scene(game, canvas->theme);
    struct sheet sheet = {
        .words = &scene.words,
        .seats = game->view.seats,
        .rows = game->rows,
        .count = game->row_count,
        .selected = game->row_count - 1,
        .explained = game->row_count > 0 ? &game->last_row : NULL,
    };
    const char *step = replay_draw_write_step(game, &scene, &TEXT_OF(LINE_BYTES * 2));
    replay_draw_scene(canvas,
                      &(struct replay_picture){&scene, right_text, step, &sheet, has_sheet});
}
