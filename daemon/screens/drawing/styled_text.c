#include "daemon/screens/drawing/draw.h"

#include <utf8proc.h>

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

wchar_t styled_text_symbol_to_ascii(wchar_t character)
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
