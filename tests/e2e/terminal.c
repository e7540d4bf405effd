#include "tests/e2e/terminal.h"

#include "tests/unit.h"
#include "tests/vterm_title.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#define STILL_MS 500

/* How long a person waits after these keys, in ms: the house would take an Esc and the next key for
 * Alt with that key, and lines that come at once for a paste. */
#define AFTER_ESCAPE_MS 300
#define AFTER_ENTER_MS 50
#define ANSWER_MS 3000 /* so long a person waits at most for the screen to answer Enter or Esc */

struct terminal {
    struct terminal *next; /* in the list of those that are open */
    pid_t pid;
    int pty;
    int columns, rows;
    VTerm *vterm;
    VTermScreen *screen;
    bool is_cursor_shown;
    long pause_ms; /* until then, the person waits after the last key */
    char *before;  /* the text when Enter or Esc was typed last; NULL after other keys */
    char title[256];
    char
        cell[4 * VTERM_MAX_CHARS_PER_CELL + 1]; /* the text that terminal_read_cell returned last */
    char *text;                                 /* the text that terminal_read_text returned last */
};

static struct terminal *first_open;

static int store_property(VTermProp property, VTermValue *value, void *user)
{
    struct terminal *terminal = user;
    if (property == VTERM_PROP_TITLE) {
        vterm_title_store(terminal->title, sizeof(terminal->title), value);
    } else if (property == VTERM_PROP_CURSORVISIBLE) {
        terminal->is_cursor_shown = value->boolean != 0;
    }
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = store_property};

long terminal_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

ssize_t terminal_read_before(int fd, char *to, size_t size, long deadline)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    long left = deadline - terminal_now_ms();
    if (left <= 0 || poll(&wait, 1, (int)left) <= 0) {
        return -1;
    }
    ssize_t got = read(fd, to, size);
    return got < 0 ? 0 : got; /* a reset connection counts as ended */
}

struct terminal *terminal_open(const char *const *argv, const char *term, int columns, int rows)
{
    struct terminal *terminal = calloc(1, sizeof(*terminal));
    assert_non_null(terminal);
    terminal->next = first_open;
    first_open = terminal;
    terminal->columns = columns;
    terminal->rows = rows;
    terminal->vterm = vterm_new(rows, columns);
    vterm_set_utf8(terminal->vterm, 1);
    terminal->screen = vterm_obtain_screen(terminal->vterm);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_reset(terminal->screen, 1);

    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    terminal->pid = forkpty(&terminal->pty, NULL, NULL, &size);
    assert_true(terminal->pid >= 0);
    if (terminal->pid == 0) {
        setenv("TERM", term, 1);
        union {
            const char *const *in;
            char *const *out;
        } words = {
            .in = argv}; /* execvp's parameter is not const, but execvp does not change the words */
        execvp(argv[0], words.out);
        _exit(127);
    }
    fcntl(terminal->pty, F_SETFD, FD_CLOEXEC);
    fcntl(terminal->pty, F_SETFL, O_NONBLOCK);
    return terminal;
}

void terminal_free(struct terminal *terminal)
{
    if (terminal == NULL) {
        return;
    }
    struct terminal **at = &first_open;
    while (*at != terminal) {
        at = &(*at)->next;
    }
    *at = terminal->next;
    if (terminal->pty >= 0) {
        close(terminal->pty);
    }
    if (terminal->pid > 0) {
        kill(terminal->pid, SIGHUP);
        waitpid(terminal->pid, NULL, 0);
    }
    vterm_free(terminal->vterm);
    free(terminal->text);
    free(terminal->before);
    free(terminal);
}

/* Waits as a person does after Enter and Esc, who looks at what comes of them. A slow session would
 * read the next key together with them: as another key, or as pasted text. */
static void wait_after_last_key(struct terminal *terminal)
{
    long now_ms = terminal_now_ms();
    bool is_open = true;
    while (is_open && (now_ms < terminal->pause_ms ||
                       (now_ms < terminal->pause_ms + ANSWER_MS && terminal->before != NULL &&
                        strcmp(terminal_read_text(terminal), terminal->before) == 0))) {
        is_open = terminal_read(terminal, 10);
        now_ms = terminal_now_ms();
    }
    free(terminal->before);
    terminal->before = NULL;
}

