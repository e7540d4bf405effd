#include "daemon/screens/drawing/draw.h"

#include "games/card.h"
#include "games/macros.h"

#include <curses.h>
#include <stddef.h>
#include <string.h>

/* How each theme shows a style, on terminals with 8 and with 256 colours. Colour -1 is the
 * terminal's own. Without colours, bold, dim, reverse and underline carry the meaning. */
struct style_row {
    short colour8, colour256;
    attr_t colour; /* curses attributes used besides the colour */
    attr_t mono;
    short contrast; /* every colour of this theme is bright on black, and always bold */
    attr_t contrast_attributes;
};

#define OWN (-1)

static const struct style_row styles[STYLE_COUNT] = {
    [STYLE_PLAIN] = {OWN, OWN, A_NORMAL, A_NORMAL, COLOR_WHITE, A_BOLD},
    [STYLE_DIM] = {OWN, 247, A_DIM, A_DIM, COLOR_WHITE, A_NORMAL},
    [STYLE_STRONG] = {OWN, OWN, A_BOLD, A_BOLD, COLOR_WHITE, A_BOLD},
    [STYLE_TITLE] = {COLOR_CYAN, 44, A_BOLD, A_BOLD, COLOR_CYAN, A_BOLD},
    [STYLE_BORDER] = {OWN, 242, A_NORMAL, A_NORMAL, COLOR_WHITE, A_NORMAL},
    [STYLE_SELECTED] = {OWN, OWN, A_REVERSE, A_REVERSE, COLOR_WHITE, A_REVERSE | A_BOLD},
    [STYLE_KEY] = {COLOR_CYAN, 44, A_BOLD, A_BOLD, COLOR_YELLOW, A_BOLD},
    [STYLE_NOTICE] = {COLOR_GREEN, 78, A_BOLD, A_BOLD, COLOR_GREEN, A_BOLD},
    [STYLE_WARN] = {COLOR_YELLOW, 214, A_BOLD, A_BOLD | A_REVERSE, COLOR_YELLOW,
                    A_BOLD | A_REVERSE},
    [STYLE_YOU] = {COLOR_CYAN, 44, A_BOLD, A_BOLD | A_UNDERLINE, COLOR_CYAN, A_BOLD},
    [STYLE_TURN] = {COLOR_YELLOW, 214, A_BOLD, A_BOLD | A_REVERSE, COLOR_YELLOW,
                    A_BOLD | A_REVERSE},
    [STYLE_SYSTEM] = {OWN, 245, A_NORMAL, A_DIM, COLOR_WHITE, A_NORMAL},
    [STYLE_CARD] = {OWN, OWN, A_BOLD, A_BOLD, COLOR_WHITE, A_BOLD},
    [STYLE_GOOD] = {COLOR_GREEN, 78, A_NORMAL, A_BOLD, COLOR_GREEN, A_BOLD},
    [STYLE_BAD] = {COLOR_RED, 203, A_NORMAL, A_UNDERLINE, COLOR_RED, A_BOLD},
    [STYLE_TINT + TINT_PLAIN] = {OWN, OWN, A_NORMAL, A_NORMAL, COLOR_WHITE, A_BOLD},
    [STYLE_TINT + TINT_RED] = {COLOR_RED, 203, A_NORMAL, A_NORMAL, COLOR_RED, A_BOLD},
    [STYLE_TINT + TINT_ORANGE] = {COLOR_YELLOW, 208, A_NORMAL, A_NORMAL, COLOR_YELLOW, A_BOLD},
    [STYLE_TINT + TINT_YELLOW] = {COLOR_YELLOW, 178, A_BOLD, A_NORMAL, COLOR_YELLOW, A_BOLD},
    [STYLE_TINT + TINT_GREEN] = {COLOR_GREEN, 71, A_NORMAL, A_NORMAL, COLOR_GREEN, A_BOLD},
    [STYLE_TINT + TINT_BLUE] = {COLOR_BLUE, 75, A_BOLD, A_NORMAL, COLOR_CYAN, A_BOLD},
    [STYLE_TINT + TINT_PURPLE] = {COLOR_MAGENTA, 134, A_NORMAL, A_NORMAL, COLOR_MAGENTA, A_BOLD},
    [STYLE_TINT + TINT_PINK] = {COLOR_MAGENTA, 211, A_BOLD, A_NORMAL, COLOR_MAGENTA, A_BOLD},
    [STYLE_TINT + TINT_GREY] = {OWN, 246, A_NORMAL, A_NORMAL, COLOR_WHITE, A_BOLD},
};

