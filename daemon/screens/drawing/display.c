#include "daemon/screens/drawing/display.h"

#include "daemon/screens/drawing/display_files.h"
#include "daemon/screens/drawing/frame.h"
#include "games/text.h"

#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <term.h>
#include <unistd.h>

#undef columns /* term.h defines this macro; our variables have the same name */

#define NAME_MAX_TERM 64
#define TITLE_MAX 120
#define SEQUENCE_MAX 32
#define OPENING_MAX 1024

/* the terminal for which a display is prepared: the description that most clients ask for */
#define PREPARED_TERM "xterm-256color"
#define PREPARED_COLUMNS 80
#define PREPARED_ROWS 24

struct display {
    char name[NAME_MAX_TERM];
    bool is_fallback;
    bool has_titles;
    bool spares_last_column; /* nothing is drawn in the last column */
    struct display_files files;
    struct frame *frame;
    struct bytes opening; /* what curses wrote when a prepared display was started */
    SCREEN *screen;
    WINDOW *keyboard; /* keys are read through this pad: reading them through a window would draw it
                         first */
    /* the bytes that move the cursor to the first column, sent instead of a carriage return; "":
     * the carriage return itself is sent */
    char first_column[SEQUENCE_MAX];
    char *copy; /* a copy of the output of curses that the caller has not received yet */
    size_t copy_cap;
};

/* Terminals send cursor keys in one of two modes. Both are understood, whatever the terminal's
 * description says. */
static const struct {
    const char *bytes;
    int key;
} sequences[] = {
    {"\033[A", KEY_UP},     {"\033OA", KEY_UP},     {"\033[B", KEY_DOWN}, {"\033OB", KEY_DOWN},
    {"\033[C", KEY_RIGHT},  {"\033OC", KEY_RIGHT},  {"\033[D", KEY_LEFT}, {"\033OD", KEY_LEFT},
    {"\033[H", KEY_HOME},   {"\033OH", KEY_HOME},   {"\033[F", KEY_END},  {"\033OF", KEY_END},
    {"\033[1~", KEY_HOME},  {"\033[7~", KEY_HOME},  {"\033[4~", KEY_END}, {"\033[8~", KEY_END},
    {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE}, {"\033[3~", KEY_DC},  {"\033[Z", KEY_BTAB},
    {"\033OM", KEY_ENTER},
};

/* The keys that curses recognises, and what they mean here. */
static const struct {
    int key;
    enum press_kind kind;
} keys[] = {
    {KEY_UP, PRESS_UP},         {KEY_DOWN, PRESS_DOWN},       {KEY_LEFT, PRESS_LEFT},
    {KEY_RIGHT, PRESS_RIGHT},   {KEY_HOME, PRESS_HOME},       {KEY_END, PRESS_END},
    {KEY_PPAGE, PRESS_PAGE_UP}, {KEY_NPAGE, PRESS_PAGE_DOWN}, {KEY_BACKSPACE, PRESS_BACKSPACE},
    {KEY_DC, PRESS_DELETE},     {KEY_BTAB, PRESS_BACKTAB},    {KEY_ENTER, PRESS_ENTER},
};

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
    if (setupterm(term, fileno(display->files.out), &result) != OK) {
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
    display->screen = newterm(term, display->files.out, display->files.in);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        sigaction(signals[i], &kept[i], NULL);
    }
    snprintf(display->name, sizeof display->name, "%s", term);
    return display->screen != NULL;
}

