#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "tests/daemon/screens/all_screens.h"
#include "tests/daemon/screens/pictures/gallery.h"
#include "tests/daemon/screens/pictures/ink.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests that every screen is as complete in every language as in English. */

#define STATES_MAX 8000
#define SCREENS_MAX 32

/* What the screen showed in each state in English, in the order of the gallery; the other languages
 * are compared with it. */
struct seen {
    int count;
    int faults;
    bool is_english;
    struct {
        int cuts, hints;
    } at[STATES_MAX];
    bool screens[SCREENS_MAX];
    const struct driver_setup *setup;
};

/* Counts the key hints in a row of text; two blanks separate them. */
static int count_key_hints(const char *row)
{
    int count = 0;
    for (const char *at = row; (at = strstr(at, "  ")) != NULL; at += strspn(at, " ")) {
        count++;
    }
    return count;
}

static void report_fault(struct seen *seen, const char *caption, struct driver *driver,
                         const char *fault)
{
    char line[600];
    snprintf(line, sizeof line, "%s: %.*s: %s", i18n_tags[i18n_chosen_language()],
             (int)strcspn(caption, "\r"), caption, fault);
    driver_print_screen(driver, line);
    seen->faults++;
}

static void compare_state_with_english(void *context, const char *caption, struct driver *driver)
{
    struct seen *seen = context;
    int at = seen->count++;
    assert_true(at < STATES_MAX);
    for (size_t i = 0; all_screens[i] != NULL; i++) {
        seen->screens[i] |= strcmp(all_screens[i]->name, driver_screen_name(driver)) == 0;
    }
    if (ink_find_overlap()[0] != '\0') {
        report_fault(seen, caption, driver, ink_find_overlap());
    }
    int hints = count_key_hints(driver_read_row(driver, seen->setup->rows - 1));
    if (seen->setup->columns != 80) {
        return; /* only at the usual size must every language show as much as English */
    }
    if (seen->is_english) {
        seen->at[at].cuts = ink_count_cut_texts();
        seen->at[at].hints = hints;
        return;
    }
    if (ink_count_cut_texts() > seen->at[at].cuts) {
        for (int i = 0; i < ink_count_cut_texts(); i++) {
            printf("cut: %s\n", ink_get_cut_text(i));
        }
        report_fault(seen, caption, driver, "cut, and not in English");
    }
    if (hints < seen->at[at].hints) {
        report_fault(seen, caption, driver, "keys are missing in the last row");
    }
}

static void compare_all_screens_in_all_languages(const struct driver_setup *setup)
{
    static struct seen seen;
    seen = (struct seen){.setup = setup};
    const struct gallery gallery = {
        .setup = *setup, .look = compare_state_with_english, .context = &seen};
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        seen.count = 0;
        seen.is_english = i == 0;
        assert_true(i18n_choose_language(i18n_tags[i]));
        gallery_show_house(&gallery);
        gallery_show_tables(&gallery);
    }
    for (size_t i = 0; all_screens[i] != NULL; i++) {
        if (!seen.screens[i]) {
            printf("not shown: %s\n", all_screens[i]->name);
            seen.faults++;
        }
    }
    assert_int_equal(seen.faults, 0);
}

static void every_screen_is_complete_in_every_language_at_80_by_24(void **state)
{
    (void)state;
    compare_all_screens_in_all_languages(&(struct driver_setup){.columns = 80, .rows = 24});
}

static void no_texts_overlap_in_any_language_at_60_by_18(void **state)
{
    (void)state;
    compare_all_screens_in_all_languages(&(struct driver_setup){.columns = 60, .rows = 18});
}

static void no_texts_overlap_in_any_language_at_120_by_40(void **state)
{
    (void)state;
    compare_all_screens_in_all_languages(&(struct driver_setup){.columns = 120, .rows = 40});
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

TEST_GROUP(languages)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_screen_is_complete_in_every_language_at_80_by_24),
        cmocka_unit_test(no_texts_overlap_in_any_language_at_60_by_18),
        cmocka_unit_test(no_texts_overlap_in_any_language_at_120_by_40),
    };
    return _cmocka_run_group_tests("languages", tests, environment_share(ARRAY_LEN(tests)),
                                   set_up_catalogues, NULL);
}
