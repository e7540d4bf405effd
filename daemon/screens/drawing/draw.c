#include "daemon/screens/drawing/draw.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/macros.h"
#include "games/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

/* Reads a style mark, and the character for its style if one follows. */
static struct styled_char read_style_mark(const char *text)
{
    struct styled_char step = {.len = 1, .is_mark = true, .style = STYLE_COUNT};
    if (text[0] == DRAW_MARK && text[1] >= '0' && text[1] < '0' + STYLE_COUNT) {
        step.len = 2;
        step.style = (enum style)(text[1] - '0');
    }
    return step;
}

struct styled_char styled_text_read_char(const char *text)
{
    if (text[0] == '\0') {
        return (struct styled_char){0};
    }
    if (text[0] == DRAW_MARK || text[0] == DRAW_UNMARK) {
        return read_style_mark(text);
    }
    unsigned char byte = (unsigned char)text[0];
    if (byte >= ' ' && byte < 0x7F) {
        /* a shortcut, because nearly all characters of our texts are ASCII */
        return (struct styled_char){.len = 1, .character = byte, .columns = 1};
    }
    utf8proc_int32_t code;
    utf8proc_ssize_t len = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
    if (len <= 0) {
        return (struct styled_char){.len = 1, .character = L'?', .columns = 1};
    }
    int columns = wcwidth((wchar_t)code);
    if (columns < 0 || code < ' ') {
        return (struct styled_char){.len = (size_t)len, .character = L'?', .columns = 1};
    }
    return (struct styled_char){.len = (size_t)len, .character = (wchar_t)code, .columns = columns};
}

/* Returns the ASCII replacement of a symbol that the house's own texts contain; 0 for other
 * characters. */
static wchar_t styled_text_symbol_to_ascii(wchar_t character)
{
    static const struct {
        wchar_t from, to;
    } stand_ins[] = {
        {L'–', L'-'}, {L'—', L'-'}, {L'…', L'.'}, {L'·', L'-'}, {L'•', L'*'},  {L'±', L'~'},
        {L'→', L'>'}, {L'←', L'<'}, {L'↑', L'^'}, {L'↓', L'v'}, {L'◄', L'<'},  {L'►', L'>'},
        {L'▲', L'^'}, {L'▼', L'v'}, {L'✓', L'+'}, {L'×', L'x'}, {L'‘', L'\''}, {L'’', L'\''},
        {L'“', L'"'}, {L'”', L'"'}, {L'„', L'"'}, {L'♠', L'S'}, {L'♥', L'H'},  {L'♦', L'D'},
        {L'♣', L'C'}, {L'─', L'-'}, {L'│', L'|'}, {L'↔', L'='}, {L'≤', L'<'},  {L'≥', L'>'},
        {L'−', L'-'},
    };
    for (size_t i = 0; i < sizeof stand_ins / sizeof stand_ins[0]; i++) {
        if (stand_ins[i].from == character) {
            return stand_ins[i].to;
        }
    }
    return 0;
}

wchar_t styled_text_character_to_ascii(wchar_t character)
{
    wchar_t stand_in = styled_text_symbol_to_ascii(character);
    if (stand_in != 0) {
        return stand_in;
    }
    utf8proc_int32_t parts[16];
    int boundary = 0;
    utf8proc_ssize_t count = utf8proc_decompose_char(
        (utf8proc_int32_t)character, parts, 16, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &boundary);
    return count > 0 && parts[0] >= ' ' && parts[0] < 0x7F ? (wchar_t)parts[0] : L'?';
}

wchar_t styled_text_character_to_lower_ascii(wchar_t character)
{
    wchar_t letter = character < 0x7F ? character : styled_text_character_to_ascii(character);
    return letter >= L'A' && letter <= L'Z' ? letter - L'A' + L'a' : letter;
}

size_t styled_text_count_fitting_bytes(const char *text, int width, size_t *skip)
{
    size_t at = 0, space = 0;
    int columns = 0;
    *skip = 0;
    for (struct styled_char step; (step = styled_text_read_char(text + at)).len > 0;
         at += step.len) {
        columns += step.columns;
        if (columns > width) {
            size_t end = text[at] == ' ' ? at : space;
            *skip = end > 0 ? 1 : 0;
            return end > 0 ? end : at;
        }
        space = text[at] == ' ' ? at : space;
    }
    return at;
}

const struct theme theme_plain = {.is_ascii = true, .is_plain_mode = true};

const char *const theme_words[] = {
    [THEME_COLOUR] = "colour",
    [THEME_MONO] = "mono",
    [THEME_CONTRAST] = "contrast",
    [THEME_KINDS] = NULL,
};

