#include "daemon/screens/drawing/words.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES (MODEL_TEXT_MAX + 2 * MODEL_NAME_MAX + 64)

static const char *choose_sign_of_chat_line(const struct canvas *canvas,
                                            const struct chat_line *line)
{
    static const char *const signs[] = {
        [CHAT_SAY] = " ", [CHAT_ME] = "*", [CHAT_SYSTEM] = NULL, [CHAT_DIRECT] = ">"};
    static_assert(ARRAY_LEN(signs) == STORED_LAST(STORED_CHAT_KINDS) + 2,
                  "every chat kind needs a sign: the stored kinds, and CHAT_DIRECT after them");
    return line->kind == CHAT_SYSTEM ? theme_glyph_text(canvas->theme, GLYPH_DOT)
                                     : signs[line->kind];
}

static void put_styled_name(const struct model *model, const char *name, struct text *out)
{
    bool is_you = strcmp(name, model->you.name) == 0;
    draw_put_styled(out, is_you ? STYLE_YOU : STYLE_STRONG, name);
}

/* Writes a direct message, which only one person receives. */
static void put_direct_message(const struct model *model, const struct chat_line *line,
                               const char *message, struct text *out)
{
    bool is_own = strcmp(line->from, model->you.name) == 0;
    struct text name = TEXT_OF((size_t)2 * MODEL_NAME_MAX);
    put_styled_name(model, is_own ? line->to : line->from, &name);
    if (is_own) {
        text_format(out, _("to %s: %s"), name.at, message);
    } else if (line->is_kept) {
        text_format(out, _("%s to you, %s: %s"), name.at,
                    words_write_day(line->at_ms, &TEXT_OF(32)), message);
    } else {
        text_format(out, _("%s to you: %s"), name.at, message);
    }
}

static void put_author_and_text(const struct model *model, const struct chat_line *line,
                                struct text *out)
{
    struct text text = TEXT_OF(MODEL_TEXT_MAX + 8);
    if (line->is_mention) {
        draw_put_styled(&text, STYLE_NOTICE, line->text);
    } else if (line->kind == CHAT_SYSTEM) {
        draw_put_styled(&text, STYLE_SYSTEM, line->text);
    } else {
        text_put(&text, line->text);
    }
    if (line->kind == CHAT_SAY) {
        text_put(out, "<");
        put_styled_name(model, line->from, out);
        text_put(out, "> ");
    } else if (line->kind == CHAT_ME) {
        put_styled_name(model, line->from, out);
        text_put(out, " ");
    } else if (line->kind == CHAT_DIRECT) {
        put_direct_message(model, line, text.at, out);
        return;
    }
    text_put(out, text.at);
}

void chat_write_line(const struct canvas *canvas, const struct model *model,
                     const struct chat_line *line, struct text *out)
{
    draw_put_styled(out, STYLE_SYSTEM, words_write_time(line->at_ms, &TEXT_OF(16)));
    text_put(out, " ");
    draw_put_styled(out, STYLE_SYSTEM, choose_sign_of_chat_line(canvas, line));
    text_put(out, " ");
    put_author_and_text(model, line, out);
}

int chat_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
              int channel, int scrolled_rows)
{
    const struct chat_log *log = &model->chat[channel];
    int below = 0; /* number of rows that the lines newer than line i take */
    /* the page above the shown one is laid out too, so that the caller knows how far one can scroll
     * up */
    int enough = 2 * area->height + scrolled_rows;
    for (int i = log->count - 1; i >= 0 && below < enough; i--) {
        struct text out = TEXT_OF(LINE_MAX_BYTES);
        chat_write_line(canvas, model, model_chat_get_line(log, i), &out);
        below += draw_wrapped_text(NULL, area, STYLE_PLAIN, out.at, 0, CHAT_INDENT);
        draw_wrapped_text(canvas, area, STYLE_PLAIN, out.at, below - area->height - scrolled_rows,
                          CHAT_INDENT);
    }
    return below;
}

void chat_print_line(const struct model *model, const struct chat_line *line, struct lines *lines)
{
    bool is_own = strcmp(line->from, model->you.name) == 0;
    switch (line->kind) {
    case CHAT_SYSTEM:
        lines_put(lines, line->text);
        return;
    case CHAT_ME:
        lines_format(lines, "%s%s* %s %s", line->room, line->room[0] != '\0' ? " " : "", line->from,
                     line->text);
        return;
    case CHAT_DIRECT:
        if (line->is_kept) {
            lines_format(lines, _("%s left you a message at %s: %s"), line->from,
                         words_write_day_and_time(line->at_ms, &TEXT_OF(64)), line->text);
        } else if (is_own) {
            lines_format(lines, _("You tell %s: %s"), line->to, line->text);
        } else {
            lines_format(lines, _("%s tells you: %s"), line->from, line->text);
        }
        return;
    case CHAT_SAY:
        break;
    }
    lines_format(lines, "%s%s%s: %s", line->room, line->room[0] != '\0' ? " " : "",
                 is_own ? _("You") : line->from, line->text);
}

void chat_print_last_lines(const struct model *model, int channel, int count, struct lines *lines)
{
    const struct chat_log *log = &model->chat[channel];
    for (int i = log->count > count ? log->count - count : 0; i < log->count; i++) {
        chat_print_line(model, model_chat_get_line(log, i), lines);
    }
}
