#include "daemon/screens/drawing/draw.h"
#include "games/macros.h"
#include "tests/unit.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Curses needs 28 bytes for each cell of a screen, and two screens: what the terminal shows, and
 * what it should show next. */
#define CELLS_KIB (2 * 80 * 24 * 28 / 1024)
#define REST_KIB 70 /* the terminal's description, the keys, the colours */

/* descriptors from this number on belong to the display */
#define LOWEST 20

static const struct theme theme = {.has_colour = true};

static void a_display_takes_the_memory_of_two_screens(void **state)
{
    (void)state;
    display_free(display_new("xterm-256color", 80, 24)); /* allocates what curses never frees */
    size_t before = mallinfo2().uordblks;
    struct display *display = display_new("xterm-256color", 80, 24);
    size_t after = mallinfo2().uordblks; /* 0 with the allocator of the sanitizers */
    assert_non_null(display);
    assert_in_range((after - before) / 1024, 0, CELLS_KIB + REST_KIB);
    display_free(display);
}

/* Appends the bytes of a first frame in this size to `out`. */
static void draw_first_frame(struct display *display, int columns, int rows, struct bytes *out)
{
    assert_non_null(display);
    assert_int_equal(display->columns, columns);
    assert_int_equal(display->rows, rows);
    display_begin_frame(display, &theme);
    assert_true(display_end_frame(display, rows - 1, 0, out));
}

/* Like a forked child: closes the descriptor of a prepared display, and starts it. */
static struct display *start_prepared_display(const char *term, int columns, int rows)
{
    struct display *prepared = display_prepare(LOWEST);
    assert_non_null(prepared);
    close_range(LOWEST, ~0U, 0);
    assert_true(display_reopen_file(prepared));
    return display_start(prepared, term, columns, rows);
}

static void expect_same_first_frame(const char *term, int columns, int rows)
{
    struct bytes fresh, prepared;
    bytes_init(&fresh, 1 << 20);
    bytes_init(&prepared, 1 << 20);
    struct display *display = display_new(term, columns, rows);
    draw_first_frame(display, columns, rows, &fresh);
    display_free(display);
    display = start_prepared_display(term, columns, rows);
    draw_first_frame(display, columns, rows, &prepared);
    assert_string_equal(display->name, term);
    assert_int_equal(prepared.len, fresh.len);
    assert_memory_equal(prepared.at, fresh.at, fresh.len);
    display_free(display);
    bytes_clear(&fresh);
    bytes_clear(&prepared);
}

static void a_prepared_display_begins_as_a_new_one_does(void **state)
{
    (void)state;
    expect_same_first_frame("xterm-256color", 80, 24);
    expect_same_first_frame("xterm-256color", 80, 24); /* once more, after the first was freed */
}

static void a_prepared_display_takes_the_size_and_the_terminal_of_the_client(void **state)
{
    (void)state;
    expect_same_first_frame("vt100", 80, 24);
    struct bytes out;
    bytes_init(&out, 1 << 20);
    struct display *display = start_prepared_display("xterm-256color", 132, 50);
    draw_first_frame(display, 132, 50, &out);
    assert_non_null(memmem(out.at, out.len, "\033[?1049h", strlen("\033[?1049h")));
    display_free(display);
    bytes_clear(&out);
}

static bool has_bytes(const struct bytes *out, const char *wanted)
{
    return memmem(out->at, out->len, wanted, strlen(wanted)) != NULL;
}

/* In its application mode, PuTTY's keypad sends no digits. */
static void no_terminal_is_switched_to_the_application_mode_of_its_keypad(void **state)
{
    static const char *const terms[] = {"xterm", "putty", "rxvt", "vt100", "screen", "linux"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct bytes out;
        bytes_init(&out, 1 << 20);
        struct display *display = display_new(terms[i], 80, 24);
        draw_first_frame(display, 80, 24, &out);
        assert_false(has_bytes(&out, "\033="));
        assert_false(has_bytes(&out, "\033[?1h"));
        display_free(display);
        bytes_clear(&out);
    }
}

static void a_drawn_terminal_marks_pastes_until_it_is_restored(void **state)
{
    (void)state;
    struct bytes out;
    bytes_init(&out, 1 << 20);
    struct display *display = display_new("xterm-256color", 80, 24);
    for (int i = 0; i < 2; i++) { /* the second time, after plain mode */
        draw_first_frame(display, 80, 24, &out);
        assert_true(has_bytes(&out, "\033[?2004h") && has_bytes(&out, "\033[?1006;1000h"));
        bytes_drop_first(&out, out.len);
        draw_first_frame(display, 80, 24, &out);
        assert_false(has_bytes(&out, "\033[?2004h"));
        display_restore_terminal(display, &out);
        assert_true(has_bytes(&out, "\033[?2004l") && has_bytes(&out, "\033[?1006;1000l") &&
                    has_bytes(&out, "\033[?1049l"));
        bytes_drop_first(&out, out.len);
    }
    display_free(display);
    bytes_clear(&out);
}

TEST_GROUP(display)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_display_takes_the_memory_of_two_screens),
        cmocka_unit_test(a_prepared_display_begins_as_a_new_one_does),
        cmocka_unit_test(a_prepared_display_takes_the_size_and_the_terminal_of_the_client),
        cmocka_unit_test(no_terminal_is_switched_to_the_application_mode_of_its_keypad),
        cmocka_unit_test(a_drawn_terminal_marks_pastes_until_it_is_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
