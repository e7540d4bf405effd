#include "daemon/screens/table/table_board.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_seats.h"

#include <string.h>

#define FACT_BYTES 400
#define ROWS_MAX 2 /* below the headline: the cards need the room more */

struct board {
    uint8_t count;
    struct face_fact facts[FACE_BOARD_MAX];
};

static struct board board_of(const struct scene *scene)
{
    const struct game_face *face = scene->view->game->face;
    struct board board = {.count = 0};
    if (face->board != NULL && scene->view->phase != PHASE_OVER) {
        board.count = face->board(scene->view, board.facts);
    }
    return board;
}

/* A label is written once for all facts in a row that have it. */
static bool is_labelled(const struct board *board, uint8_t index)
{
    return index == 0 || strcmp(board->facts[index].label, board->facts[index - 1].label) != 0;
}

static void fact_write(const struct scene *scene, const struct board *board, uint8_t index,
                       struct text *out)
{
    if (is_labelled(board, index)) {
        draw_put_styled(out, STYLE_DIM, _(board->facts[index].label));
        text_put_char(out, ' ');
    }
    words_write_phrase(&scene->words, &board->facts[index].value, out);
}

/* The facts from `from` on that fit one row; returns the next one. */
static uint8_t board_row(const struct scene *scene, const struct board *board, uint8_t from,
                         int width, struct text *out)
{
    uint8_t at = from;
    for (; at < board->count; at++) {
        char buffer[FACT_BYTES];
        struct text text = text_init(buffer, sizeof(buffer));
        fact_write(scene, board, at, &text);
        if (at > from && draw_text_width(out->at) + 3 + draw_text_width(buffer) > width) {
            break;
        }
        scene_put_dot(scene, out);
        text_put(out, buffer);
    }
    return at;
}

int board_rows(const struct scene *scene, int width)
{
    struct board board = board_of(scene);
    int rows = 0;
    for (uint8_t at = 0; at < board.count && rows < ROWS_MAX; rows++) {
        char buffer[FACT_BYTES * FACE_BOARD_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        at = board_row(scene, &board, at, width - 2, &text);
    }
    return rows;
}

void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene)
{
    struct board board = board_of(scene);
    uint8_t at = 0;
    for (int row = 0; row < area->height && at < board.count; row++) {
        char buffer[FACT_BYTES * FACE_BOARD_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        at = board_row(scene, &board, at, area->width - 2, &text);
        draw_text(canvas, area->row + row, area->column + 1, area->width - 2, STYLE_PLAIN, buffer);
    }
}

int board_box_rows(const struct scene *scene)
{
    struct board board = board_of(scene);
    return board.count > 0 ? board.count + 2 : 0;
}

void board_draw_box(const struct canvas *canvas, const struct area *area, const struct scene *scene)
{
    struct board board = board_of(scene);
    int label = 0;
    if (board.count == 0) {
        return;
    }
    for (uint8_t i = 0; i < board.count; i++) {
        int width = draw_text_width(_(board.facts[i].label));
        label = width > label ? width : label;
    }
    draw_box(canvas, area, _("Board"), false);
    for (uint8_t i = 0; i < board.count && i < area->height - 2; i++) {
        char buffer[FACT_BYTES];
        struct text text = text_init(buffer, sizeof(buffer));
        int row = area->row + 1 + i;
        int inner = area->width - 4;
        words_write_phrase(&scene->words, &board.facts[i].value, &text);
        if (is_labelled(&board, i)) {
            draw_text(canvas, row, area->column + 2, inner, STYLE_DIM, _(board.facts[i].label));
        }
        draw_text(canvas, row, area->column + 4 + label, inner - label - 2, STYLE_PLAIN, buffer);
    }
}
