#include "daemon/screens/drawing/display.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Curses needs 28 bytes for each cell of a screen, and two screens: what the terminal shows, and
 * what it should show next. */
#define CELLS_KIB (2 * 80 * 24 * 28 / 1024)
#define REST_KIB 70 /* the terminal's description, the keys, the colours */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_display_takes_the_memory_of_two_screens),
        cmocka_unit_test(a_frame_is_drawn_to_its_end_while_bytes_are_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
