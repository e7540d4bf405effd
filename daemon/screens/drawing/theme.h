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
    THEME_CONTRAST, /* high contrast: bright colours on black, bold, nothing dim */
    THEME_KINDS,
};

enum style {
    STYLE_PLAIN,
    STYLE_DIM, /* text that is less important, or an action that is not possible now */
    STYLE_STRONG,
    STYLE_TITLE, /* headings, and the house's name */
    STYLE_BORDER,
    STYLE_SELECTED, /* the row under the cursor */
    STYLE_KEY,      /* the name of a key in the bottom row */
    STYLE_NOTICE,
    STYLE_WARN,
    STYLE_YOU,    /* the name or the row of the person at this screen */
    STYLE_TURN,   /* the name of the player whose turn it is */
    STYLE_SYSTEM, /* lines that the house writes, and times of day */
    STYLE_CARD,   /* a card of the viewer that may be played now */
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_TINT, /* the colour of a suit: STYLE_TINT + enum tint (games/card.h) */
    STYLE_COUNT = STYLE_TINT + 9,
};

/* The symbols that ASCII mode replaces. */
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
    GLYPH_DOT,      /* "·", which separates facts */
    GLYPH_DASH,     /* – */
    GLYPH_ELLIPSIS, /* an ellipsis in one column */
    GLYPH_CHECK,
    GLYPH_SECRET, /* "•", shown for each character of a password */
    GLYPH_COUNT,
};

struct theme {
    uint8_t kind; /* the chosen theme: one of enum theme_kind */
    bool is_ascii;
    bool has_colour;    /* the terminal has at least 8 colours */
    bool is_plain_mode; /* plain mode: texts in whole words, without style marks */
};

/* The theme with which plain mode and queries write texts. */
extern const struct theme theme_plain;

/* A theme's name in settings: "colour", "mono", "contrast". */
const char *theme_name(enum theme_kind kind);

/* Finds a theme by its name; THEME_KINDS if the name is unknown. */
enum theme_kind theme_find(const char *name);

/* The UTF-8 symbol, or its replacement in ASCII mode. Both take one column. */
const char *theme_glyph_text(const struct theme *theme, enum glyph glyph);

/* How the terminal shows a style: curses attributes and a colour pair (0: the default colours). */
struct theme_look {
    uint32_t attributes;
    int16_t pair;
};
struct theme_look theme_get_look(const struct theme *theme, enum style style);

/* Defines the colour pairs of curses. Call it once, after curses has started with colours. */
void theme_define_colour_pairs(void);
