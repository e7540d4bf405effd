#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "tests/daemon/screens/pictures/gallery.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/*
 * Looks at the colours of every screen. With a file's name in the environment variable SHEET, also
 * writes there what each screen shows, for the script `sheet`, which draws pictures of it:
 *
 *     # COLUMNS ROWS CAPTION
 *     FOREGROUND BACKGROUND FLAGS TEXT     a run of characters in one style; "-": the row ends
 */
struct sheet {
    FILE *file; /* NULL: nothing is written */
    int states;
};

static void write_character(FILE *file, const struct driver_cell *cell)
{
    char bytes[16];
    if (cell->characters[0] == 0) {
        fputc(cell->columns > 0 ? ' ' : 0, file);
    }
    for (size_t i = 0; cell->characters[i] != 0; i++) {
        int len = wctomb(bytes, (wchar_t)cell->characters[i]);
        fwrite(bytes, 1, len > 0 ? (size_t)len : 0, file);
    }
}

static bool has_same_style(const struct driver_cell *a, const struct driver_cell *b)
{
    return a->foreground == b->foreground && a->background == b->background &&
           a->is_bold == b->is_bold && a->is_underlined == b->is_underlined;
}

static void write_row(FILE *file, const struct driver *driver, int row, int columns)
{
    struct driver_cell before = {.columns = -1};
    for (int column = 0; column < columns; column++) {
        struct driver_cell cell = driver_read_cell(driver, row, column);
        if (cell.columns == 0) {
            continue; /* the second half of a wide character */
        }
        if (before.columns < 0 || !has_same_style(&before, &cell)) {
            fprintf(file, "%s%06x %06x %d%d ", column > 0 ? "\n" : "", cell.foreground,
                    cell.background, cell.is_bold, cell.is_underlined);
        }
        write_character(file, &cell);
        before = cell;
    }
    fputs("\n-\n", file);
}

/* Fails if a character has the colour of its background. */
static void check_that_all_can_be_seen(const struct driver *driver, int rows, int columns,
                                       const char *caption)
{
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            struct driver_cell cell = driver_read_cell(driver, row, column);
            bool is_blank = cell.characters[0] == 0 || cell.characters[0] == ' ';
            if (!is_blank && cell.foreground == cell.background) {
                fail_msg("%s: row %d, column %d cannot be seen", caption, row, column);
            }
        }
    }
}

static void look_at_state(void *context, const char *caption, struct driver *driver)
{
    struct sheet *sheet = context;
    int rows, columns;
    driver_measure(driver, &rows, &columns);
    check_that_all_can_be_seen(driver, rows, columns, caption);
    sheet->states++;
    if (sheet->file == NULL) {
        return;
    }
    fprintf(sheet->file, "# %d %d %.*s\n", columns, rows, (int)strcspn(caption, "\r"), caption);
    for (int row = 0; row < rows; row++) {
        write_row(sheet->file, driver, row, columns);
    }
}

static void every_character_of_every_screen_has_another_colour_than_its_background(void **state)
{
    (void)state;
    const char *path = getenv("SHEET");
    const char *language = getenv("SHEET_LANGUAGE");
    struct sheet sheet = {.file = path == NULL ? NULL : fopen(path, "we")};
    const struct gallery gallery = {
        .setup = {.columns = (int)environment_number("SHEET_COLUMNS", 80),
                  .rows = (int)environment_number("SHEET_ROWS", 24),
                  .term = getenv("SHEET_TERM")},
        .look = look_at_state,
        .context = &sheet,
    };
    assert_true(path == NULL || sheet.file != NULL);
    assert_true(i18n_load_catalogues(NULL));
    assert_true(i18n_choose_language(language == NULL ? "en" : language));
    gallery_show_house(&gallery);
    gallery_show_tables(&gallery);
    assert_true(sheet.states > 100);
    assert_true(sheet.file == NULL || fclose(sheet.file) == 0);
}

TEST_GROUP(sheet)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_of_every_screen_has_another_colour_than_its_background),
    };
    return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
