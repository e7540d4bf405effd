#pragma once

#include "daemon/base/base.h"
#include "games/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

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
    GLYPH_TURN, /* ◄ */
    GLYPH_ARROW_UP,
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

/* The names of the themes in settings and commands; after the last comes NULL. */
extern const char *const theme_words[THEME_KINDS + 1];

/* The UTF-8 symbol, or its replacement in ASCII mode. Both take one column. */
const char *theme_glyph_text(const struct theme *theme, enum glyph glyph);

/* How the terminal shows a style: curses attributes and a colour pair (0: the default colours). */
struct theme_look {
    uint32_t attributes;
    int16_t pair;
};
struct theme_look theme_get_look(const struct theme *theme, enum style style);

/*
 * The picture that is being drawn, as pieces of text. A new frame consists of the pieces that are
 * put between frame_begin and frame_end; a later piece covers an earlier one. Only the rows that
 * differ from those of the frame before are then drawn into curses, which makes a frame in which
 * one number changes much cheaper than a new screen.
 */
struct screen_frame {
    int rows, columns;      /* the size of the screen */
    struct theme_look look; /* of blank characters */
    struct frame_row *list; /* all rows; NULL before the first frame */
    struct bytes pieces;    /* of this frame; empty between frames */
};

/* Begins a frame of a screen with that many rows and columns, which is blank in the look. If the
 * screen has another size than before, all rows will be drawn. The struct is zero before the first
 * frame. Aborts if memory runs out, as do the functions below. */
void frame_begin(struct screen_frame *frame, int rows, int columns, struct theme_look look);

/* Put characters, or one character that is repeated to the right, at a row and column of the
 * screen. The characters must not reach beyond the last column. */
void frame_put_text(struct screen_frame *frame, int row, int column, struct theme_look look,
                    const wchar_t *text, int count);
void frame_put_repeated(struct screen_frame *frame, int row, int column, struct theme_look look,
                        wchar_t character, int count);

/* Ends the frame: draws the rows that have changed into newscr, the screen of curses as the
 * terminal should show it next. Returns how many rows were drawn. frame_clear frees the memory. */
int frame_end(struct screen_frame *frame);
void frame_clear(struct screen_frame *frame);

/*
 * Functions that put texts into a frame, by absolute row and column (0, 0 is top left).
 * Text is UTF-8 and counted in columns. What exceeds the screen or the given width is cut off. In
 * ASCII mode all characters outside ASCII are replaced. A text may change its style: DRAW_MARK and
 * the character '0' + enum style begin a style; DRAW_UNMARK returns to the style that the caller
 * passed. Texts in the model contain no control characters, so no player can write these marks.
 */
#define DRAW_MARK '\x01'
#define DRAW_UNMARK '\x02'
#define DRAW_MARK_BYTES 2 /* number of bytes of DRAW_MARK and the style character after it */

struct area {
    int row, column, height, width;
};

struct canvas {
    struct screen_frame *frame;
    const struct theme *theme;
    struct area body; /* the area that a screen paints: all but the three bottom rows */
};

/* The number of columns that a text takes on the screen; style marks take none. */
int draw_measure_text(const char *text);

/* Appends a text in a style, between style marks. */
void draw_put_styled(struct text *out, enum style style, const char *text);

/* Draws a text in at most `width` columns; a longer text ends in an ellipsis. Returns how many
 * columns were drawn. */
int draw_text(const struct canvas *canvas, int row, int column, int width, enum style style,
              const char *text);

/* Like draw_text, but the text is right-aligned, or centred in `width` columns. */
int draw_text_right_aligned(const struct canvas *canvas, int row, int column, int width,
                            enum style style, const char *text);
int draw_text_centred(const struct canvas *canvas, int row, int column, int width, enum style style,
                      const char *text);

