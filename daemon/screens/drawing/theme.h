#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * How things look: what a style means in each theme, and the signs that ASCII mode writes
 * otherwise. Colour adds to what the text says, it never says something alone.
 */
enum theme_kind {
    THEME_COLOUR,
    THEME_MONO,
    THEME_CONTRAST, /* high contrast: bright on black, bold, nothing dim */
    THEME_KINDS,
};

enum style {
    STYLE_PLAIN,
    STYLE_DIM, /* not now, not allowed, of less interest */
    STYLE_STRONG,
    STYLE_TITLE, /* headings, the house's name */
    STYLE_BORDER,
    STYLE_SELECTED, /* the row the cursor is on */
    STYLE_KEY,      /* a key's name in the key line */
    STYLE_NOTICE,
    STYLE_WARN,
    STYLE_YOU,    /* one's own name, one's own row */
    STYLE_TURN,   /* somebody is to act; it is your turn */
    STYLE_SYSTEM, /* lines of the house, times of day */
    STYLE_CARD,   /* a legal card */
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_TINT, /* + enum tint (games/card.h): a suit's colour */
    STYLE_COUNT = STYLE_TINT + 9,
};

/* Signs with an ASCII stand-in. */
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
    GLYPH_ELLIPSIS, /* one column */
    GLYPH_CHECK,
    GLYPH_SECRET, /* • for a password's characters */
    GLYPH_COUNT,
};

struct theme {
    uint8_t kind; /* enum theme_kind */
    bool is_ascii;
    bool has_colour; /* the terminal has at least 8 colours */
    bool is_told;    /* nothing is drawn: whole words, no marks of style */
};

/* The theme's name in settings: "colour", "mono", "contrast". */
const char *theme_name(enum theme_kind kind);

/* THEME_KINDS for an unknown name. */
enum theme_kind theme_find(const char *name);

/* UTF-8, or ASCII in ASCII mode; always the same number of columns in both: one. */
const char *theme_glyph(const struct theme *theme, enum glyph glyph);

/* How the terminal shows a style: curses attributes, and the colour pair (0: the default). */
struct theme_look {
    uint32_t attributes;
    int16_t pair;
};
struct theme_look theme_look(const struct theme *theme, enum style style);

/* Defines the colour pairs; once, after the terminal is set up with colour. */
void theme_pairs_init(void);
