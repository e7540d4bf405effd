#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests that nothing typed at the wrong moment is said to a table, is lost silently, or decides
 * something. */

#define BID 0
#define PLAY 1

static const char *find_sent_text(const struct stage *stage, const char *type, const char *field)
{
    const json_t *request = driver_find_request(stage->driver, type);
    return request == NULL ? NULL : json_string_value(json_object_get(request, field));
}

static const char *find_sent_move(const struct stage *stage)
{
    return find_sent_text(stage, "move", "move");
}

static void assert_nothing_sent(const struct stage *stage)
{
    assert_null(driver_find_request(stage->driver, "move"));
    assert_null(driver_find_request(stage->driver, "say"));
}

static int set_up_table(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    struct driver_setup setup = {.columns = 80, .rows = 24};
    assert_non_null(stage);
    stage_init(stage, &setup, game_at(0), 4, 0);
    stage_deal(stage, 3);
    *state = stage;
    return 0;
}

#define at_table(test) cmocka_unit_test_setup_teardown(test, set_up_table, stage_teardown)

/* Answers the sent move, and carries it out as the core would. */
static void carry_out_sent_move(struct stage *stage)
{
    assert_non_null(find_sent_move(stage));
    uint8_t move = game_move_parse(stage->game, find_sent_move(stage));
    driver_answer(stage->driver, "move", NULL);
    stage_make_move(stage, (uint8_t)stage->you, move);
}

static void enter_after_a_bid_opens_no_talk_line(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, BID));
    driver_type(stage->driver, "3\r");
    assert_string_equal(find_sent_move(stage), "bid:3");
    carry_out_sent_move(stage);
    driver_type(stage->driver, "\r");
    assert_true(stage_play_until_turn(stage, PLAY));
    driver_type(stage->driver, "\r1\r");
    assert_null(driver_find_request(stage->driver, "say"));
    driver_expect_not(stage->driver, "say it");
}

static void letters_and_enter_name_the_keys_of_the_table(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, PLAY));
    driver_type(stage->driver, "z");
    driver_expect(stage->driver, "z does nothing here. Keys: ");
    driver_type(stage->driver, "\r");
    driver_expect(stage->driver, "Enter does nothing here. Keys: ");
    driver_expect(stage->driver, "c to talk, / for a command");
}

static void a_line_that_is_a_move_is_that_move_and_no_talk(void **state)
{
    static const char *const lines[] = {"3", "bid 3", "Bid 3", "bid:3", "/play 3"};
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, BID));
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char keys[40];
        snprintf(keys, sizeof(keys), "%s%s\r", lines[i][0] == '/' ? "" : "c", lines[i]);
        driver_type(stage->driver, keys);
        assert_non_null(find_sent_move(stage));
        assert_string_equal(find_sent_move(stage), "bid:3");
        driver_refuse(stage->driver, "move", "later", "Not yet.");
    }
    assert_null(driver_find_request(stage->driver, "say"));
}

static void a_card_a_wrong_number_or_another_phases_move_is_never_said(void **state)
{
    static const char *const lines[] = {"77", "QS", "q♠", "play 1", "play QS", "3,8", "1 2"};
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, BID));
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char keys[40];
        snprintf(keys, sizeof(keys), "c%s\r", lines[i]);
        driver_type(stage->driver, keys);
        assert_nothing_sent(stage);
        driver_type(stage->driver, "\x1b");
    }
    driver_type(stage->driver, "c77\r");
    driver_expect(stage->driver, "\"77\" was not said: it is no move now. /chat 77 says it.");
    driver_type(stage->driver, "/chat 77\r");
    assert_string_equal(find_sent_text(stage, "say", "text"), "77");
}

static void sentences_are_said_whoever_has_the_turn(void **state)
{
    static const char *const lines[] = {"play well everybody", "I pass you the salt", "bid high",
                                        "3 hearts again?", "passt"};
    struct stage *stage = *state;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
            char keys[60];
            snprintf(keys, sizeof(keys), "c%s\r", lines[i]);
            driver_type(stage->driver, keys);
            assert_non_null(find_sent_text(stage, "say", "text"));
            assert_string_equal(find_sent_text(stage, "say", "text"), lines[i]);
            driver_answer(stage->driver, "say", NULL);
        }
        assert_true(stage_play_until_turn(stage, BID));
    }
}

