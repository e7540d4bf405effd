#include "daemon/screens/table/table_board.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_seats.h"

#include <string.h>

#define FACT_BYTES 400
/* maximum height of the board below the headline, in rows; the cards need the other rows */
#define ROWS_MAX 2

struct board {
    uint8_t count;
    struct face_fact facts[FACE_BOARD_MAX];
};

static struct board collect_board_facts(const struct scene *scene)
{
    const struct game_face *face = scene->view->game->face;
    struct board board = {.count = 0};
    if (face->board != NULL && scene->view->phase != PHASE_OVER) {
        board.count = face->board(scene->view, board.facts);
    }
    return board;
}

/* True if the previous fact has another label. A label that neighbouring facts share is written
 * once. */
static bool fact_has_new_label(const struct board *board, uint8_t index)
{
    return index == 0 || strcmp(board->facts[index].label, board->facts[index - 1].label) != 0;
}

static void write_board_fact(const struct scene *scene, const struct board *board, uint8_t index,
                             struct text *out)
{
    if (fact_has_new_label(board, index)) {
        draw_put_styled(out, STYLE_DIM, _(board->facts[index].label));
        text_put_char(out, ' ');
    }
    words_write_phrase(&scene->words, board->facts[index].value, out);
}

/* Fills one row with as many facts as fit, beginning with `first_fact`. Returns the index of the
 * next fact. */
static uint8_t fill_board_row(const struct scene *scene, const struct board *board,
                              uint8_t first_fact, int width, struct text *out)
{
    uint8_t at = first_fact;
    for (; at < board->count; at++) {
        struct text buffer = TEXT_OF(FACT_BYTES);
        write_board_fact(scene, board, at, &buffer);
        if (at > first_fact &&
            draw_measure_text(out->at) + 3 + draw_measure_text(buffer.at) > width) {
            break;
        }
        scene_put_separator(scene, out);
        text_put(out, buffer.at);
    }
    return at;
}

int board_count_rows(const struct scene *scene, int width)
{
    struct board board = collect_board_facts(scene);
    int rows = 0;
    for (uint8_t at = 0; at < board.count && rows < ROWS_MAX; rows++) {
        at = fill_board_row(scene, &board, at, width - 2, &TEXT_OF(FACT_BYTES * FACE_BOARD_MAX));
    }
    return rows;
}

void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    uint8_t at = 0;
    for (int row = 0; row < area->height && at < board.count; row++) {
        struct text text = TEXT_OF(FACT_BYTES * FACE_BOARD_MAX);
        at = fill_board_row(scene, &board, at, area->width - 2, &text);
        draw_text(canvas, area->row + row, area->column + 1, area->width - 2, STYLE_PLAIN, text.at);
    }
}

int board_count_box_rows(const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    return board.count > 0 ? board.count + 2 : 0;
}

void board_draw_box(const struct canvas *canvas, const struct area *area, const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    int label = 0;
    if (board.count == 0) {
        return;
    }
    for (uint8_t i = 0; i < board.count; i++) {
        int width = draw_measure_text(_(board.facts[i].label));
        label = width > label ? width : label;
    }
    draw_box(canvas, area, _("Board"), false);
    for (uint8_t i = 0; i < board.count && i < area->height - 2; i++) {
        struct text buffer = TEXT_OF(FACT_BYTES);
        int row = area->row + 1 + i;
        int inner = area->width - 4;
        words_write_phrase(&scene->words, board.facts[i].value, &buffer);
        if (fact_has_new_label(&board, i)) {
            draw_text(canvas, row, area->column + 2, inner, STYLE_DIM, _(board.facts[i].label));
        }
        draw_text(canvas, row, area->column + 4 + label, inner - label - 2, STYLE_PLAIN, buffer.at);
    }
}