static const struct glyph_row {
    const char *sign, *ascii;
} glyphs[GLYPH_COUNT] = {
    [GLYPH_HORIZONTAL] = {"─", "-"},  [GLYPH_VERTICAL] = {"│", "|"},
    [GLYPH_TOP_LEFT] = {"┌", "+"},    [GLYPH_TOP_RIGHT] = {"┐", "+"},
    [GLYPH_BOTTOM_LEFT] = {"└", "+"}, [GLYPH_BOTTOM_RIGHT] = {"┘", "+"},
    [GLYPH_TEE_LEFT] = {"├", "+"},    [GLYPH_TEE_RIGHT] = {"┤", "+"},
    [GLYPH_TEE_TOP] = {"┬", "+"},     [GLYPH_TEE_BOTTOM] = {"┴", "+"},
    [GLYPH_TURN] = {"◄", "<"},        [GLYPH_ARROW_UP] = {"▲", "^"},
    [GLYPH_ARROW_LEFT] = {"◄", "<"},  [GLYPH_ARROW_RIGHT] = {"►", ">"},
    [GLYPH_TRADED] = {"↔", "="},      [GLYPH_DOT] = {"·", "-"},
    [GLYPH_DASH] = {"–", "-"},        [GLYPH_ELLIPSIS] = {"…", "~"},
    [GLYPH_CHECK] = {"✓", "+"},       [GLYPH_SECRET] = {"•", "*"},
};