static void a_move_typed_before_ones_turn_is_not_said(void **state)
{
    static const char *const lines[] = {"c3\r", "cbid 3\r", "cQS\r", " 4\r", "c1,2\r"};
    struct stage *stage = *state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        driver_type(stage->driver, lines[i]);
        assert_nothing_sent(stage);
        driver_expect(stage->driver, "was not said. /premove");
    }
}

/* Types each word, as somebody does who forgets the c before it, at the viewer's turn. */
static void type_words_without_opening_the_talk_line(struct stage *stage)
{
    static const char *const words[] = {"hello", "hi",   "gg",     "lol",      "haha", "thanks",
                                        "good",  "yeah", "hm",     "quitting", "omg",  "and",
                                        "jk",    "xD",   "really", "ok",       "naja"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        char keys[20];
        snprintf(keys, sizeof(keys), "%s\r", words[i]);
        driver_wait(stage->driver, 9000);
        driver_type(stage->driver, keys);
        if (driver_oldest_request_type(stage->driver) != NULL) {
            fail_msg("%s: \"%s\" sends %s", stage->game->id, words[i],
                     driver_oldest_request_type(stage->driver));
        }
        driver_type(stage->driver, "\x1b\x1b"); /* closes what a letter has opened */
        driver_type(stage->driver, "\x1b");
        assert_string_equal(driver_screen_name(stage->driver), "table");
    }
}

static void words_typed_without_the_c_decide_nothing_in_any_game(void **state)
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct stage *stage = *state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct game_view view;
        stage_clear(stage);
        stage_init(stage, &setup, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(stage, 3);
        bool is_running = true;
        for (int turns = 0; is_running && turns < 25;) {
            stage_write_view(stage, &view);
            if (view_viewer_may_move(&view)) {
                type_words_without_opening_the_talk_line(stage);
                turns++;
            }
            is_running = stage_make_random_move(stage);
        }
    }
}

static void letters_select_and_a_second_enter_takes_the_card(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, PLAY));
    for (int i = 0; i < 20 && !driver_shows(stage->driver, "Enter again takes this: "); i++) {
        assert_nothing_sent(stage);
        driver_type(stage->driver, "l\r"); /* the next card, until one may be played */
    }
    assert_nothing_sent(stage);
    driver_type(stage->driver, "\r");
    assert_non_null(find_sent_move(stage));
}

static void a_number_that_may_go_on_waits_beside_the_choices(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, BID));
    driver_type(stage->driver, "1");
    driver_expect(stage->driver, "1_  Enter confirms 1");
    driver_expect(stage->driver, "c to talk, / for a command");
    driver_type(stage->driver, "\x1b");
    driver_expect_not(stage->driver, "1_");
    driver_type(stage->driver, "1\x7f");
    driver_expect_not(stage->driver, "1_");
    driver_type(stage->driver, "\r");
    assert_nothing_sent(stage);
    driver_type(stage->driver, "1\x1b[C");
    driver_expect_not(stage->driver, "1_"); /* the arrow has selected another number */
    driver_type(stage->driver, "\r");
    assert_string_equal(find_sent_move(stage), "bid:2");
}

static void a_digit_that_does_not_continue_the_number_decides_nothing(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, BID));
    driver_type(stage->driver, "15");
    assert_nothing_sent(stage);
    driver_expect(stage->driver, "15 is no choice here: Enter confirms 1, Esc takes it back.");
    driver_type(stage->driver, "\r");
    assert_string_equal(find_sent_move(stage), "bid:1");
}

/* Deals until the viewer leads the first trick, so that the first card follows the last bid at
 * once. */
static void deal_until_viewer_leads(struct stage *stage)
{
    struct game_view view;
    for (uint32_t deal = 1; deal < 100; deal++) {
        stage_deal(stage, deal);
        do {
            assert_true(stage_make_random_move(stage));
            stage_write_view(stage, &view);
        } while (view.phase == BID);
        if (view_viewer_may_move(&view)) {
            return;
        }
    }
    fail();
}

