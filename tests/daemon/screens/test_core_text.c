#include "daemon/screens/model/model.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "tests/unit.h"

/* Tests that sentences that the core sends are shown in the chosen language. */

static int set_up_german(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) && i18n_choose_language("de") ? 0 : -1;
}

static void expect_translation(const char *message_json, const char *expected_text)
{
    char text[256];
    json_t *message = json_loads(message_json, 0, NULL);
    assert_non_null(message);
    model_read_sentence(message, "why", text, sizeof text);
    json_decref(message);
    assert_string_equal(text, expected_text);
}

static void a_sentence_without_arguments_is_looked_up_in_the_translations(void **state)
{
    (void)state;
    expect_translation("{\"why\":\"You cannot name yourself here.\"}",
                       "Dich selbst kannst du hier nicht nennen.");
    expect_translation("{\"why\":\"What no catalogue knows.\"}", "What no catalogue knows.");
    expect_translation("{\"why\":\"\"}", "");
    expect_translation("{}", "");
}

static void arguments_are_inserted_after_the_sentence_is_translated(void **state)
{
    (void)state;
    expect_translation("{\"why\":\"x\",\"say\":[\"%s does not play there.\",\"ada\"]}",
                       "ada spielt dort nicht.");
    expect_translation(
        "{\"why\":\"x\",\"say\":[\"That table is for players who finish %d%% of their games and "
        "you "
        "have finished %d%%: every game played to its end counts.\",80,7]}",
        "Dieser Tisch ist für die, die 80% ihrer Partien zu Ende spielen, und du hast 7%: Jede zu "
        "Ende gespielte zählt.");
}

/* The German translation has the arguments in another order, as in "%2$d". */
static void a_translation_may_reorder_the_arguments(void **state)
{
    (void)state;
    expect_translation(
        "{\"why\":\"x\",\"say\":[\"Whoever lost rating to %s in the last %d days gets it back; "
        "%s gains and loses nothing: %s. Are you sure?\",\"eve\",30,\"Eve\",\"ada +3.0\"]}",
        "Wer in den letzten 30 Tagen Wertung an eve verlor, bekommt sie zurück; Eve gewinnt und "
        "verliert nichts: ada +3.0. Ist das gemeint?");
}

static void a_sentence_with_mismatched_arguments_is_shown_untranslated(void **state)
{
    (void)state;
    expect_translation("{\"why\":\"x\",\"say\":[\"%s does not play there.\"]}", "x");
    expect_translation("{\"why\":\"x\",\"say\":[\"%s does not play there.\",7]}", "x");
    expect_translation("{\"why\":\"x\",\"say\":[\"%n%n%n\",7]}", "x");
    expect_translation("{\"why\":\"x\",\"say\":[]}", "x");
    expect_translation("{\"why\":\"x\",\"say\":7}", "x");
}

static void a_german_sentence_contains_german_times_words_and_plurals(void **state)
{
    (void)state;
    expect_translation(
        "{\"why\":\"x\",\"say\":[\"You are %p.\",[\"muted (%p) %p, by %p: %.200s\","
        "{\"word\":\"everywhere\"},{\"until\":1750000000000},{\"word\":\"the owner\"},\"spam\"]]}",
        "Du bist stumm (überall) bis 15.06.2025 15:06 UTC, von Hausleitung: spam.");
    expect_translation(
        "{\"why\":\"x\",\"say\":[\"%s is muted, %p: %s\",\"eve\",{\"span\":259200000},\"spam\"]}",
        "eve ist stumm, 3 Tage: spam");
    expect_translation(
        "{\"why\":\"x\",\"say\":[\"%s, a bot (%p), sat down.\",\"otto\",{\"word\":\"medium\"}]}",
        "otto, ein Bot (mittel), hat sich gesetzt.");
    expect_translation("{\"why\":\"x\",\"say\":[[\"While you were away: %u move was made.\","
                       "\"While you were away: %u moves were made.\"],1]}",
                       "Während du weg warst, wurde 1 Zug gemacht.");
}

TEST_GROUP(core_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_without_arguments_is_looked_up_in_the_translations),
        cmocka_unit_test(arguments_are_inserted_after_the_sentence_is_translated),
        cmocka_unit_test(a_translation_may_reorder_the_arguments),
        cmocka_unit_test(a_sentence_with_mismatched_arguments_is_shown_untranslated),
        cmocka_unit_test(a_german_sentence_contains_german_times_words_and_plurals),
    };
    return cmocka_run_group_tests(tests, set_up_german, NULL);
}
