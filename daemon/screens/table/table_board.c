#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <limits.h>
#include <string.h>

#define FACT_BYTES 400
/* maximum height of the board below the headline, in rows; the cards need the other rows */
#define ROWS_MAX 3
#define WRAP_INDENT 2

uint8_t board_collect_facts(const struct game_view *view, const struct words *words,
                            struct face_fact facts[BOARD_FACTS_MAX])
{
    const struct game_face *face = view->game->face;
    uint8_t count = 0;
    if (face->board != NULL) {
        count = face->board(view, facts);
    }
    if (face->terms != NULL && words->config != NULL) {
        count = (uint8_t)(count + face->terms(words->config, facts + count));
    }
    return count;
}

/* The facts, and last the meaning of the signs at cards, which has an empty label. */
struct board {
    uint8_t count;
    struct face_fact facts[BOARD_FACTS_MAX + 1];
};

static struct board collect_board_facts(const struct scene *scene)
{
    const struct game_face *face = scene->view->game->face;
    struct board board = {.count = 0};
    if (scene->view->phase == PHASE_OVER && !scene->is_held) {
        return board; /* after the game, only its last trick still needs them */
    }
    board.count = board_collect_facts(scene->view, &scene->words, board.facts);
    if (face->card_signs != NULL) {
        struct phrase signs = face->card_signs(scene->view);
        board.facts[board.count].label = "";
        board.facts[board.count].value = signs;
        board.count = (uint8_t)(board.count + (signs.format != NULL));
    }
    return board;
}

/* True if the previous fact has another label. A label that neighbouring facts share is written
 * once. */
static bool fact_has_new_label(const struct board *board, uint8_t index)
{
    return index == 0 || strcmp(board->facts[index].label, board->facts[index - 1].label) != 0;
}

/* Writes a fact with its label, and with the facts after it that have the same label. Returns the
 * index of the next fact. */
static uint8_t write_facts_of_label(const struct scene *scene, const struct board *board,
                                    uint8_t index, struct text *out)
{
    uint8_t at = index;
    if (board->facts[index].label[0] != '\0') {
        draw_put_styled(out, STYLE_DIM, _(board->facts[index].label));
        text_put_char(out, ' ');
    }
    do {
        text_put(out, at > index ? ", " : "");
        words_write_phrase(&scene->words, board->facts[at++].value, out);
    } while (at < board->count && !fact_has_new_label(board, at));
    return at;
}

/* Fills one row with as many facts as fit, beginning with `first_fact`. Returns the index of the
 * next fact. */
static uint8_t fill_board_row(const struct scene *scene, const struct board *board,
                              uint8_t first_fact, int width, struct text *out)
{
    uint8_t at = first_fact;
    while (at < board->count) {
        struct text buffer = TEXT_OF(FACT_BYTES * BOARD_FACTS_MAX);
        uint8_t next = write_facts_of_label(scene, board, at, &buffer);
        if (at > first_fact &&
            draw_measure_text(out->at) + 3 + draw_measure_text(buffer.at) > width) {
            break;
        }
        scene_put_separator(scene, out);
        text_put(out, buffer.at);
        at = next;
    }
    return at;
}

/* Draws the facts, as many as fit in each row; a fact wider than a row is wrapped. Returns how many
 * rows they need. If canvas is NULL, only counts the rows. */
static int draw_rows(const struct canvas *canvas, const struct area *inside,
                     const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    int used = 0;
    for (uint8_t at = 0; at < board.count;) {
        struct text text = TEXT_OF(FACT_BYTES * BOARD_FACTS_MAX);
        struct area row = {inside->row + used, inside->column, inside->height - used,
                           inside->width};
        at = fill_board_row(scene, &board, at, inside->width, &text);
        used += draw_wrapped_text(canvas, &row, STYLE_PLAIN, text.at, 0, WRAP_INDENT);
    }
    return used;
}

int board_count_rows(const struct scene *scene, int width)
{
    const struct area inside = {.width = width - 2, .height = INT_MAX};
    int rows = draw_rows(NULL, &inside, scene);
    return rows > ROWS_MAX ? ROWS_MAX : rows;
}

void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene)
{
    const struct area inside = {area->row, area->column + 1, area->height, area->width - 2};
    if (area->height > 0) {
        (void)draw_rows(canvas, &inside, scene);
    }
}

/* Returns the width of the widest label, which the box's first column gets. */
static int measure_label_column(const struct board *board)
{
    int widest = 0;
    for (uint8_t i = 0; i < board->count; i++) {
        const char *label = board->facts[i].label;
        int width = label[0] != '\0' ? draw_measure_text(_(label)) : 0;
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Draws the facts into the inside of the box, each value wrapped beside its label. Returns how many
 * rows they need. If canvas is NULL, only counts the rows. */
static int draw_box_rows(const struct canvas *canvas, const struct area *inside,
                         const struct scene *scene, const struct board *board)
{
    int label = measure_label_column(board) + 2;
    int used = 0;
    for (uint8_t i = 0; i < board->count; i++) {
        struct text value = TEXT_OF(FACT_BYTES);
        struct area area = {inside->row + used, inside->column + label, inside->height - used,
                            inside->width - label};
        words_write_phrase(&scene->words, board->facts[i].value, &value);
        const char *name = board->facts[i].label;
        if (canvas != NULL && fact_has_new_label(board, i) && name[0] != '\0' && area.height > 0) {
            draw_text(canvas, area.row, inside->column, inside->width, STYLE_DIM, _(name));
        }
        used += draw_wrapped_text(canvas, &area, STYLE_PLAIN, value.at, 0, 0);
    }
    return used;
}

int board_count_box_rows(const struct scene *scene, int width)
{
    struct board board = collect_board_facts(scene);
    const struct area inside = {.width = width - 4, .height = INT_MAX};
    return board.count > 0 ? draw_box_rows(NULL, &inside, scene, &board) + 2 : 0;
}

void board_draw_box(const struct canvas *canvas, const struct area *area, const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    const struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    if (board.count > 0) {
        draw_box(canvas, area, _("Board"), false);
        (void)draw_box_rows(canvas, &inside, scene, &board);
    }
}
