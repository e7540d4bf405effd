#include "ink.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define ROWS_MAX 60
#define COLUMNS_MAX 200
#define CUTS_MAX 40
#define ROW_BYTES (COLUMNS_MAX * 4 + 1)
#define ELLIPSIS "…"

/* The characters that curses wrote, by row and column: 0 is a blank; WIDE is the second column of a
 * wide character. */
#define WIDE L'\x01'
#define CUT L'…'

static wchar_t cells[ROWS_MAX][COLUMNS_MAX];
static struct {
    int row, column;
    char text[ROW_BYTES];
} cuts[CUTS_MAX];
static int cut_count;
static char overlap[2 * ROW_BYTES + 64];

/* The linker's --wrap makes calls of a curses function call its __wrap function below; the __real
 * functions are those of curses. */
int __wrap_werase(WINDOW *window);
int __real_werase(WINDOW *window);
int __wrap_waddnwstr(WINDOW *window, const wchar_t *text, int count);
int __real_waddnwstr(WINDOW *window, const wchar_t *text, int count);
int __wrap_waddnstr(WINDOW *window, const char *text, int count);
int __real_waddnstr(WINDOW *window, const char *text, int count);
int __wrap_whline(WINDOW *window, chtype sign, int count);
int __real_whline(WINDOW *window, chtype sign, int count);
int __wrap_whline_set(WINDOW *window, const cchar_t *sign, int count);
int __real_whline_set(WINDOW *window, const cchar_t *sign, int count);

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

/* Records a character that curses writes, and reports an overlap if it replaces a different
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

int __wrap_werase(WINDOW *window)
{
    memset(cells, 0, sizeof cells);
    cut_count = 0;
    overlap[0] = '\0';
    return __real_werase(window);
}

int __wrap_waddnwstr(WINDOW *window, const wchar_t *text, int count)
{
    int row = getcury(window), column = getcurx(window);
    for (int i = 0; i < count && text[i] != L'\0'; i++) {
        int columns = wcwidth(text[i]);
        for (int part = 0; part < columns; part++) {
            record_character(row, column + part, part == 0 ? text[i] : WIDE);
        }
        column += columns > 0 ? columns : 0;
    }
    return __real_waddnwstr(window, text, count);
}

int __wrap_waddnstr(WINDOW *window, const char *text, int count)
{
    int row = getcury(window), column = getcurx(window);
    if (is_on_screen(row, column) && strcmp(text, ELLIPSIS) == 0 && cut_count < CUTS_MAX) {
        cells[row][column] = CUT;
        cuts[cut_count].row = row;
        cuts[cut_count].column = column;
        read_recorded_row(row, column, cuts[cut_count].text);
        cut_count++;
    }
    return __real_waddnstr(window, text, count);
}

int __wrap_whline(WINDOW *window, chtype sign, int count)
{
    erase_characters(getcury(window), getcurx(window), count);
    return __real_whline(window, sign, count);
}

int __wrap_whline_set(WINDOW *window, const cchar_t *sign, int count)
{
    erase_characters(getcury(window), getcurx(window), count);
    return __real_whline_set(window, sign, count);
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
    return overlap;
}
