#include "daemon/screens/replay/replay.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table.h"

#define LINE_BYTES 400

struct scene replay_draw_make_scene(const struct replay_game *game, const struct theme *theme)
{
    struct scene scene = {
        .view = &game->view,
        .words = {.theme = theme,
                  .game = game->view.game,
                  .config = &game->record.source.config,
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

/* Appends a line of what the last move did, in at most `width` columns if that is possible with the
 * short names of suits; nothing if there are fewer lines. */
static void write_story_line(const struct replay_game *game, const struct scene *scene,
                             uint8_t number, int width, struct text *out)
{
    struct words words = scene->words;
    struct text spelled = TEXT_OF(LINE_BYTES * 2);
    if (number >= game->story.count) {
        return;
    }
    const struct phrase *phrase = &game->story.lines[number].words;
    words.spells_suits = true;
    words_write_phrase(&words, *phrase, &spelled);
    words.spells_suits = draw_measure_text(spelled.at) <= width;
    words.abbreviates_suits = !words.spells_suits;
    words_write_phrase(&words, *phrase, out);
}

const char *replay_draw_write_step_number(const struct replay_game *game, struct text *out)
{
    text_format(out, game->record.is_void ? _("declared void, step %u of %u") : _("step %u of %u"),
                game->step, game->record.source.move_count);
    return out->at;
}

/* Writes the step's number and the first line of what the move did. Returns the number of lines
 * written: 0 if the line does not fit into `width` columns. */
static uint8_t write_step(const struct replay_game *game, const struct scene *scene, int width,
                          struct text *out)
{
    struct text line = TEXT_OF(LINE_BYTES * 2);
    replay_draw_write_step_number(game, out);
    int left = width - draw_measure_text(out->at) - 3;
    if (game->step == 0) {
        text_put(&line, _("the first deal"));
    } else if (game->story.count == 0) {
        text_format(&line, _("%s makes a secret choice"),
                    words_write_seat(&scene->words, game->mover, &TEXT_OF(LINE_BYTES)));
    } else {
        write_story_line(game, scene, 0, left, &line);
    }
    if (draw_measure_text(line.at) > left) {
        return 0;
    }
    text_format(out, " %s %s", theme_glyph_text(scene->words.theme, GLYPH_DOT), line.at);
    return 1;
}

const char *replay_draw_write_step(const struct replay_game *game, const struct scene *scene,
                                   struct text *out)
{
    (void)write_step(game, scene, (int)out->cap, out);
    return out->at;
}

/* Writes what the last move did, from line number `first` on, as many lines as fit; at the last
 * step, who has won and why. */
static void write_consequences(const struct replay_game *game, const struct scene *scene,
                               uint8_t first, int width, struct text *out)
{
    uint8_t end = game->is_trick_done ? game->story.old_count : 0;
    end = end > 0 ? end : game->story.count;
    if (replay_game_is_over(game)) {
        struct story result;
        story_tell_result(&game->view, &game->record.source.config, game->winners, &result);
        words_write_phrase(&scene->words, result.lines[0].words, out);
        return;
    }
    for (uint8_t i = first; i < end; i++) {
        struct text line = TEXT_OF(LINE_BYTES * 2);
        int left = width - draw_measure_text(out->at) - (i > first ? 3 : 0);
        write_story_line(game, scene, i, left, &line);
        if (i > first && draw_measure_text(line.at) > left) {
            return;
        }
        if (i > first) {
            text_format(out, " %s ", theme_glyph_text(scene->words.theme, GLYPH_DOT));
        }
        text_put(out, line.at);
    }
}

/* The announcement of a great moment in the last move; NULL if there was none. */
static const struct phrase *find_great_moment(const struct replay_game *game)
{
    const struct phrase *great = NULL;
    for (uint8_t i = 0; i < game->story.count; i++) {
        const struct phrase *each = &game->story.lines[i].great;
        great = each->format != NULL ? each : great;
    }
    return great;
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
    wants.top_rows = scene_count_top_rows(scene, layout);
    wants.wide_places = scene_find_wide_places(scene, layout);
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
    if (picture->status != NULL) {
        text_put(&last_trick, picture->status);
    } else {
        scene_write_status(&layout, scene, layout.status.width - 2, &last_trick);
    }
    draw_text(canvas, layout.status.row, layout.status.column + 1, layout.status.width - 2,
              STYLE_DIM, last_trick.at);
    if (layout.side.width > 0) {
        struct area board = layout.side, sheet = layout.side;
        board.height = board_count_box_rows(scene, board.width);
        sheet.row += board.height;
        sheet.height -= board.height;
        board_draw_box(canvas, &board, scene);
        sheet_draw_box(canvas, &sheet, picture->sheet);
    } else if (picture->has_sheet) {
        struct sheet over = *picture->sheet;
        over.closing = _("s closes");
        sheet_draw_box(canvas, &layout.felt, &over);
    }
    if (picture->hint != NULL) {
        replay_hint_draw_box(canvas, &layout.felt, picture->hint, &scene->words);
    }
}

void replay_draw_game(const struct canvas *canvas, const struct replay_game *game,
                      const char *right_text, bool has_sheet, const struct replay_hint *hint)
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
    struct text step = TEXT_OF(LINE_BYTES * 2), status = TEXT_OF(LINE_BYTES * 4);
    int width = canvas->body.width - 2;
    uint8_t written = write_step(game, &scene, width, &step);
    write_consequences(game, &scene, written, width, &status);
    scene.great = find_great_moment(game);
    replay_draw_scene(canvas, &(struct replay_picture){.scene = &scene,
                                                       .right_text = right_text,
                                                       .line = step.at,
                                                       .status = status.at,
                                                       .sheet = &sheet,
                                                       .has_sheet = has_sheet,
                                                       .hint = hint});
}
