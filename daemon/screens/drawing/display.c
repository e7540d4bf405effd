#include "daemon/screens/drawing/draw.h"

#include "daemon/base/base.h"
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
        theme_define_colour_pairs();
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