/* Sets up how keys are read. */
static void configure_keyboard(struct display *display)
{
    raw();
    noecho();
    nonl();
    typeahead(-1); /* a frame is always drawn to its end, whatever is typed meanwhile */
    nodelay(display->keyboard, TRUE);
    keypad(display->keyboard, TRUE);
    set_escdelay(25);
    for (size_t i = 0; i < ARRAY_LEN(sequences); i++) {
        define_key(sequences[i].bytes, sequences[i].key);
    }
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

static void configure_screen(struct display *display)
{
    /* Frames are drawn into newscr: stdscr would be one more copy of all cells (28 bytes each),
     * which curses would then compare with newscr. */
    wresize(stdscr, 1, 1);
    leaveok(newscr, FALSE);
    if (has_colors()) {
        start_color();
        use_default_colors();
        theme_define_colour_pairs();
    }
    display->has_titles = supports_window_title(display->name);
    /* After a line's last column, curses believes such a description (as that of "ansi") that the
     * cursor is on the next line; many terminals, however, wrap only before the next character. */
    display->spares_last_column = auto_right_margin && !eat_newline_glitch;
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
    int fd = fileno(display->files.out);
    off_t end = lseek(fd, 0, SEEK_CUR);
    if (end <= 0) {
        return end == 0;
    }
    size_t len = (size_t)end;
    if (len > display->copy_cap) {
        char *grown = realloc(display->copy, len);
        if (grown == NULL) {
            lseek(fd, 0, SEEK_SET);
            return false;
        }
        display->copy = grown;
        display->copy_cap = len;
    }
    size_t got = 0;
    lseek(fd, 0, SEEK_SET);
    while (got < len) {
        ssize_t part = read(fd, display->copy + got, len - got);
        if (part <= 0) {
            break;
        }
        got += (size_t)part;
    }
    lseek(fd, 0, SEEK_SET);
    return got == len && append_copied_output(display, len, out);
}

/* Starts a display. The descriptors that curses uses get numbers of at least `lowest`. */
static struct display *start_display(const char *term, int columns, int rows, int lowest)
{
    struct display *display = calloc(1, sizeof *display);
    if (display == NULL) {
        return NULL;
    }
    bytes_init(&display->opening, OPENING_MAX);
    display->frame = frame_new();
    if (!display_files_open(&display->files, lowest)) {
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
    display->keyboard = newpad(1, 1);
    if (display->keyboard == NULL) {
        display_free(display);
        return NULL;
    }
    configure_keyboard(display);
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

bool display_reopen_files(struct display *display)
{
    return display_files_reopen(&display->files);
}

/* Writes again what curses wrote when the display was prepared. */
static bool repeat_opening(struct display *display)
{
    const struct bytes *opening = &display->opening;
    return write(fileno(display->files.out), opening->at, opening->len) == (ssize_t)opening->len;
}

struct display *display_start(struct display *prepared, const char *term, int columns, int rows)
{
    if (prepared == NULL || strcmp(prepared->name, term) != 0 || !repeat_opening(prepared)) {
        display_free(prepared);
        return display_new(term, columns, rows);
    }
    if (columns != COLS || rows != LINES) {
        resizeterm(rows, columns);
    }
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
    display_files_close(&display->files);
    frame_free(display->frame);
    bytes_clear(&display->opening);
    free(display->copy);
    free(display);
}

const char *display_terminal_name(const struct display *display)
{
    return display->name;
}

bool display_uses_fallback_terminal(const struct display *display)
{
    return display->is_fallback;
}

bool display_has_colour(const struct display *display)
{
    return display->screen != NULL && has_colors() && COLORS >= 8 && COLOR_PAIRS >= 64;
}

void display_resize(struct display *display, int columns, int rows)
{
    if (columns != COLS || rows != LINES) {
        resizeterm(rows, columns);
    }
    /* A terminal that reports the same size as before may have been smaller in between and lost
     * content. */
    display_force_redraw(display);
}

int display_columns(const struct display *display)
{
    if (display->screen == NULL) {
        return 0;
    }
    return display->spares_last_column && COLS > 1 ? COLS - 1 : COLS;
}

int display_rows(const struct display *display)
{
    return display->screen != NULL ? LINES : 0;
}

size_t display_take_input(struct display *display, const uint8_t *bytes, size_t len)
{
    ssize_t sent = send(display->files.feed, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? (size_t)sent : 0;
}

static bool read_mouse_event(struct press *press)
{
    MEVENT event;
    if (getmouse(&event) != OK) {
        return false;
    }
    press->row = event.y;
    press->column = event.x;
    if ((event.bstate & BUTTON4_PRESSED) != 0) {
        press->kind = PRESS_WHEEL_UP;
    } else if ((event.bstate & BUTTON5_PRESSED) != 0) {
        press->kind = PRESS_WHEEL_DOWN;
    } else {
        press->kind = PRESS_CLICK;
    }
    return true;
}

/* Translates a key that curses recognised. False if the key has no meaning here (F keys,
 * resize). */
static bool translate_special_key(wint_t key, struct press *press)
{
    if (key == KEY_MOUSE) {
        return read_mouse_event(press);
    }
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if ((wint_t)keys[i].key == key) {
            press->kind = keys[i].kind;
            return true;
        }
    }
    return false;
}

static void translate_character(wint_t key, struct press *press)
{
    press->code = (uint32_t)key;
    switch (key) {
    case '\r':
    case '\n':
        press->kind = PRESS_ENTER;
        break;
    case '\t':
        press->kind = PRESS_TAB;
        break;
    case 0x1B:
        press->kind = PRESS_ESCAPE;
        break;
    case 0x08:
    case 0x7F:
        press->kind = PRESS_BACKSPACE;
        break;
    default:
        press->kind = PRESS_CHAR;
        break;
    }
}

/* Discards an unknown escape sequence (a function key, a paste mark), because its letters would be
 * taken for typed keys. True if there was one. */
static bool discard_escape_sequence(const struct display *display)
{
    wint_t next;
    int kind = wget_wch(display->keyboard, &next);
    if (kind != OK || (next != '[' && next != 'O')) {
        if (kind == OK) {
            unget_wch((wchar_t)next);
        } else if (kind == KEY_CODE_YES) {
            ungetch((int)next);
        }
        return false;
    }
    for (int i = 0; i < SEQUENCE_MAX && wget_wch(display->keyboard, &next) == OK; i++) {
        if (next >= 0x40 && next <= 0x7E) {
            break;
        }
    }
    return true;
}

/* The result of reading one key from curses. */
enum reading {
    READ_NOTHING,
    READ_KEY,
    READ_UNWANTED, /* curses read a key that has no meaning here: the next key is read */
};

static enum reading read_key(const struct display *display, struct press *press)
{
    wint_t key;
    int kind = wget_wch(display->keyboard, &key);
    *press = (struct press){0};
    if (kind == KEY_CODE_YES) {
        return translate_special_key(key, press) ? READ_KEY : READ_UNWANTED;
    }
    if (kind != OK) {
        return READ_NOTHING;
    }
    if (key == 0x1B && discard_escape_sequence(display)) {
        return READ_UNWANTED;
    }
    translate_character(key, press);
    return READ_KEY;
}

bool display_read_key(struct display *display, struct press *press)
{
    enum reading reading = READ_NOTHING;
    if (display->screen == NULL) {
        return false;
    }
    do {
        reading = read_key(display, press);
    } while (reading == READ_UNWANTED);
    return reading == READ_KEY;
}

struct frame *display_begin_frame(struct display *display, const struct theme *theme)
{
    /* The background fills the screen to its edges: the high contrast theme is black everywhere. */
    frame_begin(display->frame, LINES, COLS, theme_get_look(theme, STYLE_PLAIN));
    return display->frame;
}

void display_force_redraw(struct display *display)
{
    if (display->screen != NULL) {
        clearok(curscr, TRUE);
    }
}

bool display_end_frame(struct display *display, int cursor_row, int cursor_column,
                       struct bytes *out)
{
    (void)frame_end(display->frame);
    wmove(newscr, cursor_row < LINES ? cursor_row : LINES - 1,
          cursor_column < COLS ? cursor_column : COLS - 1);
    doupdate();
    if (collect_curses_output(display, out)) {
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

void display_ring_bell(struct bytes *out)
{
    append_if_room(out, "\a", 1);
}

void display_restore_terminal(struct display *display, struct bytes *out)
{
    if (display->screen == NULL) {
        return;
    }
    display_set_title(display, "", out);
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
