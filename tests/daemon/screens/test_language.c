#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

#include <string.h>

/* Tests that screens use the person's language. */

#define YOU(settings)                                                                              \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"            \
    "\"settings\":{" settings "},\"is_new\":false}"

static int set_up_languages(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

static int set_up_english(void **state)
{
    (void)state;
    return i18n_choose_language(I18N_ENGLISH) ? 0 : -1;
}

static const char *get_sent_language(const struct driver *driver)
{
    const json_t *sent = driver_find_request(driver, "settings_set");
    return json_string_value(json_object_get(json_object_get(sent, "settings"), "language"));
}

static void choosing_a_language_takes_effect_at_once_and_is_stored_with_the_account(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&(struct driver_setup){0});
    samples_push_lobby(driver);
    driver_expect(driver, "People");
    driver_type(driver, "/language de\r");
    driver_expect(driver, "Leute");
    driver_expect(driver, "Das Haus spricht ab jetzt Deutsch mit dir.");
    assert_string_equal(get_sent_language(driver), "de");
    driver_answer(driver, "settings_set", NULL);
    driver_type(driver, "/language en\r");
    driver_expect(driver, "People");
    driver_expect_not(driver, "Leute");
    assert_string_equal(get_sent_language(driver), "en");
    driver_free(driver);
}

static void times_are_those_of_the_zone_that_is_chosen(void **state)
{
    (void)state;
    zones_load();
    struct driver *driver = driver_new(&(struct driver_setup){0});
    samples_push_lobby(driver);
    assert_non_null(zones_use("UTC"));
    driver_expect(driver, "10:50");
    driver_type(driver, "/timezone tokyo\r");
    driver_expect(driver, "Times are those of Asia/Tokyo from now on.");
    driver_expect(driver, "19:50");
    const json_t *sent = driver_find_request(driver, "settings_set");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(sent, "settings"), "timezone")),
        "Asia/Tokyo");
    driver_answer(driver, "settings_set", NULL);
    driver_type(driver, "/timezone nowhere\r");
    driver_expect(driver, "No time zone is called");
    driver_type(driver, "/timezone\r");
    driver_expect(driver, "Times are those of Asia/Tokyo");
    driver_expect(driver, "19:50");
    assert_non_null(zones_use("UTC"));
    driver_free(driver);
}

/* True if the text has the word, with no letter before or after it. */
static bool has_word(const char *text, const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        bool is_begun = at > text && strchr(letters, at[-1]) != NULL;
        if (!is_begun && (at[len] == '\0' || strchr(letters, at[len]) == NULL)) {
            return true;
        }
    }
    return false;
}

/* True if help offers a word that the command takes: itself, or a translation that command_word_is
 * takes too. */
static bool is_word_offered(const char *args, const char *word)
{
    bool is_switch = strcmp(word, "on") == 0 || strcmp(word, "off") == 0;
    return has_word(args, word) || (is_switch && has_word(args, _(word)));
}

static void help_offers_in_every_language_words_that_the_command_takes(void **state)
{
    (void)state;
    unsigned checked = 0;
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        assert_true(i18n_choose_language(i18n_tags[i]));
        for (const struct command *command = command_list; command->name != NULL; command++) {
            const char *const *words = command->words;
            for (; command->args != NULL && words != NULL && *words != NULL; words++) {
                if (has_word(command->args, *words) && !is_word_offered(_(command->args), *words)) {
                    fail_msg("/%s: %s", command->name, _(command->args));
                }
                checked++;
            }
        }
    }
    assert_true(checked > 20);
}

static void a_command_takes_on_and_off_in_the_chosen_language(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&(struct driver_setup){0});
    samples_push_lobby(driver);
    assert_true(i18n_choose_language("de"));
    driver_type(driver, "/botaccount an\r");
    driver_expect(driver, "Das lässt sich nicht rückgängig machen");
    driver_type(driver, "\x1b");
    driver_type(driver, "/botaccount on\r");
    driver_expect(driver, "Das lässt sich nicht rückgängig machen");
    driver_free(driver);
}

static void german_is_spelled_in_ascii_where_the_terminal_has_no_other_letters(void **state)
{
    (void)state;
    struct driver_setup setup = {.you = YOU("\"language\":\"de\",\"ascii\":true")};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_expect(driver, "fuer");
    driver_expect_not(driver, "fur ");
    driver_free(driver);
    setup.you = YOU("\"language\":\"de\",\"ascii\":false");
    driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_expect(driver, "für");
    driver_free(driver);
}

