#include "daemon/screens/drawing/draw.h"

#include "tests/unit.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 12
#define COLUMNS 40
#define FRAMES 400
#define PIECES_MAX 20

static const struct theme_look plain = {0, 0}, bold = {A_BOLD, 0}, blue = {A_NORMAL, 4};

struct stage {
    struct display *display; /* starts curses */
    struct screen_frame frame;
};

static int set_up(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->display = display_new("xterm-256color", COLUMNS, ROWS);
    assert_non_null(stage->display);
    *state = stage;
    return 0;
}

static int tear_down(void **state)
{
    struct stage *stage = *state;
    frame_clear(&stage->frame);
    display_free(stage->display);
    free(stage);
    return 0;
}

static void begin(struct screen_frame *frame)
{
    frame_begin(frame, ROWS, COLUMNS, plain);
}

static void put(struct screen_frame *frame, int row, int column, const wchar_t *text)
{
    frame_put_text(frame, row, column, plain, text, (int)wcslen(text));
}

/* Reads a row of newscr, without the blanks at its end. */
static const wchar_t *read_row(int row)
{
    static wchar_t text[COLUMNS + 1];
    mvwinnwstr(newscr, row, 0, text, COLUMNS);
    size_t len = wcslen(text);
    while (len > 0 && text[len - 1] == L' ') {
        len--;
    }
    text[len] = L'\0';
    return text;
}

static void expect_row(int row, const wchar_t *text)
{
    const wchar_t *shown = read_row(row);
    if (wcscmp(shown, text) != 0) {
        fail_msg("row %d is \"%ls\" instead of \"%ls\"", row, shown, text);
    }
}

/* Draws a frame with a heading and a number. Returns how many rows were drawn. */
static int draw_number(struct screen_frame *frame, const wchar_t *number, struct theme_look look)
{
    begin(frame);
    put(frame, 0, 0, L"People");
    put(frame, 5, 2, L"here:");
    frame_put_text(frame, 5, 8, look, number, (int)wcslen(number));
    frame_put_repeated(frame, 7, 0, plain, L'─', COLUMNS);
    return frame_end(frame);
}

static void only_rows_that_differ_are_drawn(void **state)
{
    struct stage *stage = *state;
    assert_int_equal(draw_number(&stage->frame, L"41", plain), ROWS);
    assert_int_equal(draw_number(&stage->frame, L"41", plain), 0);
    assert_int_equal(draw_number(&stage->frame, L"42", plain), 1);
    expect_row(5, L"  here: 42");
    expect_row(0, L"People");
    assert_int_equal(draw_number(&stage->frame, L"42", bold), 1);
    assert_int_equal(draw_number(&stage->frame, L"42", blue), 1);
    assert_int_equal(draw_number(&stage->frame, L"42", blue), 0);
}

static void a_row_without_pieces_becomes_blank(void **state)
{
    struct stage *stage = *state;
    begin(&stage->frame);
    put(&stage->frame, 3, 0, L"gone soon");
    put(&stage->frame, 4, 0, L"stays");
    (void)frame_end(&stage->frame);
    begin(&stage->frame);
    put(&stage->frame, 4, 0, L"stays");
    assert_int_equal(frame_end(&stage->frame), 1);
    expect_row(3, L"");
    expect_row(4, L"stays");
}

static void a_later_piece_covers_an_earlier_one(void **state)
{
    struct stage *stage = *state;
    begin(&stage->frame);
    frame_put_repeated(&stage->frame, 2, 0, plain, L'-', 10);
    put(&stage->frame, 2, 3, L"abc");
    (void)frame_end(&stage->frame);
    expect_row(2, L"---abc----");
    begin(&stage->frame);
    put(&stage->frame, 2, 3, L"abc");
    frame_put_repeated(&stage->frame, 2, 0, plain, L'-', 10);
    assert_int_equal(frame_end(&stage->frame), 1); /* the same pieces in another order */
    expect_row(2, L"----------");
}

static void another_background_or_size_draws_all_rows(void **state)
{
    struct stage *stage = *state;
    (void)draw_number(&stage->frame, L"1", plain);
    frame_begin(&stage->frame, ROWS, COLUMNS, blue);
    assert_int_equal(frame_end(&stage->frame), ROWS);
    display_resize(stage->display, COLUMNS, ROWS - 2);
    frame_begin(&stage->frame, ROWS - 2, COLUMNS, blue);
    assert_int_equal(stage->frame.rows, ROWS - 2);
    assert_int_equal(stage->frame.columns, COLUMNS);
    assert_int_equal(frame_end(&stage->frame), ROWS - 2);
}

/* A piece with random content, of which there are few, so that many rows stay as they were. */
struct random_piece {
    int row, column, count;
    bool is_repeated;
    struct theme_look look;
};

static int choose(int count)
{
    return (int)((unsigned)rand() % (unsigned)count); /* NOLINT(cert-msc30-c,cert-msc50-cpp) */
}

static struct random_piece make_random_piece(void)
{
    const struct theme_look looks[] = {plain, bold, blue};
    return (struct random_piece){.row = choose(ROWS),
                                 .column = choose(COLUMNS - 10),
                                 .count = 1 + choose(10),
                                 .is_repeated = choose(3) == 0,
                                 .look = looks[choose(3)]};
}

static void put_random_piece(struct screen_frame *frame, const struct random_piece *piece)
{
    static const wchar_t text[] = L"Ann♠ plays";
    if (piece->is_repeated) {
        frame_put_repeated(frame, piece->row, piece->column, piece->look, L'─', piece->count);
    } else {
        frame_put_text(frame, piece->row, piece->column, piece->look, text, piece->count);
    }
}

static void draw_random_pieces(struct screen_frame *frame, const struct random_piece *pieces,
                               int count)
{
    begin(frame);
    for (int i = 0; i < count; i++) {
        put_random_piece(frame, &pieces[i]);
    }
    (void)frame_end(frame);
}

static void read_cells(cchar_t cells[ROWS][COLUMNS])
{
    memset(cells, 0, sizeof(cchar_t) * ROWS * COLUMNS);
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            assert_int_equal(mvwin_wch(newscr, row, column, &cells[row][column]), OK);
        }
    }
}

static void frames_drawn_by_rows_look_like_frames_drawn_whole(void **state)
{
    static cchar_t by_rows[ROWS][COLUMNS], whole[ROWS][COLUMNS];
    struct stage *stage = *state;
    struct random_piece pieces[PIECES_MAX];
    srand(13); /* NOLINT(cert-msc32-c,cert-msc51-cpp) */
    for (int i = 0; i < PIECES_MAX; i++) {
        pieces[i] = make_random_piece();
    }
    for (int i = 0; i < FRAMES; i++) {
        for (int changes = choose(4); changes > 0; changes--) {
            pieces[choose(PIECES_MAX)] = make_random_piece();
        }
        int count = choose(5) == 0 ? choose(PIECES_MAX) : PIECES_MAX;
        draw_random_pieces(&stage->frame, pieces, count);
        read_cells(by_rows);
        struct screen_frame new_frame = {0};
        draw_random_pieces(&new_frame, pieces, count);
        frame_clear(&new_frame);
        read_cells(whole);
        assert_memory_equal(by_rows, whole, sizeof by_rows);
    }
}

TEST_GROUP(frame)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_rows_that_differ_are_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_without_pieces_becomes_blank, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_later_piece_covers_an_earlier_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_background_or_size_draws_all_rows, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(frames_drawn_by_rows_look_like_frames_drawn_whole, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