static void a_key_typed_for_the_old_screen_plays_no_card(void **state)
{
    struct stage *stage = *state;
    deal_until_viewer_leads(stage);
    driver_type_too_late(stage->driver, "3\r");
    assert_nothing_sent(stage);
    driver_expect(stage->driver, "3 came too early for this screen: press it again.");
    driver_type(stage->driver, "3");
    assert_non_null(find_sent_move(stage));
    carry_out_sent_move(stage);
    /* the cards have moved up: the key means another card, and the turn is over */
    driver_type_too_late(stage->driver, "33");
    assert_nothing_sent(stage);
    driver_expect(stage->driver, "3 came too early for this screen: press it again.");
}

static void every_key_that_comes_too_early_says_so(void **state)
{
    static const struct {
        const char *keys, *answer;
    } early[] = {{"\r", "Enter came too early"},
                 {"3", "3 came too early"},
                 {"j", "j came too early"},
                 {"\x1b[C", "That key came too early"},
                 {"\x1b[A", "That key came too early"},
                 {"\t", "That key came too early"},
                 {"\x7f", "That key came too early"},
                 {"\033[<0;9;19M", "The click came too early"}};
    struct stage *stage = *state;
    deal_until_viewer_leads(stage);
    for (size_t i = 0; i < ARRAY_LEN(early); i++) {
        driver_type_too_late(stage->driver, early[i].keys);
        assert_nothing_sent(stage);
        driver_expect(stage->driver, early[i].answer);
    }
    driver_type(stage->driver, "\r"); /* no early arrow has selected a card */
    assert_nothing_sent(stage);
}

static void a_key_pressed_before_the_turn_plays_nothing_by_itself(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    do {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    } while (view.phase != PLAY || view_viewer_may_move(&view));
    driver_type(stage->driver, "2");
    driver_expect(stage->driver, "Not your turn yet: 2 again or Enter plays");
    assert_true(stage_play_until_turn(stage, PLAY));
    assert_nothing_sent(stage);
}

/* Finds a game with moves that are made by pointing at other players' cards, and plays until the
 * viewer may make one. */
static bool play_until_pointing(struct stage *stage)
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->face->aim == NULL) {
            continue;
        }
        stage_clear(stage);
        stage_init(stage, &setup, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(stage, 3);
        struct game_view view;
        struct aims aims;
        do {
            stage_write_view(stage, &view);
            aims_collect_pointing_moves(&view, &aims);
        } while (aims.count == 0 && stage_make_random_move(stage));
        return aims.count > 0;
    }
    return false;
}

static void enter_alone_gives_no_clue_that_nobody_has_chosen(void **state)
{
    struct stage *stage = *state;
    assert_true(play_until_pointing(stage));
    driver_type(stage->driver, "\r");
    assert_nothing_sent(stage);
    driver_expect(stage->driver, "Enter again gives this clue");
    driver_type(stage->driver, "\r");
    carry_out_sent_move(stage);
    driver_type(stage->driver, "\r");
    assert_nothing_sent(stage);
}

/* Finds a game that suggests one of its listed choices, and plays until it does so. Writes that
 * choice as it is sent. */
static bool play_until_suggestion(struct stage *stage, char sent[MOVE_TEXT_MAX])
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->face->suggest == NULL) {
            continue;
        }
        struct game_view view;
        struct choices choices;
        uint8_t move;
        stage_clear(stage);
        stage_init(stage, &setup, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(stage, 3);
        do {
            stage_write_view(stage, &view);
            choices_collect(&view, &choices);
            move = view_viewer_may_move(&view) ? view.game->face->suggest(&view) : MOVE_NONE;
        } while ((move == MOVE_NONE || choices.count == 0) && stage_make_random_move(stage));
        struct text text = text_init(sent, MOVE_TEXT_MAX);
        game_move_write(stage->game, move, &text);
        return true;
    }
    return false;
}

