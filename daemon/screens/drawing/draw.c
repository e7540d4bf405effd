#include "daemon/screens/drawing/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define FORMAT_MAX 400
#define RUN_MAX 128

int draw_measure_text(const char *text)
{
    int columns = 0;
    for (struct styled_char step; (step = styled_text_read_char(text)).len > 0; text += step.len) {
        columns += step.columns;
    }
    return columns;
}

void draw_put_styled(struct text *out, enum style style, const char *text)
{
    text_put_char(out, DRAW_MARK);
    text_put_char(out, (char)('0' + style));
    text_put(out, text);
    text_put_char(out, DRAW_UNMARK);
}

/* Characters in one style, a piece of the frame. */
struct styled_run {
    const struct canvas *canvas;
    int row, column;
    enum style style;
    int count;
    int columns;
    wchar_t at[RUN_MAX + 2];
};

static void put_styled_run(struct styled_run *run)
{
    if (run->count > 0) {
        frame_put_text(run->canvas->frame, run->row, run->column,
                       theme_get_look(run->canvas->theme, run->style), run->at, run->count);
        run->column += run->columns;
    }
    run->count = 0;
    run->columns = 0;
}

static void add_char_to_styled_run(struct styled_run *run, const struct styled_char *added)
{
    if (run->count >= RUN_MAX) {
        put_styled_run(run);
    }
    run->columns += added->columns;
    if (!run->canvas->theme->is_ascii || added->character < 0x7F) {
        run->at[run->count++] = added->character;
        return;
    }
    for (int i = 0; i < added->columns; i++) {
        run->at[run->count++] = styled_text_character_to_ascii(added->character);
    }
}

/* Returns how many columns of a text that begins at row and column, `width` columns wide, lie on
 * the screen. */
static int count_visible_columns(const struct canvas *canvas, int row, int column, int width)
{
    int columns = frame_columns(canvas->frame);
    if (row < 0 || row >= frame_rows(canvas->frame) || column < 0 || column >= columns) {
        return 0;
    }
    return width < columns - column ? width : columns - column;
}

int draw_text(const struct canvas *canvas, int row, int column, int width, enum style style,
              const char *text)
{
    width = count_visible_columns(canvas, row, column, width);
    if (width <= 0) {
        return 0;
    }
    bool is_cut = draw_measure_text(text) > width;
    int limit = is_cut ? width - 1 : width;
    struct styled_run run = {.canvas = canvas, .row = row, .column = column, .style = style};
    int columns = 0;
    for (struct styled_char step; (step = styled_text_read_char(text)).len > 0; text += step.len) {
        if (step.is_mark) {
            put_styled_run(&run);
            run.style = step.style == STYLE_COUNT ? style : step.style;
            continue;
        }
        if (columns + step.columns > limit) {
            break;
        }
        /* a combining mark at the start is left out: it needs a character before it */
        if (step.columns > 0 || columns > 0) {
            add_char_to_styled_run(&run, &step);
        }
        columns += step.columns;
    }
    put_styled_run(&run);
    if (is_cut) {
        draw_glyph(canvas, row, column + columns, style, GLYPH_ELLIPSIS);
        columns++;
    }
    return columns;
}

int draw_text_right_aligned(const struct canvas *canvas, int row, int column, int width,
                            enum style style, const char *text)
{
    int columns = draw_measure_text(text);
    int free_columns = columns < width ? width - columns : 0;
    return draw_text(canvas, row, column + free_columns, width - free_columns, style, text);
}

int draw_text_centred(const struct canvas *canvas, int row, int column, int width, enum style style,
                      const char *text)
{
    int columns = draw_measure_text(text);
    int before = columns < width ? (width - columns) / 2 : 0;
    return draw_text(canvas, row, column + before, width - before, style, text);
}