const char *theme_glyph_text(const struct theme *theme, enum glyph glyph)
{
    return theme->is_ascii ? glyphs[glyph].ascii : glyphs[glyph].sign;
}

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
    int columns = canvas->frame->columns;
    if (row < 0 || row >= canvas->frame->rows || column < 0 || column >= columns) {
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

void draw_horizontal_line(const struct canvas *canvas, int row, int column, int width)
{
    put_glyphs(canvas, row, column, width, STYLE_BORDER, GLYPH_HORIZONTAL);
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

void draw_border(const struct canvas *canvas, const struct area *area, enum style style)
{
    int bottom = area->row + area->height - 1;
    int right = area->column + area->width - 1;
    put_glyphs(canvas, area->row, area->column, area->width, style, GLYPH_HORIZONTAL);
    put_glyphs(canvas, bottom, area->column, area->width, style, GLYPH_HORIZONTAL);
    for (int row = area->row + 1; row < bottom; row++) {
        draw_glyph(canvas, row, area->column, style, GLYPH_VERTICAL);
        draw_glyph(canvas, row, right, style, GLYPH_VERTICAL);
    }
    draw_glyph(canvas, area->row, area->column, style, GLYPH_TOP_LEFT);
    draw_glyph(canvas, area->row, right, style, GLYPH_TOP_RIGHT);
    draw_glyph(canvas, bottom, area->column, style, GLYPH_BOTTOM_LEFT);
    draw_glyph(canvas, bottom, right, style, GLYPH_BOTTOM_RIGHT);
}

void draw_box(const struct canvas *canvas, const struct area *area, const char *title,
              bool is_active)
{
    if (area->height >= 2 && area->width >= 2) {
        draw_border(canvas, area, STYLE_BORDER);
        draw_title(canvas, area->row, area->column, area->width, title, is_active);
    }
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

#define LIST_BYTES 400

__attribute__((format(printf, 2, 0))) static void append_formatted(struct text *out,
                                                                   const char *format, va_list args)
{
    size_t room = out->cap - out->len;
    int len = vsnprintf(out->at + out->len, room, format, args);
    out->is_cut = out->is_cut || len < 0 || (size_t)len >= room;
    out->len += len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}

const char *text_format(struct text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_formatted(out, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    return out->at;
}

void text_format_list_item(struct text *out, const char *format, ...)
{
    va_list args;
    text_put(out, out->len > 0 ? ", " : "");
    va_start(args, format);
    append_formatted(out, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
}

void text_put_list(struct text *out, const char *const *items, size_t count)
{
    struct text before = TEXT_OF(LIST_BYTES);
    for (size_t i = 0; i + 1 < count; i++) {
        text_format_list_item(&before, "%s", items[i]);
    }
    if (count > 1) {
        text_format(out, _("%s and %s"), before.at, items[count - 1]);
    } else if (count == 1) {
        text_put(out, items[0]);
    }
}

void lines_init(struct lines *lines, size_t max_bytes)
{
    *lines = (struct lines){.is_cut = false};
    bytes_init(&lines->text, max_bytes);
}

void lines_clear(struct lines *lines)
{
    bytes_clear(&lines->text);
    lines->is_cut = false;
}

void lines_put(struct lines *lines, const char *text)
{
    char line[LINES_LINE_MAX];
    struct text out = text_init(line, sizeof(line) - 1); /* leaves one byte for the newline */
    for (struct styled_char step;
         (step = styled_text_read_char(text)).len > 0 && out.len + step.len < out.cap;
         text += step.len) {
        if (step.character == L'?') {
            text_put_char(&out, '?'); /* styled_text_read_char returns '?' for characters that no
                                         terminal should receive */
        } else if (!step.is_mark) {
            text_put_bytes(&out, text, step.len);
        }
    }
    line[out.len] = '\n';
    if (!bytes_add(&lines->text, line, out.len + 1)) {
        lines->is_cut = true;
    }
}

void lines_format(struct lines *lines, const char *format, ...)
{
    char line[LINES_LINE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof(line), format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    lines_put(lines, line);
}

/* Writes one row of a wrapped line after its indent, then the end of the row. */
static bool write_wrapped_row(const char *text, size_t len, int indent,
                              const struct lines_look *look, struct bytes *out)
{
    struct text shown = TEXT_OF((size_t)2 * LINES_LINE_MAX);
    struct styled_char step;
    text_format(&shown, "%*s", indent, "");
    for (size_t at = 0; at < len && (step = styled_text_read_char(text + at)).len > 0;
         at += step.len) {
        bool is_sign = step.character >= 0x7F && styled_text_symbol_to_ascii(step.character) != 0;
        if (is_sign || (look->is_ascii && step.character >= 0x7F && step.columns > 0)) {
            text_put_char(&shown, (char)styled_text_character_to_ascii(step.character));
        } else if (!look->is_ascii ||
                   step.character < 0x7F) { /* a combining mark is dropped in ASCII mode */
            text_put_bytes(&shown, text + at, step.len);
        }
    }
    text_put(&shown, look->end);
    return bytes_add(out, shown.at, shown.len);
}

static bool write_line(const char *line, const struct lines_look *look, struct bytes *out)
{
    bool is_whole = true;
    int indent = 0;
    do {
        size_t skip = 0;
        size_t len = look->width > 0
                         ? styled_text_count_fitting_bytes(line, look->width - indent, &skip)
                         : strlen(line);
        if (len == 0 && line[0] != '\0') {
            len = strlen(line); /* the row is narrower than one character */
        }
        is_whole = write_wrapped_row(line, len, indent, look, out) && is_whole;
        line += len + skip;
        indent = look->width > LINES_INDENT ? LINES_INDENT : 0;
    } while (line[0] != '\0');
    return is_whole;
}

bool lines_write(const struct lines *lines, const struct lines_look *look, struct bytes *out)
{
    bool is_whole = true;
    for (size_t at = 0; at < lines->text.len;) {
        char line[LINES_LINE_MAX];
        const char *begin = lines->text.at + at;
        const char *end = memchr(begin, '\n', lines->text.len - at);
        size_t len = (size_t)(end - begin); /* lines_put ends every line with a newline */
        memcpy(line, begin, len);
        line[len] = '\0';
        is_whole = write_line(line, look, out) && is_whole;
        at += len + 1;
    }
    return is_whole;
}

void list_set_size(struct list *list, int row_count, int visible_rows)
{
    list->count = row_count;
    list->visible = visible_rows > 0 ? visible_rows : 1;
    if (list->selected >= row_count) {
        list->selected = row_count - 1;
    }
    if (list->selected < 0) {
        list->selected = 0;
    }
    if (list->top > list->selected) {
        list->top = list->selected;
    }
    if (list->top < list->selected - list->visible + 1) {
        list->top = list->selected - list->visible + 1;
    }
    int last_top = row_count > list->visible ? row_count - list->visible : 0;
    if (list->top > last_top) {
        list->top = last_top;
    }
}

int list_find_step(const struct list *list, const struct press *press)
{
    switch ((int)press->kind) {
    case PRESS_UP:
        return -1;
    case PRESS_DOWN:
        return 1;
    case PRESS_PAGE_UP:
        return -list->visible;
    case PRESS_PAGE_DOWN:
        return list->visible;
    case PRESS_HOME:
        return -list->count;
    case PRESS_END:
        return list->count;
    case PRESS_WHEEL_UP:
        return -3;
    case PRESS_WHEEL_DOWN:
        return 3;
    case PRESS_CHAR:
        return press->code == 'j' ? 1 : press->code == 'k' ? -1 : 0;
    default:
        return 0;
    }
}

bool list_handle_key(struct list *list, const struct press *press)
{
    int rows = list_find_step(list, press);
    list->selected += rows;
    list_set_size(list, list->count, list->visible);
    return rows != 0;
}

int list_row_at_offset(const struct list *list, int offset)
{
    int row = list->top + offset;
    return offset >= 0 && offset < list->visible && row < list->count ? row : -1;
}
