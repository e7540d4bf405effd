#include "ink.h"

#include "daemon/screens/drawing/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define ROWS_MAX 60
#define COLUMNS_MAX 200
#define CUTS_MAX 40
#define ROW_BYTES (COLUMNS_MAX * 4 + 1)

/* The characters of the frame, by row and column: 0 is a blank; WIDE is the second column of a
 * wide character. */
#define WIDE L'\x01'
#define CUT L'…'

static wchar_t cells[ROWS_MAX][COLUMNS_MAX];
static struct {
    int row, column;
    char text[ROW_BYTES];
} cuts[CUTS_MAX];
static int cut_count;
static unsigned put_count; /* calls in this frame */
static char overlap[2 * ROW_BYTES + 64];

/* The linker's --wrap makes calls of a function of drawing/draw.h call its __wrap function below;
 * the __real functions are those of drawing/frame.c. It reaches only calls from other files. */
void __wrap_frame_begin(struct screen_frame *frame, int rows, int columns, struct theme_look look);
void __real_frame_begin(struct screen_frame *frame, int rows, int columns, struct theme_look look);
void __wrap_frame_put_text(struct screen_frame *frame, int row, int column, struct theme_look look,
                           const wchar_t *text, int count);
void __real_frame_put_text(struct screen_frame *frame, int row, int column, struct theme_look look,
                           const wchar_t *text, int count);
void __wrap_frame_put_repeated(struct screen_frame *frame, int row, int column,
                               struct theme_look look, wchar_t character, int count);
void __real_frame_put_repeated(struct screen_frame *frame, int row, int column,
                               struct theme_look look, wchar_t character, int count);

static bool is_on_screen(int row, int column)
{
    return row >= 0 && row < ROWS_MAX && column >= 0 && column < COLUMNS_MAX;
}

static void read_recorded_row(int row, int column_count, char out[ROW_BYTES])
{
    size_t len = 0;
    for (int column = 0; column < column_count && len + MB_CUR_MAX < ROW_BYTES; column++) {
        wchar_t sign = cells[row][column] == 0 ? L' ' : cells[row][column];
        int bytes = sign == WIDE ? 0 : wctomb(out + len, sign);
        len += bytes > 0 ? (size_t)bytes : 0;
    }
    out[len] = '\0';
}

/* Records a character that is put, and reports an overlap if it replaces a different
 * character. */
static void record_character(int row, int column, wchar_t sign)
{
    if (!is_on_screen(row, column)) {
        return;
    }
    wchar_t *cell = &cells[row][column];
    wchar_t now = sign == L' ' ? 0 : sign;
    if (*cell != 0 && *cell != now && overlap[0] == '\0') {
        char before[ROW_BYTES];
        read_recorded_row(row, COLUMNS_MAX, before);
        snprintf(overlap, sizeof overlap, "row %d, column %d: U+%04X over \"%s\"", row, column,
                 (unsigned)sign, before);
    }
    *cell = now;
}

static void erase_characters(int row, int column, int count)
{
    for (int i = 0; i < count; i++) {
        if (is_on_screen(row, column + i)) {
            cells[row][column + i] = 0;
        }
    }
}

void __wrap_frame_begin(struct screen_frame *frame, int rows, int columns, struct theme_look look)
{
    memset(cells, 0, sizeof cells);
    cut_count = 0;
    put_count = 0;
    overlap[0] = '\0';
    __real_frame_begin(frame, rows, columns, look);
}

void __wrap_frame_put_text(struct screen_frame *frame, int row, int column, struct theme_look look,
                           const wchar_t *text, int count)
{
    int at = column;
    put_count++;
    for (int i = 0; i < count; i++) {
        int columns = wcwidth(text[i]);
        for (int part = 0; part < columns; part++) {
            record_character(row, at + part, part == 0 ? text[i] : WIDE);
        }
        at += columns > 0 ? columns : 0;
    }
    __real_frame_put_text(frame, row, column, look, text, count);
}

static void record_cut(int row, int column)
{
    if (is_on_screen(row, column) && cut_count < CUTS_MAX) {
        cells[row][column] = CUT;
        cuts[cut_count].row = row;
        cuts[cut_count].column = column;
        read_recorded_row(row, column, cuts[cut_count].text);
        cut_count++;
    }
}

/* A single symbol may cover a line: it is not recorded, unless it is the end of a cut text. */
void __wrap_frame_put_repeated(struct screen_frame *frame, int row, int column,
                               struct theme_look look, wchar_t character, int count)
{
    if (count > 1) {
        erase_characters(row, column, count);
    } else if (character == CUT) {
        record_cut(row, column);
    }
    __real_frame_put_repeated(frame, row, column, look, character, count);
}

int ink_count_cut_texts(void)
{
    int kept = 0;
    for (int i = 0; i < cut_count; i++) {
        /* the ellipsis at the end of the cut text is still on the screen */
        if (cells[cuts[i].row][cuts[i].column] == CUT) {
            cuts[kept++] = cuts[i];
        }
    }
    cut_count = kept;
    return kept;
}

const char *ink_get_cut_text(int index)
{
    return cuts[index].text;
}

const char *ink_find_overlap(void)
{
    return put_count == 0 ? "no text was drawn, or not through this file" : overlap;
}
