#include "daemon/screens/drawing/draw.h"

#include "daemon/base/base.h"
#include "games/card.h"
#include "games/text.h"

#include <curses.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <term.h>
#include <unistd.h>

#undef columns /* term.h defines this macro; our variables have the same name */

#define TITLE_MAX 120
#define PASTE_MARKS_ON "\033[?2004h"
#define PASTE_MARKS_OFF "\033[?2004l"
#define OPENING_MAX 1024

/* the terminal for which a display is prepared: the description that most clients ask for */
#define PREPARED_TERM "xterm-256color"
#define PREPARED_COLUMNS 80
#define PREPARED_ROWS 24

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
static void define_colour_pairs(void)
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

static bool supports_window_title(const char *term)
{
    static const char *const families[] = {"xterm", "tmux",    "rxvt",  "alacritty", "foot",
                                           "kitty", "konsole", "vte",   "gnome",     "st-",
                                           "putty", "wezterm", "mintty"};
    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        if (strncmp(term, families[i], strlen(families[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* The signals for which curses would install handlers. The session handles them instead. */
static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};

static void set_size_for_curses(int columns, int rows)
{
    char number[16];
    snprintf(number, sizeof number, "%d", columns);
    setenv("COLUMNS", number, 1);
    snprintf(number, sizeof number, "%d", rows);
    setenv("LINES", number, 1);
}

/* True if this terminal description exists and can place the cursor. Checked before newterm, which
 * leaks memory when it fails. */
static bool is_usable_terminal(const struct display *display, const char *term)
{
    int result;
    if (setupterm(term, fileno(display->file), &result) != OK) {
        return false;
    }
    bool is_placing = cursor_address != NULL;
    del_curterm(cur_term);
    return is_placing;
}

static bool start_curses(struct display *display, const char *term)
{
    struct sigaction kept[ARRAY_LEN(signals)];
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        sigaction(signals[i], NULL, &kept[i]);
    }
    /* Curses reads nothing: draw.h makes the keys. So it never switches the keypad to its
     * application mode, in which PuTTY's keypad sends no digits. */
    display->screen = newterm(term, display->file, display->file);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        sigaction(signals[i], &kept[i], NULL);
    }
    snprintf(display->name, sizeof display->name, "%s", term);
    return display->screen != NULL;
}

static void set_size(struct display *display, int columns, int rows)
{
    if (columns != COLS || rows != LINES) {
        resizeterm(rows, columns);
    }
    /* After a line's last column, curses believes such a description (as that of "ansi") that the
     * cursor is on the next line; many terminals, however, wrap only before the next character. */
    bool spares_last_column = auto_right_margin && !eat_newline_glitch && COLS > 1;
    display->rows = LINES;
    display->columns = spares_last_column ? COLS - 1 : COLS;
}

static void configure_screen(struct display *display)
{
    nonl();
    typeahead(-1); /* a frame is always drawn to its end, whatever is typed meanwhile */
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    /* Frames are drawn into newscr: stdscr would be one more copy of all cells (28 bytes each),
     * which curses would then compare with newscr. */
    wresize(stdscr, 1, 1);
    leaveok(newscr, FALSE);
    if (has_colors()) {
        start_color();
        use_default_colors();
        define_colour_pairs();
    }
    display->has_colour = has_colors() && COLORS >= 8 && COLOR_PAIRS >= 64;
    display->has_titles = supports_window_title(display->name);
    set_size(display, COLS, LINES);
}

/* Appends the first `len` bytes of the copy of curses' output. Appends nothing if `out` has no room
 * for them. */
static bool append_copied_output(const struct display *display, size_t len, struct bytes *out)
{
    size_t before = out->len;
    const char *at = display->copy;
    const char *end = at + len;
    const char *sequence = display->first_column;
    while (sequence[0] != '\0') {
        const char *stop = memchr(at, '\r', (size_t)(end - at));
        if (stop == NULL) {
            break;
        }
        if (!bytes_add(out, at, (size_t)(stop - at)) ||
            !bytes_add(out, sequence, strlen(sequence))) {
            out->len = before;
            return false;
        }
        at = stop + 1;
    }
    if (!bytes_add(out, at, (size_t)(end - at))) {
        out->len = before;
        return false;
    }
    return true;
}

/* Moves the output of curses from the memory file to `out`. The file is overwritten, never
 * truncated: the file position says where curses stopped writing. */
static bool collect_curses_output(struct display *display, struct bytes *out)
{
    int fd = fileno(display->file);
    off_t end = lseek(fd, 0, SEEK_CUR);
    if (end <= 0) {
        return end == 0;
    }
    size_t len = (size_t)end;
    if (len > display->copy_cap) {
        display->copy = must_not_be_null(realloc(display->copy, len));
        display->copy_cap = len;
    }
    lseek(fd, 0, SEEK_SET);
    bool is_read = read(fd, display->copy, len) == end; /* a file in memory is read in one go */
    lseek(fd, 0, SEEK_SET);
    return is_read && append_copied_output(display, len, out);
}

static int make_memory_file(void)
{
    return memfd_create("screen", MFD_CLOEXEC);
}

/* Opens the file to which curses writes. Its descriptor gets a number of at least `lowest`. */
static FILE *open_memory_file(int lowest)
{
    int fd = make_memory_file();
    int moved = fd < 0 || fd >= lowest ? fd : fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (moved != fd) {
        close(fd);
    }
    FILE *file = moved < 0 ? NULL : fdopen(moved, "w");
    if (file == NULL) {
        fd_close(moved);
    }
    return file;
}

/* Starts a display. The descriptor that curses uses gets a number of at least `lowest`. */
static struct display *start_display(const char *term, int columns, int rows, int lowest)
{
    struct display *display = must_allocate(sizeof *display);
    bytes_init(&display->opening, OPENING_MAX);
    display->file = open_memory_file(lowest);
    if (display->file == NULL) {
        display_free(display);
        return NULL;
    }
    setlocale(LC_CTYPE, "C.UTF-8");
    set_size_for_curses(columns, rows);
    use_env(TRUE);
    use_tioctl(FALSE);
    const char *const tries[] = {term, "xterm-256color", "vt100"};
    bool is_started = false;
    for (size_t i = 0; i < ARRAY_LEN(tries) && !is_started; i++) {
        bool is_named = tries[i] != NULL && tries[i][0] != '\0';
        display->is_fallback = i > 0;
        is_started =
            is_named && is_usable_terminal(display, tries[i]) && start_curses(display, tries[i]);
    }
    if (!is_started) {
        display_free(display);
        return NULL;
    }
    configure_screen(display);
    return display;
}

struct display *display_new(const char *term, int columns, int rows)
{
    return start_display(term, columns, rows, 0);
}

struct display *display_prepare(int lowest)
{
    struct display *display = start_display(PREPARED_TERM, PREPARED_COLUMNS, PREPARED_ROWS, lowest);
    if (display != NULL && !collect_curses_output(display, &display->opening)) {
        display_free(display);
        return NULL;
    }
    return display;
}

bool display_reopen_file(struct display *display)
{
    int number = fileno(display->file), fd = make_memory_file();
    if (fd == number) {
        return true;
    }
    bool is_done = fd >= 0 && dup3(fd, number, O_CLOEXEC) == number;
    fd_close(fd);
    return is_done;
}

/* Writes again what curses wrote when the display was prepared. */
static bool repeat_opening(struct display *display)
{
    const struct bytes *opening = &display->opening;
    return write(fileno(display->file), opening->at, opening->len) == (ssize_t)opening->len;
}

struct display *display_start(struct display *prepared, const char *term, int columns, int rows)
{
    if (prepared == NULL || strcmp(prepared->name, term) != 0 || !repeat_opening(prepared)) {
        display_free(prepared);
        return display_new(term, columns, rows);
    }
    set_size(prepared, columns, rows);
    return prepared;
}

void display_avoid_carriage_returns(struct display *display)
{
    const char *sequence = column_address == NULL ? NULL : tiparm(column_address, 0);
    if (sequence != NULL && strlen(sequence) < sizeof display->first_column) {
        snprintf(display->first_column, sizeof display->first_column, "%s", sequence);
    }
}

void display_free(struct display *display)
{
    if (display == NULL) {
        return;
    }
    if (display->screen != NULL) {
        endwin();
        delscreen(display->screen);
    }
    if (display->file != NULL) {
        fclose(display->file);
    }
    frame_clear(&display->frame);
    bytes_clear(&display->opening);
    free(display->copy);
    free(display);
}

void display_resize(struct display *display, int columns, int rows)
{
    set_size(display, columns, rows);
    /* A terminal that reports the same size as before may have been smaller in between and lost
     * content. */
    display_force_redraw(display);
}

struct screen_frame *display_begin_frame(struct display *display, const struct theme *theme)
{
    /* The background fills the screen to its edges: the high contrast theme is black everywhere. */
    frame_begin(&display->frame, LINES, COLS, theme_get_look(theme, STYLE_PLAIN));
    return &display->frame;
}

void display_force_redraw(UNUSED struct display *display)
{
    clearok(curscr, TRUE);
}

bool display_end_frame(struct display *display, int cursor_row, int cursor_column,
                       struct bytes *out)
{
    (void)frame_end(&display->frame);
    wmove(newscr, cursor_row < LINES ? cursor_row : LINES - 1,
          cursor_column < COLS ? cursor_column : COLS - 1);
    doupdate();
    if (collect_curses_output(display, out)) {
        display->marks_pastes =
            display->marks_pastes || bytes_add(out, PASTE_MARKS_ON, strlen(PASTE_MARKS_ON));
        return true;
    }
    display_force_redraw(display);
    return false;
}

/* Appends the bytes, or drops them if there is no room: a lost title or bell does no harm. */
static void append_if_room(struct bytes *out, const char *text, size_t len)
{
    if (!bytes_add(out, text, len)) {
        return;
    }
}

void display_set_title(struct display *display, const char *title, struct bytes *out)
{
    if (!display->has_titles) {
        return;
    }
    struct text text = TEXT_OF(TITLE_MAX + 8);
    text_put(&text, "\033]2;");
    for (const char *at = title; *at != '\0' && text.len < TITLE_MAX; at++) {
        if (*at >= ' ' && *at < 0x7F) {
            text_put_char(&text, *at);
        }
    }
    text_put_char(&text, '\a');
    append_if_room(out, text.at, text.len);
}

void display_restore_terminal(struct display *display, struct bytes *out)
{
    if (display->marks_pastes) {
        append_if_room(out, PASTE_MARKS_OFF, strlen(PASTE_MARKS_OFF));
        display->marks_pastes = false;
    }
    /* This terminal does not restore its earlier content, so the last line is cleared for our
     * goodbye. */
    if (exit_ca_mode == NULL) {
        wmove(newscr, LINES - 1, 0);
        wclrtoeol(newscr);
        doupdate();
    }
    endwin();
    /* If `out` has no room, the terminal is not restored; the connection is closing anyway. */
    if (!collect_curses_output(display, out)) {
        return;
    }
}