const struct theme theme_plain = {.is_ascii = true, .is_plain_mode = true};

static const char *const names[THEME_KINDS] = {
    [THEME_COLOUR] = "colour",
    [THEME_MONO] = "mono",
    [THEME_CONTRAST] = "contrast",
};

static const struct glyph_row {
    const char *sign, *ascii;
} glyphs[GLYPH_COUNT] = {
    [GLYPH_HORIZONTAL] = {"─", "-"},  [GLYPH_VERTICAL] = {"│", "|"},
    [GLYPH_TOP_LEFT] = {"┌", "+"},    [GLYPH_TOP_RIGHT] = {"┐", "+"},
    [GLYPH_BOTTOM_LEFT] = {"└", "+"}, [GLYPH_BOTTOM_RIGHT] = {"┘", "+"},
    [GLYPH_TEE_LEFT] = {"├", "+"},    [GLYPH_TEE_RIGHT] = {"┤", "+"},
    [GLYPH_TEE_TOP] = {"┬", "+"},     [GLYPH_TEE_BOTTOM] = {"┴", "+"},
    [GLYPH_CROSS] = {"┼", "+"},       [GLYPH_TURN] = {"◄", "<"},
    [GLYPH_ARROW_UP] = {"▲", "^"},    [GLYPH_ARROW_DOWN] = {"▼", "v"},
    [GLYPH_ARROW_LEFT] = {"◄", "<"},  [GLYPH_ARROW_RIGHT] = {"►", ">"},
    [GLYPH_TRADED] = {"↔", "="},      [GLYPH_DOT] = {"·", "-"},
    [GLYPH_DASH] = {"–", "-"},        [GLYPH_ELLIPSIS] = {"…", "~"},
    [GLYPH_CHECK] = {"✓", "+"},       [GLYPH_SECRET] = {"•", "*"},
};

const char *theme_name(enum theme_kind kind)
{
    return names[kind];
}

enum theme_kind theme_find(const char *name)
{
    for (int i = 0; i < THEME_KINDS; i++) {
        if (strcmp(names[i], name) == 0) {
            return (enum theme_kind)i;
        }
    }
    return THEME_KINDS;
}

const char *theme_glyph_text(const struct theme *theme, enum glyph glyph)
{
    return theme->is_ascii ? glyphs[glyph].ascii : glyphs[glyph].sign;
}

struct theme_look theme_get_look(const struct theme *theme, enum style style)
{
    const struct style_row *row = &styles[style];
    if (theme->kind == THEME_MONO || !theme->has_colour) {
        return (struct theme_look){(uint32_t)row->mono, 0};
    }
    if (theme->kind == THEME_CONTRAST) {
        return (struct theme_look){(uint32_t)row->contrast_attributes,
                                   (int16_t)(1 + STYLE_COUNT + style)};
    }
    return (struct theme_look){(uint32_t)row->colour, (int16_t)(1 + style)};
}

/* Pairs 1 to STYLE_COUNT belong to the colour theme, the next STYLE_COUNT pairs to the contrast
 * theme. Together they fit the 64 pairs of the simplest colour terminals. */
void theme_define_colour_pairs(void)
{
    bool has_256 = COLORS >= 256;
    bool has_bright = COLORS >= 16;
    for (int i = 0; i < STYLE_COUNT; i++) {
        int colour = has_256 ? styles[i].colour256 : styles[i].colour8;
        init_extended_pair(1 + i, colour, OWN);
        int bright = styles[i].contrast + (has_bright ? 8 : 0);
        init_extended_pair(1 + STYLE_COUNT + i, bright, COLOR_BLACK);
    }
}