static void a_choice_selected_in_advance_is_made_only_by_a_second_enter(void **state)
{
    static const char *const others[] = {"t", "c\x1b", "q\x1b", "X\r", ",", "\x1b"};
    struct stage *stage = *state;
    char suggested[MOVE_TEXT_MAX];
    assert_true(play_until_suggestion(stage, suggested));
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        driver_expect(stage->driver, "Enter twice predicts");
        driver_type(stage->driver, "\r");
        assert_nothing_sent(stage);
        driver_expect(stage->driver, "Enter again predicts");
        driver_type(stage->driver, others[i]); /* now the next Enter is the first one again */
    }
    driver_type(stage->driver, "\r\r");
    assert_string_equal(find_sent_move(stage), suggested);
    driver_refuse(stage->driver, "move", "later", "Not yet.");
    driver_type(stage->driver, "2");
    driver_expect(stage->driver, "Enter predicts 2:");
    driver_type(stage->driver, "\x1b\x1b[D");
    driver_expect_not(stage->driver, "Enter twice predicts");
    driver_type(stage->driver, "\r");
    assert_non_null(find_sent_move(stage));
    assert_string_not_equal(find_sent_move(stage), suggested);
}

/* Plays until it is another player's turn to play a card. */
static void play_until_others_turn(struct stage *stage)
{
    struct game_view view;
    do {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    } while (view.phase != PLAY || view_viewer_may_move(&view) || view.trick.count != 0);
}

static void a_chosen_card_is_marked_and_played_at_ones_turn_if_legal(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    int played = 0, refused = 0;
    for (uint32_t deal = 1; deal < 40 && (played == 0 || refused == 0); deal++) {
        stage_deal(stage, deal);
        play_until_others_turn(stage);
        driver_wait(stage->driver, 1500);
        driver_type(stage->driver, "11");
        driver_expect(stage->driver, "plays itself (Esc takes it back)");
        driver_expect(stage->driver, ">1");
        do {
            assert_nothing_sent(stage);
            assert_true(stage_make_random_move(stage));
            stage_write_view(stage, &view);
        } while (!view_viewer_may_move(&view));
        played += find_sent_move(stage) != NULL;
        refused += driver_shows(stage->driver, "was not played: must follow");
        assert_true(driver_shows(stage->driver, "Played as you wanted") ==
                    (find_sent_move(stage) != NULL));
        if (find_sent_move(stage) != NULL) {
            carry_out_sent_move(stage);
        }
    }
    assert_true(played > 0 && refused > 0);
}

static void a_chosen_card_can_be_taken_back(void **state)
{
    static const char *const ways[] = {"\x1b", "/premove off\r"};
    struct stage *stage = *state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        stage_deal(stage, 5);
        play_until_others_turn(stage);
        driver_wait(stage->driver, 1500);
        driver_type(stage->driver, "/premove 1\r");
        driver_expect(stage->driver, "will play itself at your turn");
        driver_type(stage->driver, ways[i]);
        driver_expect_not(stage->driver, "plays itself (");
        assert_true(stage_play_until_turn(stage, PLAY));
        assert_nothing_sent(stage);
    }
}

static void a_chosen_bid_is_made_at_ones_turn(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/premove bid 4\r");
    driver_expect(stage->driver, "4 will play itself at your turn");
    assert_true(stage_play_until_turn(stage, BID));
    assert_non_null(find_sent_move(stage));
    assert_string_equal(find_sent_move(stage), "bid:4");
}

static void a_chosen_card_is_forgotten_at_the_end_of_the_round(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    play_until_others_turn(stage);
    driver_wait(stage->driver, 1500);
    driver_type(stage->driver, "/premove 1\r");
    do { /* the core plays the player's cards, as a bot does for somebody who is away */
        assert_true(stage_make_random_move(stage));
        if (driver_find_request(stage->driver, "move") != NULL) {
            driver_refuse(stage->driver, "move", "late", "Too late.");
        }
        stage_write_view(stage, &view);
    } while (view.round == 1);
    driver_wait(stage->driver, 2000);
    driver_expect_not(stage->driver, "plays itself (");
}

/* Plays until the viewer has to play the last card of a round. */
static void play_until_last_card(struct stage *stage)
{
    struct game_view view;
    for (;;) {
        assert_true(stage_play_until_turn(stage, PLAY));
        stage_write_view(stage, &view);
        int cards = 0;
        for (uint8_t i = 0; i < view.slot_count[0]; i++) {
            cards += !view.hands[0][i].is_empty;
        }
        if (cards == 1) {
            return;
        }
        assert_true(stage_make_random_move(stage));
    }
}