static void the_settings_offer_every_language(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&(struct driver_setup){0});
    driver_type(driver, "/settings\r");
    driver_expect(driver, "English");
    for (int i = 0; i < 3; i++) {
        driver_type(driver, "\x1b[B");
    }
    driver_type(driver, "\r");
    driver_expect(driver, "Einstellungen");
    driver_expect(driver, "Deutsch");
    assert_string_equal(get_sent_language(driver), "de");
    driver_free(driver);
}

static void the_language_of_the_account_overrides_that_of_the_client(void **state)
{
    (void)state;
    struct driver_setup setup = {.you = YOU("\"language\":\"de\"")};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_expect(driver, "Leute");
    driver_free(driver);
    setup.you = YOU("\"language\":\"en\"");
    i18n_choose_language("de"); /* the language that the client has asked for */
    driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_expect(driver, "People");
    driver_free(driver);
}

static void an_unknown_language_in_an_account_is_ignored(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&(struct driver_setup){.you = YOU("\"language\":\"tlh\"")});
    samples_push_lobby(driver);
    driver_expect(driver, "People");
    driver_type(driver, "/language tlh\r");
    driver_expect(driver, "The house does not speak \"tlh\". It speaks en, de.");
    assert_null(driver_find_request(driver, "settings_set"));
    driver_free(driver);
}

static void the_sign_up_screen_uses_the_clients_language(void **state)
{
    (void)state;
    i18n_choose_language("de");
    struct driver *driver = driver_new(&(struct driver_setup){.is_unregistered = true});
    driver_expect(driver, "Wähle einen Namen:");
    driver_free(driver);
}

static void the_moderators_screen_translates_peoples_flags_and_the_word_owner(void **state)
{
    (void)state;
    i18n_choose_language("de");
    struct driver *driver = driver_new(&(struct driver_setup){
        .you = "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"mod\",\"has_password\":true,"
               "\"settings\":{\"language\":\"de\"},\"is_new\":false}"});
    samples_push_lobby(driver);
    driver_type(driver, "/mod\r");
    driver_answer(driver, "mod",
                  "{\"lines\":[],\"data\":{\"reports\":[],\"people\":[{\"name\":\"eve\","
                  "\"flags\":\"guest, muted\",\"say\":[\"%p\",{\"words\":[\"guest\",\"muted\"]}]}],"
                  "\"deeds\":[{\"id\":3,\"at\":1,\"actor\":\"the owner\",\"verb\":\"mute\","
                  "\"target\":\"eve\",\"reason\":\"spam\",\"result\":\"ok\"}]}}");
    driver_expect(driver, "eve: Gast, stumm");
    driver_expect(driver, "Hausleitung: mute eve, spam");
    driver_free(driver);
}

static void plain_mode_uses_the_chosen_language(void **state)
{
    (void)state;
    const struct driver_setup plain = {.lines = {.is_on = true}, .you = YOU("\"language\":\"de\"")};
    struct driver *driver = driver_new(&plain);
    samples_push_lobby(driver);
    driver_expect_output(driver, "Die Lobby von Trickhouse. Du bist mira.");
    driver_free(driver);
}

TEST_GROUP(language)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(times_are_those_of_the_zone_that_is_chosen, set_up_english),
        cmocka_unit_test_setup(
            choosing_a_language_takes_effect_at_once_and_is_stored_with_the_account,
            set_up_english),
        cmocka_unit_test_setup(the_settings_offer_every_language, set_up_english),
        cmocka_unit_test_teardown(
            german_is_spelled_in_ascii_where_the_terminal_has_no_other_letters, set_up_english),
        cmocka_unit_test_teardown(help_offers_in_every_language_words_that_the_command_takes,
                                  set_up_english),
        cmocka_unit_test_setup_teardown(a_command_takes_on_and_off_in_the_chosen_language,
                                        set_up_english, set_up_english),
        cmocka_unit_test_setup(the_language_of_the_account_overrides_that_of_the_client,
                               set_up_english),
        cmocka_unit_test_setup(an_unknown_language_in_an_account_is_ignored, set_up_english),
        cmocka_unit_test_setup(the_sign_up_screen_uses_the_clients_language, set_up_english),
        cmocka_unit_test_setup(the_moderators_screen_translates_peoples_flags_and_the_word_owner,
                               set_up_english),
        cmocka_unit_test_setup(plain_mode_uses_the_chosen_language, set_up_english),
    };
    return cmocka_run_group_tests_name("language", tests, set_up_languages, NULL);
}