void terminal_type(struct terminal *terminal, const char *keys)
{
    size_t len = strlen(keys);
    wait_after_last_key(terminal);
    char last = len > 0 ? keys[len - 1] : '\0';
    int pause_ms = last == '\x1b' ? AFTER_ESCAPE_MS : last == '\r' ? AFTER_ENTER_MS : 0;
    terminal->pause_ms = terminal_now_ms() + pause_ms;
    terminal->before = pause_ms > 0 ? strdup(terminal_read_text(terminal)) : NULL;
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (len > 0) {
        ssize_t written = write(terminal->pty, keys, len);
        if (written > 0) {
            keys += written;
            len -= (size_t)written;
            continue;
        }
        assert_true(errno == EAGAIN || errno == EINTR);
        assert_true(terminal_now_ms() < deadline);
        terminal_read(terminal, 10);
    }
}

void terminal_type_line(struct terminal *terminal, const char *line)
{
    terminal_type(terminal, line);
    terminal_type(terminal, "\r");
}

void terminal_resize(struct terminal *terminal, int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    terminal->columns = columns;
    terminal->rows = rows;
    vterm_set_size(terminal->vterm, rows, columns);
    assert_int_equal(ioctl(terminal->pty, TIOCSWINSZ, &size), 0);
}

bool terminal_read(struct terminal *terminal, int timeout_ms)
{
    char bytes[16384];
    struct pollfd wait = {.fd = terminal->pty, .events = POLLIN};
    if (poll(&wait, 1, timeout_ms) <= 0) {
        return true;
    }
    ssize_t len = read(terminal->pty, bytes, sizeof(bytes));
    if (len < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    if (len == 0) {
        return false;
    }
    vterm_input_write(terminal->vterm, bytes, (size_t)len);
    return true;
}

static size_t write_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Writes a cell's characters, a blank as ' '. Returns the end of the text. */
static char *write_cell(const VTermScreenCell *cell, char *at)
{
    bool is_blank = cell->chars[0] == 0 || cell->chars[0] == ' ';
    at += write_utf8(at, is_blank ? ' ' : cell->chars[0]);
    for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && !is_blank && cell->chars[i] != 0; i++) {
        at += write_utf8(at, cell->chars[i]);
    }
    return at;
}

static char *write_row(const struct terminal *terminal, int row, char *at)
{
    char *end = at; /* just after the row's last character that is not blank */
    for (int column = 0; column < terminal->columns;) {
        VTermScreenCell cell;
        VTermPos pos = {.row = row, .col = column};
        vterm_screen_get_cell(terminal->screen, pos, &cell);
        at = write_cell(&cell, at);
        if (at[-1] != ' ') {
            end = at;
        }
        column += cell.width > 0 ? cell.width : 1;
    }
    *end++ = '\n';
    return end;
}

const char *terminal_read_text(struct terminal *terminal)
{
    size_t cell_max = 4 * VTERM_MAX_CHARS_PER_CELL;
    size_t cells = (size_t)terminal->columns * (size_t)terminal->rows;
    free(terminal->text);
    terminal->text = malloc(cells * cell_max + (size_t)terminal->rows + 1);
    assert_non_null(terminal->text);
    char *at = terminal->text;
    for (int row = 0; row < terminal->rows; row++) {
        at = write_row(terminal, row, at);
    }
    *at = '\0';
    return terminal->text;
}

const char *terminal_read_cell(struct terminal *terminal, int row, int column)
{
    VTermScreenCell cell;
    VTermPos pos = {.row = row, .col = column};
    vterm_screen_get_cell(terminal->screen, pos, &cell);
    bool is_half = cell.chars[0] == UINT32_MAX;
    *(is_half ? terminal->cell : write_cell(&cell, terminal->cell)) = '\0';
    return strcmp(terminal->cell, " ") == 0 ? "" : terminal->cell;
}

int terminal_cursor_position(struct terminal *terminal)
{
    VTermPos pos;
    vterm_state_get_cursorpos(vterm_obtain_state(terminal->vterm), &pos);
    return terminal->is_cursor_shown ? pos.row * terminal->columns + pos.col : -1;
}