static void the_last_card_plays_itself_only_if_the_player_wants_that(void **state)
{
    struct stage *stage = *state;
    play_until_last_card(stage);
    driver_wait(stage->driver, 5000);
    assert_nothing_sent(stage);
    driver_type(stage->driver, "/auto on\r");
    const json_t *stored = driver_find_request(stage->driver, "settings_set");
    assert_true(json_is_true(json_object_get(json_object_get(stored, "settings"), "auto_play")));
    driver_answer(stage->driver, "settings_set", NULL);
    stage_make_random_move(stage);
    play_until_last_card(stage);
    assert_nothing_sent(stage); /* it can be seen for a moment */
    driver_wait(stage->driver, 2500);
    driver_wait(stage->driver, 2500);
    assert_non_null(find_sent_move(stage));
}

static void the_space_bar_talks_but_not_just_after_a_trick(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    driver_type(stage->driver, " hello there\r");
    assert_string_equal(find_sent_text(stage, "say", "text"), "hello there");
    driver_answer(stage->driver, "say", NULL);
    do {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    } while (view.past_count != 1 || view.trick.count != 0);
    driver_type(stage->driver, "  "); /* the second one comes too late to skip the trick */
    driver_expect(stage->driver, "c to talk, / for a command");
    driver_wait(stage->driver, 2000);
    driver_type(stage->driver, " ");
    driver_expect(stage->driver, "say it");
}

static void the_prompt_and_the_clock_stay_in_sight_while_one_types(void **state)
{
    static const struct {
        int columns, rows;
    } sizes[] = {{80, 24}, {60, 18}, {120, 40}};
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, PLAY));
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        driver_resize(stage->driver, sizes[i].columns, sizes[i].rows);
        driver_type(stage->driver, "/help adjourn\r");
        driver_type(stage->driver, "cone moment please");
        driver_push(stage->driver,
                    "{\"t\":\"notice\",\"kind\":\"info\",\"text\":\"It begins here and "
                    "has so much to say that one row of the window is not enough, "
                    "nor two of them, nor three or four, as people do who have "
                    "all evening, and that is the reason why it ends here.\"}");
        driver_expect(stage->driver, "one moment please");
        driver_expect(stage->driver, "◄ ");
        driver_expect(stage->driver, "0:");
        struct game_view view;
        stage_write_view(stage, &view);
        for (uint8_t card = 0; card < view.slot_count[0]; card++) {
            const char key[] = {hand_keyboard_key_of_place(card), '\0'};
            driver_expect(stage->driver, key);
        }
        driver_type(stage->driver, "\x1b");
    }
}

TEST_GROUP(typing_safe)
{
    const struct CMUnitTest tests[] = {
        at_table(enter_after_a_bid_opens_no_talk_line),
        at_table(letters_and_enter_name_the_keys_of_the_table),
        at_table(a_line_that_is_a_move_is_that_move_and_no_talk),
        at_table(a_card_a_wrong_number_or_another_phases_move_is_never_said),
        at_table(sentences_are_said_whoever_has_the_turn),
        at_table(a_move_typed_before_ones_turn_is_not_said),
        at_table(words_typed_without_the_c_decide_nothing_in_any_game),
        at_table(letters_select_and_a_second_enter_takes_the_card),
        at_table(a_number_that_may_go_on_waits_beside_the_choices),
        at_table(a_digit_that_does_not_continue_the_number_decides_nothing),
        at_table(a_key_typed_for_the_old_screen_plays_no_card),
        at_table(every_key_that_comes_too_early_says_so),
        at_table(a_key_pressed_before_the_turn_plays_nothing_by_itself),
        at_table(enter_alone_gives_no_clue_that_nobody_has_chosen),
        at_table(a_choice_selected_in_advance_is_made_only_by_a_second_enter),
        at_table(a_chosen_card_is_marked_and_played_at_ones_turn_if_legal),
        at_table(a_chosen_card_can_be_taken_back),
        at_table(a_chosen_bid_is_made_at_ones_turn),
        at_table(a_chosen_card_is_forgotten_at_the_end_of_the_round),
        at_table(the_last_card_plays_itself_only_if_the_player_wants_that),
        at_table(the_space_bar_talks_but_not_just_after_a_trick),
        at_table(the_prompt_and_the_clock_stay_in_sight_while_one_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
