#include "games/card.h"
#include "games/macros.h"
#include "tests/unit.h"

/* A deck unlike the standard deck: it has numbers with several digits, a hyphen in a suit's name,
 * and a card without a suit. */
static const struct suit_def hound_suits[] = {
    {.id = "grey", .title = "grey", .letters = "Gr"},
    {.id = "tom-dire", .title = "Tom Dire", .letters = "T"},
};
static const struct special_def hound_specials[] = {{.id = "cerberus", .title = "CERBERUS"}};
static const struct deck_def hound_deck = {
    .suits = hound_suits,
    .suit_count = ARRAY_LEN(hound_suits),
    .value_first = 1,
    .value_count = 15,
    .specials = hound_specials,
    .special_count = ARRAY_LEN(hound_specials),
};

static void assert_name_and_rank(const struct deck_def *deck, uint8_t card, const char *name,
                                 const char *rank)
{
    char buffer[CARD_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    card_write_name(deck, card, &text);
    assert_string_equal(buffer, name);
    text = text_init(buffer, sizeof(buffer));
    card_write_rank(deck, card, &text);
    assert_string_equal(buffer, rank);
    assert_int_equal(card_parse(deck, name), card);
}

static void standard_cards_are_named_by_rank_and_then_suit(void **unused)
{
    (void)unused;
    assert_name_and_rank(&standard_deck, card_of(&standard_deck, 0, 14), "AS", "A");
    assert_name_and_rank(&standard_deck, card_of(&standard_deck, 1, 13), "KH", "K");
    assert_name_and_rank(&standard_deck, card_of(&standard_deck, 2, 10), "TD", "T");
    assert_name_and_rank(&standard_deck, card_of(&standard_deck, 3, 2), "2C", "2");
}

static void cards_of_other_decks_are_named_by_suit_and_then_value(void **unused)
{
    (void)unused;
    assert_name_and_rank(&hound_deck, card_of(&hound_deck, 0, 10), "grey-10", "10");
    assert_name_and_rank(&hound_deck, card_of(&hound_deck, 1, 3), "tom-dire-3", "3");
    assert_name_and_rank(&hound_deck, 30, "cerberus", "CERBERUS");
}

static void every_card_has_one_name_and_no_other_text_is_read_as_a_card(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"",     "A",       "S",         "SA",       "as",
                                        "10S",  "AS ",     " AS",       "1S",       "ASS",
                                        "grey", "grey-0",  "grey-01",   "grey-16",  "Grey-1",
                                        "-1",   "grey--1", "cerberus ", "CERBERUS", "tom-3"};
    const struct deck_def *const decks[] = {&standard_deck, &hound_deck};
    for (size_t i = 0; i < ARRAY_LEN(decks); i++) {
        for (uint8_t card = 0; card < card_count(decks[i]); card++) {
            char buffer[CARD_TEXT_MAX];
            struct text text = text_init(buffer, sizeof(buffer));
            card_write_name(decks[i], card, &text);
            assert_int_equal(card_parse(decks[i], buffer), card);
        }
        for (size_t j = 0; j < ARRAY_LEN(wrong); j++) {
            assert_int_equal(card_parse(decks[i], wrong[j]), CARD_NONE);
        }
    }
}

static void special_cards_and_card_none_have_neither_suit_nor_value(void **unused)
{
    (void)unused;
    char buffer[CARD_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    assert_int_equal(card_suit(&hound_deck, 30), SUIT_NONE);
    assert_int_equal(card_value(&hound_deck, 30), 0);
    assert_int_equal(card_suit(&standard_deck, CARD_NONE), SUIT_NONE);
    assert_int_equal(card_value(&standard_deck, CARD_NONE), 0);
    card_write_name(&standard_deck, CARD_NONE, &text);
    card_write_rank(&standard_deck, CARD_NONE, &text);
    assert_string_equal(buffer, "");
}

static void every_card_has_a_suit_and_a_value(void **unused)
{
    (void)unused;
    assert_int_equal(card_count(&standard_deck), 52);
    assert_int_equal(card_count(&hound_deck), 31);
    for (uint8_t suit = 0; suit < 4; suit++) {
        for (uint8_t value = 2; value <= 14; value++) {
            uint8_t card = card_of(&standard_deck, suit, value);
            assert_int_equal(card_suit(&standard_deck, card), suit);
            assert_int_equal(card_value(&standard_deck, card), value);
        }
    }
}

static void all_copies_of_a_card_share_the_number_of_the_first_copy(void **unused)
{
    (void)unused;
    struct deck_def doubled = hound_deck;
    doubled.copies = 2;
    for (uint8_t card = 0; card < card_count(&doubled); card++) {
        uint8_t second = (uint8_t)(card + card_count(&doubled));
        assert_int_equal(card_number_without_copy(&doubled, card), card);
        assert_int_equal(card_number_without_copy(&doubled, second), card);
    }
    assert_int_equal(card_number_without_copy(&doubled, CARD_NONE), CARD_NONE);
    assert_int_equal(card_number_without_copy(&hound_deck, 3), 3);
}

TEST_GROUP(card)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_cards_are_named_by_rank_and_then_suit),
        cmocka_unit_test(cards_of_other_decks_are_named_by_suit_and_then_value),
        cmocka_unit_test(every_card_has_one_name_and_no_other_text_is_read_as_a_card),
        cmocka_unit_test(special_cards_and_card_none_have_neither_suit_nor_value),
        cmocka_unit_test(every_card_has_a_suit_and_a_value),
        cmocka_unit_test(all_copies_of_a_card_share_the_number_of_the_first_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