const char *terminal_title(struct terminal *terminal)
{
    return terminal->title;
}

bool terminal_shows(struct terminal *terminal, const char *words)
{
    return strstr(terminal_read_text(terminal), words) != NULL;
}

void terminal_print(struct terminal *terminal, const char *caption)
{
    printf("---- %s (%d x %d)\n%s----\n", caption, terminal->columns, terminal->rows,
           terminal_read_text(terminal));
    fflush(stdout);
}

void terminal_print_open(void)
{
    for (struct terminal *terminal = first_open; terminal != NULL; terminal = terminal->next) {
        while (terminal_read(terminal, 0)) {
            struct pollfd more = {.fd = terminal->pty, .events = POLLIN};
            if (poll(&more, 1, 0) <= 0) {
                break;
            }
        }
        terminal_print(terminal, "a screen at the end");
    }
}

size_t terminal_expect_any(struct terminal *terminal, const char *const *words)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    bool is_open = true;
    for (;;) {
        for (size_t i = 0; words[i] != NULL; i++) {
            if (terminal_shows(terminal, words[i])) {
                return i;
            }
        }
        if (!is_open || terminal_now_ms() > deadline) {
            terminal_print(terminal, is_open ? "waited in vain" : "the program ended");
            fail_msg("the screen never showed \"%s\"", words[0]);
        }
        is_open = terminal_read(terminal, 50);
    }
}

void terminal_expect(struct terminal *terminal, const char *words)
{
    const char *list[] = {words, NULL};
    terminal_expect_any(terminal, list);
}

void terminal_expect_gone(struct terminal *terminal, const char *words)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (terminal_shows(terminal, words)) {
        if (terminal_now_ms() > deadline) {
            terminal_print(terminal, "waited in vain");
            fail_msg("the screen still shows \"%s\"", words);
        }
        terminal_read(terminal, 50);
    }
}

/* Whether any cell of the area is not blank. */
static bool has_visible_cell(const struct terminal *terminal, VTermRect area)
{
    for (int row = area.start_row; row < area.end_row; row++) {
        for (int column = area.start_col; column < area.end_col; column++) {
            VTermScreenCell cell;
            VTermPos pos = {.row = row, .col = column};
            vterm_screen_get_cell(terminal->screen, pos, &cell);
            if (cell.chars[0] != 0 && cell.chars[0] != ' ') {
                return true;
            }
        }
    }
    return false;
}

void terminal_wait_until_still(struct terminal *terminal)
{
    long begin = terminal_now_ms();
    long still_since = begin;
    char *text = strdup("");
    while (terminal_now_ms() < still_since + STILL_MS) {
        assert_non_null(text);
        assert_in_range(terminal_now_ms() - begin, 0, TERMINAL_DEADLINE_MS);
        terminal_read(terminal, 20);
        if (strcmp(terminal_read_text(terminal), text) != 0) {
            free(text);
            text = strdup(terminal_read_text(terminal));
            still_since = terminal_now_ms();
        }
    }
    free(text);
}

void terminal_expect_full_screen(struct terminal *terminal)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    int rows = terminal->rows;
    int columns = terminal->columns;
    VTermRect last_row = {.start_row = rows - 1, .end_row = rows, .end_col = columns};
    VTermRect last_column = {.end_row = rows, .start_col = columns - 1, .end_col = columns};
    while (!has_visible_cell(terminal, last_row) || !has_visible_cell(terminal, last_column)) {
        if (terminal_now_ms() > deadline) {
            terminal_print(terminal, "waited in vain");
            fail_msg("the screen never filled %d columns and %d rows", columns, rows);
        }
        terminal_read(terminal, 50);
    }
}

int terminal_wait_for_end(struct terminal *terminal)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (terminal_read(terminal, 50)) {
        if (terminal_now_ms() > deadline) {
            terminal_print(terminal, "waited in vain");
            fail_msg("the program never ended");
        }
    }
    int status = 0;
    assert_int_equal(waitpid(terminal->pid, &status, 0), terminal->pid);
    terminal->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
