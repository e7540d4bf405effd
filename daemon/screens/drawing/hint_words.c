#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#include <stdlib.h>

#define LABEL_BYTES 200

const char *hint_write_move(const struct words *words, const struct game_view *view, uint8_t move,
                            struct text *out)
{
    return words_write_phrase(words, view->game->face->label(view, move), out);
}

const char *hint_write_points(const struct theme *theme, const struct search_choice *choice,
                              struct text *out)
{
    if (choice == NULL) {
        text_put(out, theme_glyph_text(theme, GLYPH_DASH));
        return out->at;
    }
    int tenths = (int)(choice->points * 10 + (choice->points < 0 ? -0.5F : 0.5F));
    text_format(out, "%s%d.%d",
                tenths < 0   ? "-"
                : tenths > 0 ? "+"
                             : "",
                abs(tenths) / 10, abs(tenths) % 10);
    return out->at;
}

static void add_choice(const struct words *words, const struct game_view *view,
                       const struct hint *hint, uint8_t move, struct text *out)
{
    text_format_list_item(
        out, "%s (%s)", hint_write_move(words, view, move, &TEXT_OF(LABEL_BYTES)),
        hint_write_points(words->theme, hint_find_choice(hint, move), &TEXT_OF(LABEL_BYTES)));
}

const char *hint_write_choices(const struct words *words, const struct game_view *view,
                               const struct hint *hint, uint8_t most, uint8_t also,
                               struct text *out)
{
    bool is_also_written = also == MOVE_NONE;
    for (uint8_t i = 0; i < hint->count && i < most; i++) {
        add_choice(words, view, hint, hint->choices[i].move, out);
        is_also_written = is_also_written || hint->choices[i].move == also;
    }
    if (!is_also_written) {
        add_choice(words, view, hint, also, out);
    }
    return out->at;
}

const char *hint_explain_points(const struct game_def *game)
{
    return game->face->expected_points != NULL
               ? _(game->face->expected_points)
               : _("Many points are good; the bot also weighs what the others get.");
}
