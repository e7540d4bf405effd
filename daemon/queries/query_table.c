#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "games/text.h"

#include <stdlib.h>

struct query_table query_table_new(const struct query_column *columns, size_t column_count)
{
    struct query_table table = {.columns = columns, .count = column_count, .rows = json_array()};
    if (table.rows == NULL) {
        abort();
    }
    return table;
}

void query_table_add_row(struct query_table *table, const char *const *cells)
{
    json_t *row = json_array();
    for (size_t i = 0; i < table->count; i++) {
        json_t *cell = json_string(cells[i]);
        (void)json_array_append_new(row, cell == NULL ? json_string("?") : cell);
    }
    (void)json_array_append_new(table->rows, row);
}

static const char *get_cell_text(const json_t *row, size_t column)
{
    return json_string_value(json_array_get(row, column));
}

static void write_blanks(int count, struct text *out)
{
    for (int i = 0; i < count; i++) {
        text_put_char(out, ' ');
    }
}

static void write_cell(const struct query_column *column, const char *cell, int width, bool is_last,
                       struct text *out)
{
    int blanks = width - draw_measure_text(cell);
    if (column->is_right) {
        write_blanks(blanks, out);
    }
    text_put(out, cell);
    if (!column->is_right && !is_last) {
        write_blanks(blanks, out);
    }
    text_put(out, is_last ? "" : "  ");
}

static int measure_column_width(const struct query_table *table, size_t column)
{
    int width = draw_measure_text(_(table->columns[column].title));
    for (size_t i = 0; i < json_array_size(table->rows); i++) {
        int wide = draw_measure_text(get_cell_text(json_array_get(table->rows, i), column));
        width = wide > width ? wide : width;
    }
    return width;
}

void query_table_write(struct query_table *table, struct lines *lines)
{
    int widths[QUERY_COLUMNS_MAX] = {0};
    size_t rows = json_array_size(table->rows);
    for (size_t column = 0; column < table->count; column++) {
        widths[column] = measure_column_width(table, column);
    }
    for (size_t i = 0; rows > 0 && i <= rows; i++) {
        struct text out = TEXT_OF(LINES_LINE_MAX);
        const json_t *row = i == 0 ? NULL : json_array_get(table->rows, i - 1);
        for (size_t column = 0; column < table->count; column++) {
            const char *title = _(table->columns[column].title);
            write_cell(&table->columns[column], row == NULL ? title : get_cell_text(row, column),
                       widths[column], column + 1 == table->count, &out);
        }
        lines_put(lines, out.at);
    }
    json_decref(table->rows);
    table->rows = NULL;
}
