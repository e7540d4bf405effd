#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Loads the translation catalogues that the build has made. */

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

static void texts_are_english_until_another_language_is_chosen(void **state)
{
    (void)state;
    assert_string_equal(i18n_tags[i18n_chosen_language()], "en");
    assert_string_equal(_("Goodbye."), "Goodbye.");
    assert_true(i18n_choose_language("de"));
    assert_string_equal(i18n_tags[i18n_chosen_language()], "de");
    assert_string_equal(_("Goodbye."), "Auf Wiedersehen.");
    assert_true(i18n_choose_language("en"));
    assert_string_equal(_("Goodbye."), "Goodbye.");
}

static void choosing_an_unknown_language_changes_nothing(void **state)
{
    (void)state;
    assert_true(i18n_choose_language("de"));
    assert_false(i18n_choose_language("tlh"));
    assert_false(i18n_choose_language(""));
    assert_false(i18n_choose_language("../../de"));
    assert_string_equal(_("Goodbye."), "Auf Wiedersehen.");
}

static void a_number_chooses_the_singular_or_plural_form(void **state)
{
    (void)state;
    assert_true(i18n_choose_language("de"));
    assert_string_equal(ngettext("%d person is in.", "%d people are in.", 1), "%d Person ist da.");
    assert_string_equal(ngettext("%d person is in.", "%d people are in.", 2), "%d Leute sind da.");
}

/* A confined session may open no file, so choosing a language must work without opening one. */
static void choosing_a_language_opens_no_file(void **state)
{
    (void)state;
    struct rlimit before, none;
    assert_true(i18n_choose_language("en"));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool is_chosen = i18n_choose_language("de");
    const char *said = _("Your move is on its way."), *unknown = _("No catalogue has this.");
    bool is_back = i18n_choose_language("en");
    const char *english = _("Your move is on its way.");
    int file = open("/dev/null", O_RDONLY);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(file, -1);
    assert_true(is_chosen && is_back);
    assert_string_equal(said, "Dein Zug ist unterwegs.");
    assert_string_equal(unknown, "No catalogue has this.");
    assert_string_equal(english, "Your move is on its way.");
}

static void the_language_is_read_from_the_locales_name(void **state)
{
    (void)state;
    static const char *const locales[][2] = {
        {"de_AT.UTF-8", "de"}, {"de", "de"}, {"de@euro", "de"}, {"de.UTF-8", "de"},
        {"C.UTF-8", "en"},     {"", "en"},   {"tlh", "en"},     {"deu_DE", "en"},
        {"en_GB.UTF-8", "en"}, {"C", "en"},  {"German", "en"},  {"d", "en"},
    };
    for (size_t i = 0; i < ARRAY_LEN(locales); i++) {
        assert_string_equal(i18n_language_of_locale(locales[i][0]), locales[i][1]);
    }
}

static void without_translation_catalogues_everything_is_english(void **state)
{
    (void)state;
    assert_false(i18n_load_catalogues("/nonexistent"));
    assert_true(i18n_choose_language("de"));
    assert_string_equal(_("Goodbye."), "Goodbye.");
}

TEST_GROUP(i18n)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_english_until_another_language_is_chosen),
        cmocka_unit_test(choosing_an_unknown_language_changes_nothing),
        cmocka_unit_test(a_number_chooses_the_singular_or_plural_form),
        cmocka_unit_test(choosing_a_language_opens_no_file),
        cmocka_unit_test(the_language_is_read_from_the_locales_name),
        cmocka_unit_test(without_translation_catalogues_everything_is_english),
    };
    return cmocka_run_group_tests(tests, set_up_catalogues, NULL);
}
