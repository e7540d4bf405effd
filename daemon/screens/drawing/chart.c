#include "daemon/screens/drawing/draw.h"

#include "games/text.h"

#include <stdio.h>

#define LABEL_WIDTH 6
#define EIGHTHS 8
/* The chart's scale covers a difference of at least this many points, so that small changes do not
 * look like cliffs. */
#define LEAST_SPAN 40

struct scale {
    int32_t low, high;
};

static struct scale choose_chart_scale(const int32_t *values, int count)
{
    struct scale scale = {values[0], values[0]};
    for (int i = 1; i < count; i++) {
        scale.low = values[i] < scale.low ? values[i] : scale.low;
        scale.high = values[i] > scale.high ? values[i] : scale.high;
    }
    if (scale.high - scale.low < LEAST_SPAN) {
        scale.low = (scale.low + scale.high - LEAST_SPAN) / 2;
        scale.high = scale.low + LEAST_SPAN;
    }
    return scale;
}

static void put_bar_block(const struct canvas *canvas, int height_eighths, struct text *out)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {" ", ".", ".", ".", "#", "#", "#", "#", "#"};
    int at = height_eighths < 0 ? 0 : height_eighths > EIGHTHS ? EIGHTHS : height_eighths;
    text_put(out, (canvas->theme->is_ascii ? ascii : blocks)[at]);
}

void chart_draw(const struct canvas *canvas, const struct area *area, const int32_t *values,
                int value_count)
{
    int width = area->width - LABEL_WIDTH;
    if (value_count <= 0 || width <= 0 || area->height <= 0) {
        return;
    }
    if (value_count > width) {
        values += value_count - width;
        value_count = width;
    }
    const struct scale scale = choose_chart_scale(values, value_count);
    /* The lowest value is drawn too, as one eighth of a row. */
    const int levels = area->height * EIGHTHS - 1;
    for (int row = 0; row < area->height; row++) {
        struct text out = TEXT_OF(1024);
        int below = (area->height - 1 - row) * EIGHTHS;
        for (int i = 0; i < value_count; i++) {
            int level = 1 + (values[i] - scale.low) * levels / (scale.high - scale.low);
            put_bar_block(canvas, level - below, &out);
        }
        draw_text(canvas, area->row + row, area->column + LABEL_WIDTH, width, STYLE_GOOD, out.at);
    }
    draw_formatted_text(canvas, area->row, area->column, LABEL_WIDTH - 1, STYLE_DIM, "%d",
                        scale.high);
    draw_formatted_text(canvas, area->row + area->height - 1, area->column, LABEL_WIDTH - 1,
                        STYLE_DIM, "%d", scale.low);
}
