#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * How styles look in each theme, and the symbols that ASCII mode replaces. Colour only repeats what
 * the text says; it never carries a meaning alone.
 */
enum theme_kind {
    THEME_COLOUR,
    THEME_MONO,
    THEME_CONTRAST, /* high contrast: bright on black, bold, nothing dim */
    THEME_KINDS,
};

enum style {
    STYLE_PLAIN,
    STYLE_DIM, /* not possible now, not allowed, or less important */
    STYLE_STRONG,
    STYLE_TITLE, /* headings, the house's name */
    STYLE_BORDER,
    STYLE_SELECTED, /* the row under the cursor */
    STYLE_KEY,      /* a key's name in the line of keys */
    STYLE_NOTICE,
    STYLE_WARN,
    STYLE_YOU,    /* one's own name, one's own row */
    STYLE_TURN,   /* somebody's turn; your turn */
    STYLE_SYSTEM, /* lines of the house, times of day */
    STYLE_CARD,   /* a legal card */
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_TINT, /* + enum tint (games/card.h): a suit's colour */
    STYLE_COUNT = STYLE_TINT + 9,
};

/* Symbols with an ASCII replacement. */
enum glyph {
    GLYPH_HORIZONTAL,
    GLYPH_VERTICAL,
    GLYPH_TOP_LEFT,
    GLYPH_TOP_RIGHT,
    GLYPH_BOTTOM_LEFT,
    GLYPH_BOTTOM_RIGHT,
    GLYPH_TEE_LEFT, /* ├ */
    GLYPH_TEE_RIGHT,
    GLYPH_TEE_TOP, /* ┬ */
    GLYPH_TEE_BOTTOM,
    GLYPH_CROSS,
    GLYPH_TURN, /* ◄ */
    GLYPH_ARROW_UP,
    GLYPH_ARROW_DOWN,
    GLYPH_ARROW_LEFT,
    GLYPH_ARROW_RIGHT,
    GLYPH_TRADED,   /* ↔ */
    GLYPH_DOT,      /* · between facts */
    GLYPH_DASH,     /* – */
    GLYPH_ELLIPSIS, /* an ellipsis in one column */
    GLYPH_CHECK,
    GLYPH_SECRET, /* • for a password's characters */
    GLYPH_COUNT,
};

struct theme {
    uint8_t kind; /* enum theme_kind */
    bool is_ascii;
    bool has_colour; /* the terminal has at least 8 colours */
    bool is_told;    /* plain mode: whole words, no style marks */
};

/* The theme of plain mode and queries. */
extern const struct theme theme_told;

/* The theme's name in settings: "colour", "mono", "contrast". */
const char *theme_name(enum theme_kind kind);

/* Returns THEME_KINDS for an unknown name. */
enum theme_kind theme_find(const char *name);

/* The symbol in UTF-8, or its replacement in ASCII mode; one column in both. */
const char *theme_glyph(const struct theme *theme, enum glyph glyph);

/* How the terminal shows a style: curses attributes, and the colour pair (0: the default). */
struct theme_look {
    uint32_t attributes;
    int16_t pair;
};
struct theme_look theme_look(const struct theme *theme, enum style style);

/* Defines the colour pairs; call it once, after the terminal is set up with colour. */
void theme_define_colour_pairs(void);