/* Formats the text as printf does (at most 400 bytes), then calls draw_text. */
int draw_formatted_text(const struct canvas *canvas, int row, int column, int width,
                        enum style style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Wraps a text at spaces and draws its rows into the area, without the first `skipped_rows` rows;
 * if that is negative, so many rows below the area's top. Rows after the first are indented by
 * `indent` columns. Returns how many rows the whole text needs at that width. If canvas is NULL,
 * only counts the rows. */
int draw_wrapped_text(const struct canvas *canvas, const struct area *area, enum style style,
                      const char *text, int skipped_rows, int indent);

/* These functions draw a symbol once, or a line to the right. */
void draw_glyph(const struct canvas *canvas, int row, int column, enum style style,
                enum glyph glyph);
void draw_horizontal_line(const struct canvas *canvas, int row, int column, int width);

/* Draws a frame along the area's edge, which has at least two rows and two columns. */
void draw_border(const struct canvas *canvas, const struct area *area, enum style style);

/* Draws a frame in the style of borders along the area's edge. Its top line contains the title (may
 * be NULL), bold if the pane has the keyboard focus. */
void draw_box(const struct canvas *canvas, const struct area *area, const char *title,
              bool is_active);

/* Draws a title into a frame's top line, which begins at `row` and `column`. */
void draw_title(const struct canvas *canvas, int row, int column, int width, const char *title,
                bool is_active);

/* Fills an area with blanks in a style, as for a selected row before its text is drawn. */
void draw_filled_area(const struct canvas *canvas, const struct area *area, enum style style);

/* Draws the first row of a screen: a title at the left, and further information at the right. */
void draw_header(const struct canvas *canvas, const char *left_text, const char *right_text);

/*
 * A terminal driven by curses without a tty. The output of curses goes to memory; it reads nothing
 * (key_parser.c makes keys of what is typed). The terminal is never queried. A process can have
 * only one display, because curses has global state. Needs an RLIMIT_FSIZE of at least 1 MiB.
 */
struct display {
    char name[64];    /* of the terminal description in use */
    bool is_fallback; /* it is not the requested one */
    bool has_colour;  /* at least 8 colours */
    int rows;
    int columns; /* that may be drawn: all, but without the last one on a terminal whose cursor may
                    be on the next line after the last column */

    /* The members below are private. */
    bool has_titles;
    FILE *file; /* the memory file to which curses writes */
    struct screen_frame frame;
    bool marks_pastes;    /* the terminal was told to mark what is pasted */
    struct bytes opening; /* what curses wrote when a prepared display was started */
    void *screen;         /* a SCREEN of curses */
    /* the bytes that move the cursor to the first column, sent instead of a carriage return; "":
     * the carriage return itself is sent */
    char first_column[32];
    char *copy; /* a copy of the output of curses that the caller has not received yet */
    size_t copy_cap;
};

/* The smallest size on which every screen fits. */
#define DISPLAY_COLUMNS_MIN 60
#define DISPLAY_ROWS_MIN 18

/* Starts a display with the terminal description `term` from terminfo. If that one does not work,
 * tries xterm-256color, then vt100. NULL if none works. */
struct display *display_new(const char *term, int columns, int rows);

/* For a process that forks many children, each of which may start a display: does the slow part of
 * the start once, for the terminal that most clients have. The descriptor that curses uses gets
 * a number of at least `lowest`, which must be free in the children. NULL if it fails. */
struct display *display_prepare(int lowest);

/* In a child that has closed the descriptor of the prepared display: opens a new one with the same
 * number, which it shares with no other process. Returns false with errno. */
bool display_reopen_file(struct display *display) MUST_CHECK;

/* Starts a display as display_new does. Takes over the prepared one, which may be NULL: uses it if
 * it is for this terminal, and frees it otherwise. */
struct display *display_start(struct display *prepared, const char *term, int columns, int rows);

/* From now on, never sends a carriage return without a newline if the terminal has another way to
 * its first column. Telnet sends a lone carriage return as CR NUL (RFC 854), and some clients lose
 * what follows. */
void display_avoid_carriage_returns(struct display *display);

/* Frees the display without restoring the terminal (see display_restore_terminal). */
void display_free(struct display *display);

/* Sets the terminal's size. The next frame is sent whole, even if the size is the same. */
void display_resize(struct display *display, int columns, int rows);

/* Begins a frame, which is blank in the theme's plain style, and returns it for a canvas (draw.h).
 */
struct screen_frame *display_begin_frame(struct display *display, const struct theme *theme);

/* Makes the next frame be sent whole, not only what changed since the last frame (after a resize or
 * Ctrl-L). */
void display_force_redraw(struct display *display);

/* Ends a frame, places the cursor at cursor_row and cursor_column, and appends the frame's bytes to
 * `out`. Returns false if `out` has no room: the next frame is then sent whole. */
bool display_end_frame(struct display *display, int cursor_row, int cursor_column,
                       struct bytes *out) MUST_CHECK;

/* Sets the title of the terminal's window, without control characters. Does nothing if the terminal
 * has no title. */
void display_set_title(struct display *display, const char *title, struct bytes *out);

/* Appends the bytes that restore the terminal. */
void display_restore_terminal(struct display *display, struct bytes *out);

/* A key or a mouse event. */
enum press_kind {
    PRESS_CHAR,   /* a typed character, in `code`; Ctrl-A is code 1 */
    PRESS_PASTED, /* a pasted character, in `code`; never a control character */
    PRESS_ENTER,
    PRESS_ESCAPE,
    PRESS_TAB,
    PRESS_BACKTAB,
    PRESS_BACKSPACE,
    PRESS_DELETE,
    PRESS_UP,
    PRESS_DOWN,
    PRESS_LEFT,
    PRESS_RIGHT,
    PRESS_HOME,
    PRESS_END,
    PRESS_PAGE_UP,
    PRESS_PAGE_DOWN,
    PRESS_CLICK, /* a mouse click at `row`, `column` of the whole screen */
    PRESS_WHEEL_UP,
    PRESS_WHEEL_DOWN,
};

#define PRESS_CTRL(letter) ((letter) - 'A' + 1) /* the code of PRESS_CHAR with Ctrl */

struct press {
    enum press_kind kind;
    uint32_t code;       /* the Unicode character of PRESS_CHAR and PRESS_PASTED */
    int row, column;     /* where on the screen the mouse was clicked or its wheel turned */
    bool is_after_break; /* a line break comes before the pasted character */
};

/*
 * Makes keys of the bytes that a terminal sends: text in UTF-8, and control sequences (ECMA-48, and
 * what xterm, PuTTY, rxvt, the Linux console and kitty send beyond it). It does not depend on the
 * terminal's description, because many terminals send other keys than their description says, and
 * answers to questions that an earlier program has asked. A sequence without a meaning here is
 * dropped whole, however its bytes are spread over packets: its letters are never keys.
 *
 *     TEXT ──ESC──▶ ESCAPE ──[──▶ CSI ──(last byte)──▶ TEXT
 *      ▲              │ │ └──O──▶ SS3 ──(last byte)──▶ TEXT
 *      │              │ └─P X ] ^ _──▶ STRING ──(BEL, ESC \)──▶ TEXT
 *      └──(Alt + key)─┘
 *
 * Bytes between the marks of a paste are pasted characters (PRESS_PASTED), never keys.
 */
#define KEY_PARSER_PASTE_BEGIN "\033[200~"
#define KEY_PARSER_PASTE_END "\033[201~"
#define KEY_PARSER_BYTES_MAX 32

/* How long the parser waits for the next byte, in ms. */
#define KEY_PARSER_ESCAPE_MS 50  /* after an Esc, which may be a key of its own */
#define KEY_PARSER_REST_MS 1000  /* inside a sequence, whose rest is then dropped */
#define KEY_PARSER_PASTE_MS 5000 /* inside a paste, which has then lost its end */

/* Zero at first. The members are private. */
struct key_parser {
    uint8_t state;
    uint8_t
        escapes; /* number of Esc bytes before the sequence, 2: with the Alt key; 0: in a string */
    uint8_t len;
    char bytes[KEY_PARSER_BYTES_MAX]; /* the unfinished character or sequence; NUL-terminated */
    bool was_cr;
    bool is_pasting;
    bool is_after_break; /* the paste has had a line break since its last character */
    int64_t last_ms;     /* when the last byte came */
};

/* Takes a byte that came at the time now_ms. Returns true if it completes a key, which is then in
 * *press. CR LF is one Enter. */
bool key_parser_take(struct key_parser *parser, uint8_t byte, int64_t now_ms, struct press *press);

/* Returns the time until which the parser waits for the next byte; INT64_MAX: it does not wait. */
int64_t key_parser_due_ms(const struct key_parser *parser);

/* Ends the wait if no byte came until now_ms. Returns true if a lone Esc is now a key. Call it
 * until it returns false, and only when no byte is known to be on its way. */
bool key_parser_expire(struct key_parser *parser, int64_t now_ms, struct press *press);

/*
 * Output for plain mode: one fact or event per line, in whole words. The text is the same for every
 * terminal; lines_write adapts it to a terminal.
 */
#define LINES_LINE_MAX 2048 /* maximum length of a line in bytes; a longer line is truncated */
#define LINES_INDENT 2

struct lines {
    struct bytes text; /* UTF-8, each line ended by '\n'; no other control character */
    bool is_cut;       /* some lines were lost because there was no room */
};

/* Starts with no lines; lines_clear frees the text. max_bytes limits the length of all lines
 * together. */
void lines_init(struct lines *lines, size_t max_bytes);
void lines_clear(struct lines *lines);

/* Adds a line and removes style marks (draw.h) from it. */
void lines_put(struct lines *lines, const char *text);
void lines_format(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How lines are written to a terminal. */
struct lines_look {
    int width;     /* number of columns at which lines are wrapped at blanks; 0: never wrapped. The
                      rows after the first are indented by LINES_INDENT columns, so that no text of
                      a person looks like a line of the house */
    bool is_ascii; /* texts that people wrote are converted to ASCII too; symbols in the house's own
                      texts are always converted */
    const char *end; /* the end of each line, such as "\r\n" */
};

/* Appends all lines to `out`, in the form that `look` describes. False if some did not fit. */
bool lines_write(const struct lines *lines, const struct lines_look *look,
                 struct bytes *out) MUST_CHECK;

/* A scrolling list with a selected row. The caller draws `visible` rows, beginning with row
 * `top`. */
struct list {
    int selected; /* index of the selected row */
    int top;      /* index of the first row shown */
    int count;
    int visible; /* number of rows that were shown at the last draw */
};

/* Sets the list's size before it is drawn, and scrolls so that the selected row is visible. */
void list_set_size(struct list *list, int row_count, int visible_rows);

/* Returns by how many rows the key moves the selection; 0 if it does not. */
int list_find_step(const struct list *list, const struct press *press);

/* Moves the selection if the key is an arrow up or down, Page Up or Down, Home, End, j, k or the
 * mouse wheel. True if the key was one of these. */
bool list_handle_key(struct list *list, const struct press *press);

/* Returns the index of the row that is shown `offset` rows below the list's top; -1 if there is
 * none. */
int list_row_at_offset(const struct list *list, int offset);

/*
 * Reads a text with style marks (draw.h) character by character, and finds replacements for
 * characters outside ASCII.
 */
struct styled_char {
    size_t len; /* bytes of this character; 0 at the end of the text */
    wchar_t character;
    int columns;
    bool is_mark;
    enum style style; /* the style that a mark begins; STYLE_COUNT: the mark ends all styles */
};

/* Reads the first character or style mark of a text. */
struct styled_char styled_text_read_char(const char *text);

/* The ASCII replacement of any character: its base letter, or '?'. */
wchar_t styled_text_character_to_ascii(wchar_t character);

/* The same as a lower-case letter, for texts that are compared. */
wchar_t styled_text_character_to_lower_ascii(wchar_t character);

/* Counts the bytes of a text that fit into a row of `width` columns, which ends at a space if there
 * is one. *skip becomes the number of bytes to leave out before the next row. */
size_t styled_text_count_fitting_bytes(const char *text, int width, size_t *skip);

/* Appends formatted text as printf does, and returns all of `out`. A text that does not fit is
 * cut. */
const char *text_format(struct text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends formatted text as one more item of a list: after ", " unless the text is empty. */
void text_format_list_item(struct text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a list of names or numbers as people write it: "ada, bob and eve". */
void text_put_list(struct text *out, const char *const *items, size_t count);