int draw_formatted_text(const struct canvas *canvas, int row, int column, int width,
                        enum style style, const char *format, ...)
{
    char buffer[FORMAT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(buffer, sizeof buffer, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    return draw_text(canvas, row, column, width, style, buffer);
}

/* Returns the style after the first `len` bytes of a text that begins in `style`, so that the next
 * row continues in it. DRAW_UNMARK returns to unmarked_style. */
static enum style find_style_after_bytes(const char *text, size_t len, enum style style,
                                         enum style unmarked_style)
{
    size_t at = 0;
    for (struct styled_char step; at < len && (step = styled_text_read_char(text + at)).len > 0;
         at += step.len) {
        if (step.is_mark) {
            style = step.style == STYLE_COUNT ? unmarked_style : step.style;
        }
    }
    return style;
}

int draw_wrapped_text(const struct canvas *canvas, const struct area *area, enum style style,
                      const char *text, int skipped_rows, int indent)
{
    int rows = 0;
    enum style now = style;
    if (area->width <= indent + 1) {
        return 0;
    }
    do {
        int in = rows > 0 ? indent : 0;
        size_t over;
        size_t len = styled_text_count_fitting_bytes(text, area->width - in, &over);
        if (len == 0 && text[0] != '\0') {
            return rows; /* not even one character fits into the area's width */
        }
        struct text out = TEXT_OF((size_t)2 * FORMAT_MAX);
        if (now != style) {
            text_put_char(&out, DRAW_MARK);
            text_put_char(&out, (char)('0' + now));
        }
        text_put_bytes(&out, text, len);
        int row = rows - skipped_rows;
        if (canvas != NULL && row >= 0 && row < area->height) {
            draw_text(canvas, area->row + row, area->column + in, area->width - in, style, out.at);
        }
        now = find_style_after_bytes(text, len, now, style);
        text += len + over;
        rows++;
    } while (text[0] != '\0');
    return rows;
}

int draw_measure_last_wrapped_row(const char *text, int width)
{
    size_t over = 0, len = styled_text_count_fitting_bytes(text, width, &over);
    while (len > 0 && text[len + over] != '\0') {
        text += len + over;
        len = styled_text_count_fitting_bytes(text, width, &over);
    }
    struct text row = TEXT_OF((size_t)2 * FORMAT_MAX);
    text_put_bytes(&row, text, len);
    return draw_measure_text(row.at);
}

/* Repeats a symbol to the right. */
static void put_glyphs(const struct canvas *canvas, int row, int column, int count,
                       enum style style, enum glyph glyph)
{
    count = count_visible_columns(canvas, row, column, count);
    if (count > 0) {
        wchar_t character = styled_text_read_char(theme_glyph_text(canvas->theme, glyph)).character;
        frame_put_repeated(canvas->frame, row, column, theme_get_look(canvas->theme, style),
                           character, count);
    }
}

void draw_glyph(const struct canvas *canvas, int row, int column, enum style style,
                enum glyph glyph)
{
    put_glyphs(canvas, row, column, 1, style, glyph);
}

void draw_horizontal_line(const struct canvas *canvas, int row, int column, int width,
                          enum glyph glyph)
{
    put_glyphs(canvas, row, column, width, STYLE_BORDER, glyph);
}

void draw_vertical_line(const struct canvas *canvas, int row, int column, int height,
                        enum glyph glyph)
{
    for (int i = 0; i < height; i++) {
        put_glyphs(canvas, row + i, column, 1, STYLE_BORDER, glyph);
    }
}

void draw_title(const struct canvas *canvas, int row, int column, int width, const char *title,
                bool is_active)
{
    if (title == NULL || title[0] == '\0' || width < 6) {
        return;
    }
    enum style style = is_active ? STYLE_TITLE : STYLE_PLAIN;
    int columns = draw_text(canvas, row, column + 3, width - 6, style, title);
    draw_text(canvas, row, column + 2, 1, style, " ");
    draw_text(canvas, row, column + 3 + columns, 1, style, " ");
}

void draw_box(const struct canvas *canvas, const struct area *area, const char *title,
              bool is_active)
{
    if (area->height < 2 || area->width < 2) {
        return;
    }
    int bottom = area->row + area->height - 1;
    int right = area->column + area->width - 1;
    draw_horizontal_line(canvas, area->row, area->column, area->width, GLYPH_HORIZONTAL);
    draw_horizontal_line(canvas, bottom, area->column, area->width, GLYPH_HORIZONTAL);
    draw_vertical_line(canvas, area->row, area->column, area->height, GLYPH_VERTICAL);
    draw_vertical_line(canvas, area->row, right, area->height, GLYPH_VERTICAL);
    draw_glyph(canvas, area->row, area->column, STYLE_BORDER, GLYPH_TOP_LEFT);
    draw_glyph(canvas, area->row, right, STYLE_BORDER, GLYPH_TOP_RIGHT);
    draw_glyph(canvas, bottom, area->column, STYLE_BORDER, GLYPH_BOTTOM_LEFT);
    draw_glyph(canvas, bottom, right, STYLE_BORDER, GLYPH_BOTTOM_RIGHT);
    draw_title(canvas, area->row, area->column, area->width, title, is_active);
}

void draw_divider(const struct canvas *canvas, int row, int column, int width, const char *title,
                  bool is_active)
{
    draw_horizontal_line(canvas, row, column, width, GLYPH_HORIZONTAL);
    draw_glyph(canvas, row, column, STYLE_BORDER, GLYPH_TEE_LEFT);
    draw_glyph(canvas, row, column + width - 1, STYLE_BORDER, GLYPH_TEE_RIGHT);
    draw_title(canvas, row, column, width, title, is_active);
}

void draw_filled_area(const struct canvas *canvas, const struct area *area, enum style style)
{
    for (int row = area->row; row < area->row + area->height; row++) {
        int width = count_visible_columns(canvas, row, area->column, area->width);
        if (width > 0) {
            frame_put_repeated(canvas->frame, row, area->column,
                               theme_get_look(canvas->theme, style), L' ', width);
        }
    }
}

void draw_header(const struct canvas *canvas, const char *left_text, const char *right_text)
{
    int width = canvas->body.width - 2;
    int columns = draw_text(canvas, canvas->body.row, 1, width, STYLE_TITLE, left_text);
    if (width - columns > 3) {
        draw_text_right_aligned(canvas, canvas->body.row, 1 + columns + 2, width - columns - 2,
                                STYLE_PLAIN, right_text);
    }
}
