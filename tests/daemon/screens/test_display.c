#include "daemon/screens/drawing/display.h"
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

static void a_frame_is_drawn_to_its_end_while_bytes_are_typed(void **state)
{
    (void)state;
    struct display *display = display_new("xterm-256color", 80, 24);
    struct bytes out;
    bytes_init(&out, 1 << 20);
    assert_non_null(display);
    assert_int_equal(display_take_input(display, (const uint8_t *)"abc", 3), 3);
    display_begin_frame(display, &theme);
    assert_true(display_end_frame(display, 23, 0, &out));
    size_t whole = out.len;
    assert_true(whole > 0);
    display_begin_frame(display, &theme);
    assert_true(display_end_frame(display, 23, 0, &out));
    assert_in_range(out.len - whole, 0, 16); /* nothing was left for the second frame */
    bytes_clear(&out);
    display_free(display);
}

/* Appends the bytes of a first frame in this size to `out`. */
static void draw_first_frame(struct display *display, int columns, int rows, struct bytes *out)
{
    assert_non_null(display);
    assert_int_equal(display_columns(display), columns);
    assert_int_equal(display_rows(display), rows);
    display_begin_frame(display, &theme);
    assert_true(display_end_frame(display, rows - 1, 0, out));
}

/* Like a forked child: closes the descriptors of a prepared display, and starts it. */
static struct display *start_prepared_display(const char *term, int columns, int rows)
{
    struct display *prepared = display_prepare(LOWEST);
    assert_non_null(prepared);
    close_range(LOWEST, ~0U, 0);
    assert_true(display_reopen_files(prepared));
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
    assert_string_equal(display_terminal_name(display), term);
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

static void keys_reach_a_prepared_display(void **state)
{
    (void)state;
    struct press press;
    struct display *display = start_prepared_display("xterm-256color", 80, 24);
    assert_non_null(display);
    assert_int_equal(display_take_input(display, (const uint8_t *)"\033[A", 3), 3);
    assert_true(display_read_key(display, &press));
    assert_int_equal(press.kind, PRESS_UP);
    assert_false(display_read_key(display, &press));
    display_free(display);
}

TEST_GROUP(display)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_display_takes_the_memory_of_two_screens),
        cmocka_unit_test(a_frame_is_drawn_to_its_end_while_bytes_are_typed),
        cmocka_unit_test(a_prepared_display_begins_as_a_new_one_does),
        cmocka_unit_test(a_prepared_display_takes_the_size_and_the_terminal_of_the_client),
        cmocka_unit_test(keys_reach_a_prepared_display),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
