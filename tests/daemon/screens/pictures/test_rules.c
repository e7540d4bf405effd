#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "tests/daemon/screens/pictures/ink.h"
#include "tests/daemon/screens/stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests that the rules of every game, what the signs on its table mean, and the help can be read
 * whole, at every size of the terminal, in every language. */

#define PAGE_DOWN "\x1b[6~"
#define PAGES_MAX 40
#define PAGE_BYTES 60000
#define WORD_BYTES 200

static const struct {
    int columns, rows;
} sizes[] = {{60, 18}, {80, 24}, {120, 40}};

/* What the person has read of a page that is scrolled to its end. */
struct reading {
    char text[PAGE_BYTES];
    size_t len;
    bool is_scrolled; /* the page did not fit the screen */
};

static void open_table(struct stage *stage, const struct game_def *game, size_t size)
{
    const struct driver_setup setup = {.columns = sizes[size].columns, .rows = sizes[size].rows};
    stage_init(stage, &setup, game, game->seats_min, 0);
    stage_deal(stage, 3);
}

static void expect_nothing_cut(struct driver *driver)
{
    if (ink_count_cut_texts() > 0) {
        driver_print_screen(driver, i18n_tags[i18n_chosen_language()]);
        fail_msg("cut: %s", ink_get_cut_text(0));
    }
}

static void read_to_the_end(struct driver *driver, struct reading *reading)
{
    *reading = (struct reading){.len = 0};
    for (int page = 0; page < PAGES_MAX; page++) {
        const char *screen = driver_read_screen(driver);
        size_t len = strlen(screen);
        if (reading->len >= len && page > 0 &&
            strcmp(screen, reading->text + reading->len - len) == 0) {
            return;
        }
        assert_true(reading->len + len < sizeof(reading->text));
        memcpy(reading->text + reading->len, screen, len + 1);
        reading->len += len;
        reading->is_scrolled = page > 0;
        expect_nothing_cut(driver);
        driver_type(driver, PAGE_DOWN);
    }
    fail_msg("the page has no end");
}

/* Expects every word of the translated texts. */
static void expect_words(const struct reading *reading, const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        const char *at = (*texts)[0] == '\0' ? "" : _(*texts);
        for (at += strspn(at, "# \n"); *at != '\0'; at += strspn(at, " \n")) {
            char word[WORD_BYTES];
            int len = (int)strcspn(at, " \n");
            snprintf(word, sizeof(word), "%.*s", len, at);
            if (strstr(reading->text, word) == NULL) {
                fail_msg("\"%s\" is missing in:\n%s", word, reading->text);
            }
            at += len;
        }
    }
}

/* Expects that the bottom row names these keys, which people need to read on. */
static void expect_keys_of_rules(const char *switching, const struct reading *reading)
{
    const char *row = strrchr(reading->text, '\n'); /* the end of the bottom row */
    while (row > reading->text && row[-1] != '\n') {
        row--;
    }
    bool names_scrolling = strstr(row, _("scroll")) != NULL;
    if (strstr(row, switching) == NULL || strstr(row, _("keys")) == NULL ||
        names_scrolling != reading->is_scrolled) {
        fail_msg("keys are missing in \"%s\"", row);
    }
}

static void check_rules(const struct game_def *game, size_t size)
{
    struct stage stage;
    static struct reading reading;
    open_table(&stage, game, size);
    driver_type(stage.driver, "?");
    read_to_the_end(stage.driver, &reading);
    expect_words(&reading, game->face->pages[RULES_IN_BRIEF]);
    expect_keys_of_rules(_("signs"), &reading);
    driver_type(stage.driver, "s");
    read_to_the_end(stage.driver, &reading);
    expect_words(&reading, game->face->pages[TABLE_SIGNS]);
    expect_keys_of_rules(_("in brief"), &reading);
    driver_type(stage.driver, "r");
    read_to_the_end(stage.driver, &reading);
    expect_words(&reading, game->face->pages[ALL_RULES]);
    expect_keys_of_rules(_("signs"), &reading);
    driver_type(stage.driver, "?");
    read_to_the_end(stage.driver, &reading);
    stage_clear(&stage);
}

static void in_all_languages(void (*check)(const struct game_def *game, size_t size))
{
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        assert_true(i18n_choose_language(i18n_tags[i]));
        for (uint8_t game = 0; game < game_count(); game++) {
            for (size_t size = 0; size < ARRAY_LEN(sizes); size++) {
                check(game_at(game), size);
            }
        }
    }
}

static void rules_signs_and_help_are_never_cut(void **state)
{
    (void)state;
    in_all_languages(check_rules);
}

/* Chooses the default value of every option, or its last value. */
static void choose_options(struct stage *stage, bool is_last)
{
    const struct game_def *game = stage->game;
    for (uint8_t i = 0; i < game->option_count && is_last; i++) {
        stage->config.options[i] = (uint8_t)(game->options[i].value_count - 1);
    }
    game_config_reset_unused_options(game, &stage->config);
    stage_push_table(stage, "open");
}

static void check_summary(const struct game_def *game, size_t size)
{
    static struct reading reading;
    for (int is_last = 0; is_last < 2; is_last++) {
        struct stage stage;
        open_table(&stage, game, size);
        choose_options(&stage, is_last != 0);
        driver_type(stage.driver, "?");
        read_to_the_end(stage.driver, &reading);
        if (sizes[size].columns >= 80 && reading.is_scrolled) {
            fail_msg("more than a screen:\n%s", reading.text);
        }
        for (uint8_t i = 0; i < game->option_count; i++) {
            const struct option_def *option = &game->options[i];
            const char *value = option->values[stage.config.options[i]].title;
            const char *const words[] = {option->title, value, NULL};
            if (game_option_applies(game, &stage.config, option)) {
                expect_words(&reading, words);
            }
        }
        stage_clear(&stage);
    }
}

static void the_summary_is_one_screen_and_says_which_variants_the_table_plays(void **state)
{
    (void)state;
    in_all_languages(check_summary);
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

TEST_GROUP(rules)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_signs_and_help_are_never_cut),
        cmocka_unit_test(the_summary_is_one_screen_and_says_which_variants_the_table_plays),
    };
    return cmocka_run_group_tests_name("rules", tests, set_up_catalogues, NULL);
}
