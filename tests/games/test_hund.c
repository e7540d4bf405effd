#include "tests/games/hund_table.h"
#include "tests/unit.h"

#include <string.h>

static void start_game(uint8_t players, bool has_more_cards, bool has_select,
                       struct game_state *state)
{
    struct game_config config = hund_table_make_config(players, has_more_cards, has_select);
    assert_int_equal(game_start(&hund_game, &config, counting_seed, state, NULL), GAME_OK);
}

static void all_cards_are_dealt_and_the_option_more_cards_adds_50_percent_more_values(void **unused)
{
    (void)unused;
    static const uint8_t values[2][6] = {{0, 0, 6, 6, 8, 10}, {0, 0, 9, 9, 12, 15}};
    for (unsigned more = 0; more < 2; more++) {
        for (uint8_t players = 2; players <= 5; players++) {
            struct game_state bytes;
            start_game(players, more == 1, true, &bytes);
            struct hund state = hund_table_get_state(&bytes);
            struct card_set all = {{0, 0}};
            for (uint8_t seat = 0; seat < state.table.seats; seat++) {
                all.bits[0] |= state.table.hands[seat].bits[0];
                all.bits[1] |= state.table.hands[seat].bits[1];
            }
            assert_int_equal(state.table.slot_count, more == 1 ? 15 : 10);
            for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
                assert_int_equal(hund_values_of_suit(all, suit), (1 << values[more][players]) - 1);
            }
        }
    }
}

static void the_published_seed_gives_the_published_deals(void **unused)
{
    (void)unused;
    static const char *const basic[] = {"purple-1", "grey-5", "pink-4"};
    static const char *const select[] = {"green-5", "purple-1", "grey-2"};
    struct game_state bytes;
    start_game(3, false, false, &bytes);
    struct hund state = hund_table_get_state(&bytes);
    assert_int_equal(state.dealer, 1);
    assert_int_equal(state.first, 2);
    assert_int_equal(state.pile[0], 2);
    assert_int_equal(state.table.to_act, 1 << 2);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(state.table.slots[0][i], hund_table_find_card(basic[i]));
    }
    start_game(2, false, true, &bytes);
    state = hund_table_get_state(&bytes);
    assert_int_equal(state.dealer, 1);
    assert_int_equal(state.first, 1);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(state.table.slots[0][i], hund_table_find_card(select[i]));
    }
}

static void a_player_must_follow_suit_if_able_and_otherwise_may_trump_or_not(void **unused)
{
    (void)unused;
    const struct hund_setup setup = {
        .players = 3,
        .hands = {"grey-1 grey-5", "pink-2 grey-4", "green-6 grey-3"},
        .number = 1,
    };
    struct game_state state = hund_table_start_round(&setup);
    struct game_view view;
    HUND_MAKE(&state, "0 play:grey-1"); /* this play makes grey trump */
    assert_int_equal(hund_table_try_move(&state, 1, "play:pink-2"), GAME_ILLEGAL);
    HUND_MAKE(&state, "1 play:grey-4", "2 play:grey-3", "1 play:pink-2");
    game_fill_view(&hund_game, &state, 2, &view);
    assert_int_equal(view.to_act, 1 << 2);
    assert_int_equal(move_set_count(&view.legal), 1);
    struct hund open = hund_table_get_state(&state);
    uint8_t cards[] = {hund_table_find_card("green-6"), hund_table_find_card("grey-2")};
    table_give_hand(&open.table, 2, cards,
                    2); /* neither card is of the suit led, so both may be played */
    hund_table_set_state(&open, &state);
    game_fill_view(&hund_game, &state, 2, &view);
    assert_int_equal(move_set_count(&view.legal), 2);
}

static void a_new_trump_suit_applies_to_cards_played_earlier_in_the_trick(void **unused)
{
    (void)unused;
    const struct hund_setup setup = {
        .players = 4,
        .hands = {"grey-6 pink-3", "pink-5 pink-4", "pink-1 green-2", "grey-8 green-3"},
        .number = 1,
    };
    struct game_state state = hund_table_start_round(&setup);
    struct game_view view;
    HUND_MAKE(&state, "0 play:grey-6",
              "1 play:pink-5"); /* pink-5 does not follow suit and cannot win yet */
    struct hund open = hund_table_get_state(&state);
    assert_int_equal(open.table.best_seat, 0);
    HUND_MAKE(&state, "2 play:pink-1",
              "3 play:grey-8"); /* pink-1 made pink trump, so pink-5 wins */
    game_fill_view(&hund_game, &state, SPECTATOR, &view);
    assert_int_equal(view.past[0].winner, 1);
    assert_int_equal(view.to_act, 1 << 1);
}

static void the_highest_trump_wins_or_else_the_highest_card_of_the_suit_led(void **unused)
{
    (void)unused;
    const struct hund_setup setup = {
        .players = 3,
        .hands = {"grey-3 pink-1 grey-1", "grey-5 green-6 pink-2", "yellow-6 pink-6 pink-4"},
        .number = 1,
    };
    struct game_state state = hund_table_start_round(&setup);
    struct game_view view;
    HUND_MAKE(&state, "0 play:grey-3", "1 play:grey-5", "2 play:yellow-6");
    HUND_MAKE(&state, "1 play:green-6", "2 play:pink-6", "0 play:pink-1");
    game_fill_view(&hund_game, &state, SPECTATOR, &view);
    assert_int_equal(view.past[0].winner, 1);
    assert_int_equal(
        view.past[1].winner,
        2); /* the higher of two trumps wins; the lower one is the card that made its suit trump */
}

static void when_the_fourth_suit_gets_its_role_the_last_suit_gets_the_fifth_role(void **unused)
{
    (void)unused;
    const struct hund_setup setup = {
        .players = 3, .hands = {"grey-1", "purple-1", "yellow-1"}, .number = 4};
    struct game_state state = hund_table_start_round(&setup);
    struct hund_board board = hund_table_get_state(&state).board;
    assert_int_equal(hund_board_give_roles(&board, hund_table_find_card("yellow-3")), 0);
    assert_int_equal(hund_board_give_roles(&board, hund_table_find_card("yellow-4")), 1);
    assert_int_equal(hund_board_give_roles(&board, hund_table_find_card("grey-4")), 1);
    assert_int_equal(hund_board_give_roles(&board, hund_table_find_card("green-4")), 1);
    assert_int_equal(hund_board_give_roles(&board, hund_table_find_card("purple-4")), 2);
    assert_int_equal(hund_board_give_roles(&board, hund_table_find_card("pink-4")), 0);
    static const uint8_t roles[] = {4, 0, 3, 1, 2};
    assert_memory_equal(board.roles, roles, sizeof(roles));
}

static void assert_bonus_winners(const uint8_t hund_counts[SEATS_MAX], uint8_t seats,
                                 unsigned winners)
{
    const struct hund_board board = {.count = HUND_ROLES, .roles = {0, 1, 2, 3, 4}};
    uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX] = {{0}};
    struct hund_result result = {.chooser = 0};
    for (uint8_t seat = 0; seat < seats; seat++) {
        counts[seat][HUND_HUND] = hund_counts[seat];
    }
    hund_fill_points(&board, seats, counts, &result);
    for (uint8_t seat = 0; seat < seats; seat++) {
        assert_int_equal(result.points[seat], result.parts[HUND_PART_HUND][seat]);
        assert_int_equal(result.parts[HUND_PART_HUND][seat], (winners >> seat & 1) != 0 ? 3 : 0);
    }
}

static void
players_with_most_or_fewest_hund_cards_get_no_bonus_and_the_others_3_points(void **unused)
{
    (void)unused;
    assert_bonus_winners((const uint8_t[SEATS_MAX]){0, 0, 2, 3, 5}, 5, 1U << 2 | 1U << 3);
    assert_bonus_winners((const uint8_t[SEATS_MAX]){3, 2, 1, 4}, 4, 1U << 0 | 1U << 1);
    assert_bonus_winners((const uint8_t[SEATS_MAX]){3, 3, 0}, 3, 0);
    assert_bonus_winners((const uint8_t[SEATS_MAX]){2, 2, 2}, 3, 0);
    assert_bonus_winners((const uint8_t[SEATS_MAX]){0, 1, 5}, 3, 1U << 1);
}

/* There are three players and two tricks. In the first trick, all suits get their roles; pink gets
 * the last role. */
static const struct hund_setup short_round = {
    .players = 3,
    .hands = {"grey-1 pink-1", "purple-1 green-2", "yellow-1 green-1"},
    .number = 1,
};

struct told {
    char lines[8192];
    struct text text;
    struct score_row row;
};

static void collect_event(void *context, const struct game_event *event)
{
    struct told *told = context;
    text_put(&told->text, event->json.at);
    text_put_char(&told->text, '\n');
    if (event->is_score) {
        told->row = event->row;
    }
}

static void events_are_sent_in_order_and_have_only_the_documented_keys(void **unused)
{
    (void)unused;
    static struct told told;
    told.text = text_init(told.lines, sizeof(told.lines));
    struct game_log log = {.context = &told, .event = collect_event};
    struct game_state state = hund_table_start_round(&short_round);
    static const char *const moves[] = {"0 play:grey-1", "1 play:purple-1", "2 play:yellow-1",
                                        "0 play:pink-1", "1 play:green-2",  "2 play:green-1"};
    for (size_t i = 0; i < ARRAY_LEN(moves); i++) {
        played_make_moves(&hund_game, &state, &moves[i], 1, &log);
    }
    static const char expected[] = "{\"e\":\"played\",\"seat\":0,\"card\":\"grey-1\"}\n"
                                   "{\"e\":\"designated\",\"role\":\"trump\",\"suit\":\"grey\"}\n"
                                   "{\"e\":\"played\",\"seat\":1,\"card\":\"purple-1\"}\n"
                                   "{\"e\":\"designated\",\"role\":\"plus\",\"suit\":\"purple\"}\n"
                                   "{\"e\":\"played\",\"seat\":2,\"card\":\"yellow-1\"}\n"
                                   "{\"e\":\"designated\",\"role\":\"hund\",\"suit\":\"yellow\"}\n"
                                   "{\"e\":\"trick\",\"winner\":0}\n"
                                   "{\"e\":\"played\",\"seat\":0,\"card\":\"pink-1\"}\n"
                                   "{\"e\":\"designated\",\"role\":\"minus\",\"suit\":\"pink\"}\n"
                                   "{\"e\":\"designated\",\"role\":\"lead\",\"suit\":\"green\"}\n"
                                   "{\"e\":\"played\",\"seat\":1,\"card\":\"green-2\"}\n"
                                   "{\"e\":\"played\",\"seat\":2,\"card\":\"green-1\"}\n"
                                   "{\"e\":\"trick\",\"winner\":0}\n"
                                   "{\"e\":\"score\",\"round\":[0,0,0],\"total\":[0,0,0],"
                                   "\"lead\":0}\n{\"e\":\"round\",\"n\":2,\"hands\":[[\"";
    assert_memory_equal(told.lines, expected, sizeof(expected) - 1);
    assert_non_null(strstr(told.lines, "\"]],\"dealer\":1,\"order\":[2,0,1],\"designator\":"));
    assert_int_equal(told.row.part_count, HUND_PARTS);
    assert_int_equal(told.row.parts[HUND_PART_PLUS][0], 1);
    assert_int_equal(told.row.parts[HUND_PART_MINUS][0], -1);
    assert_false(hund_game.stat.is_hit(&told.row, 0));
}

static void who_took_most_cards_of_the_lead_suit_chooses_the_next_first_player(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&short_round);
    struct game_view view;
    HUND_MAKE(&state, "0 play:grey-1", "1 play:purple-1", "2 play:yellow-1", "0 play:pink-1",
              "1 play:green-2", "2 play:green-1");
    game_fill_view(&hund_game, &state, 0, &view);
    assert_int_equal(view.phase, HUND_START);
    assert_int_equal(view.to_act, 1 << 0);
    assert_int_equal(view.round, 2);
    assert_int_equal(hund_known(&view)->first, HUND_SEAT_NONE);
    assert_int_equal(hund_known(&view)->dealer, 1); /* the seat to the dealer's left deals next */
    assert_int_not_equal(view.hands[0][0].card, CARD_NONE);
    assert_int_equal(move_set_count(&view.legal), 3);
    HUND_MAKE(&state, "0 start:2");
    game_fill_view(&hund_game, &state, 0, &view);
    assert_int_equal(view.phase, HUND_PLAY);
    assert_int_equal(view.to_act, 1 << 2);
    assert_int_equal(hund_known(&view)->first, 2);
}

/* Returns a round whose tricks are all played; the seat winners[i] took trick i. `cards` lists the
 * cards of all tricks in order. */
static struct hund make_finished_round(uint8_t players, const char *const *cards,
                                       const uint8_t *winners, uint8_t tricks)
{
    struct game_state bytes;
    start_game(players, false, false, &bytes);
    struct hund state = hund_table_get_state(&bytes);
    static const uint8_t roles[] = {0, 1, 2, 3, 4}; /* yellow is the lead suit */
    memcpy(state.board.roles, roles, sizeof(roles));
    state.board.count = HUND_ROLES;
    state.table.past_count = tricks;
    for (uint8_t i = 0; i < tricks; i++) {
        state.table.leads[i + 1] = winners[i];
        for (uint8_t j = 0; j < state.table.seats; j++) {
            uint8_t at = (uint8_t)(i * state.table.seats + j);
            state.table.plays[at] = hund_table_find_card(cards[at]);
        }
    }
    return state;
}

static void the_highest_card_of_the_lead_suit_breaks_a_tie_for_most_such_cards(void **unused)
{
    (void)unused;
    static const char *const cards[] = {"yellow-2", "yellow-5", "grey-1", "yellow-6", "yellow-1",
                                        "grey-2",   "yellow-3", "grey-3", "grey-4"};
    static const uint8_t winners[] = {1, 2, 0};
    struct hund state = make_finished_round(3, cards, winners, 3);
    struct hund_result result;
    hund_compute_result(&state, &result);
    assert_int_equal(result.chooser, 2);
}

static void a_plus_card_gains_a_point_and_a_minus_card_loses_one(void **unused)
{
    (void)unused;
    static const char *const cards[] = {
        "purple-1", "purple-2", "pink-1", /* pink is the hund suit; seat 0 has neither most nor
                                             fewest pink cards */
        "green-1",  "green-2",  "purple-3", "pink-2", "pink-3", "green-3"};
    static const uint8_t winners[] = {0, 1, 2};
    struct hund state = make_finished_round(3, cards, winners, 3);
    struct hund_result result;
    hund_compute_result(&state, &result);
    assert_int_equal(result.points[0], 2 + 3);
    assert_int_equal(result.points[1], 1 - 2);
    assert_int_equal(result.points[2], -1);
    assert_int_equal(result.parts[HUND_PART_HUND][0], 3);
}

static void the_designating_numbers_of_later_rounds_are_secret(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&short_round);
    struct hund open = hund_table_get_state(&state);
    static const uint8_t piles[2][HUND_SUITS] = {{1, 2, 3, 4, 5}, {1, 5, 4, 2, 3}};
    static char texts[2][VIEW_TEXT_MAX];
    for (unsigned i = 0; i < 2; i++) {
        memcpy(open.pile, piles[i], HUND_SUITS);
        hund_table_set_state(&open, &state);
        struct game_view view;
        game_fill_view(&hund_game, &state, 1, &view);
        assert_int_equal(hund_known(&view)->designator, 1);
        struct text text = text_init(texts[i], VIEW_TEXT_MAX);
        view_write(&view, &text);
    }
    assert_string_equal(texts[0], texts[1]);
}

static void the_basic_game_has_five_rounds_and_uses_each_designating_number_once(void **unused)
{
    (void)unused;
    struct game_state bytes;
    start_game(4, false, false, &bytes);
    struct hund state = hund_table_get_state(&bytes);
    unsigned numbers = 0;
    for (unsigned i = 0; i < HUND_SUITS; i++) {
        numbers |= 1U << state.pile[i];
    }
    assert_int_equal(numbers, 62);
    assert_int_equal(state.table.rounds, 5);
    state.table.scores[2] = 40; /* in a game without `select` a total of 20 does not end the game */
    assert_false(hund_game_is_over(&state));
    state.table.round = 5;
    assert_true(hund_game_is_over(&state));
}

static void
players_select_designating_cards_in_turn_starting_left_of_the_first_player(void **unused)
{
    (void)unused;
    const struct hund_setup setup = {
        .players = 3,
        .has_select = true,
        .hands = {"grey-1 pink-1", "purple-1 green-2", "yellow-1 green-1"},
        .first = 1,
    };
    struct game_state state = hund_table_start_round(&setup);
    struct game_view view;
    game_fill_view(&hund_game, &state, 2, &view);
    assert_int_equal(view.phase, HUND_SELECT);
    assert_int_equal(move_set_count(&view.legal), 30);
    HUND_MAKE(&state, "2 select:yellow-5");
    game_fill_view(&hund_game, &state, 0, &view);
    assert_int_equal(move_set_count(&view.legal), 20);
    assert_int_equal(hund_table_try_move(&state, 0, "select:yellow-4"), GAME_ILLEGAL);
    assert_int_equal(hund_table_try_move(&state, 0, "select:grey-5"), GAME_ILLEGAL);
    assert_int_equal(hund_table_try_move(&state, 0, "select:grey-7"), GAME_ILLEGAL);
    assert_int_equal(hund_table_try_move(&state, 0, "play:grey-1"), GAME_ILLEGAL);
    HUND_MAKE(&state, "0 select:grey-1", "1 select:purple-2", "2 select:pink-4",
              "0 select:green-6");
    game_fill_view(&hund_game, &state, 1, &view);
    assert_int_equal(view.phase, HUND_PLAY);
    assert_int_equal(view.to_act, 1 << 1);
    assert_int_equal(hund_known(&view)->sets[0], hund_table_find_card("yellow-5"));
    assert_int_equal(hund_known(&view)->sets[4], hund_table_find_card("green-6"));
    assert_int_equal(hund_known(&view)->sets[5], CARD_NONE);
    HUND_MAKE(&state, "1 play:purple-1", "2 play:yellow-1", "0 play:grey-1");
    struct hund open = hund_table_get_state(&state);
    assert_int_equal(open.board.count, 1); /* purple-1 and yellow-1 are no designating cards */
    assert_int_equal(open.board.roles[HUND_TRUMP], 0);
}

static void the_first_player_is_chosen_before_players_select_designating_cards(void **unused)
{
    (void)unused;
    struct game_state state;
    start_game(3, false, true, &state);
    struct hund open = hund_table_get_state(&state);
    open.table.phase = HUND_START;
    open.table.to_act = 1 << 2;
    hund_table_set_state(&open, &state);
    struct game_view view;
    HUND_MAKE(&state, "2 start:0");
    game_fill_view(&hund_game, &state, SPECTATOR, &view);
    assert_int_equal(view.phase, HUND_SELECT);
    assert_int_equal(view.to_act, 1 << 1);
}

static void
with_the_option_select_the_game_ends_at_20_or_minus_15_or_after_its_rounds(void **unused)
{
    (void)unused;
    struct game_state bytes;
    start_game(3, false, true, &bytes);
    struct hund state = hund_table_get_state(&bytes);
    static const int16_t totals[] = {19, -14, 20, -15, 23, -18};
    for (unsigned i = 0; i < ARRAY_LEN(totals); i++) {
        state.table.scores[1] = totals[i];
        assert_int_equal(hund_game_is_over(&state), i >= 2);
    }
    state.table.scores[1] = 0;
    state.table.round = 5;
    assert_true(hund_game_is_over(&state));
}

static void a_total_may_be_above_20(void **unused)
{
    (void)unused;
    struct hund_setup setup = short_round;
    setup.has_select = true;
    struct game_state state = hund_table_start_round(&setup);
    HUND_MAKE(&state, "1 select:grey-1", "2 select:purple-2", "0 select:pink-3", "1 select:green-4",
              "2 select:yellow-5");
    struct hund open = hund_table_get_state(&state);
    static const uint8_t roles[] = {0, 1, 2, 3, 4};
    memcpy(open.board.roles, roles, sizeof(roles));
    open.board.count = HUND_ROLES;
    open.table.scores[0] = 19;
    open.table.scores[1] = 25; /* if totals were limited to 20, the game would have ended before */
    hund_table_set_state(&open, &state);
    HUND_MAKE(&state, "0 play:grey-1", "1 play:purple-1", "2 play:yellow-1", "0 play:pink-1",
              "1 play:green-2", "2 play:green-1");
    struct game_view view;
    game_fill_view(&hund_game, &state, SPECTATOR, &view);
    assert_int_equal(view.phase, PHASE_OVER);
    assert_int_equal(view.scores[0], 19 + 1 - 2);
    assert_int_equal(view.scores[1], 25);
    static struct game_outcome outcome;
    game_fill_outcome(&hund_game, &state, &outcome);
    assert_int_equal(outcome.winners, 1 << 1);
}

static void players_with_equal_totals_share_the_first_rank(void **unused)
{
    (void)unused;
    struct game_state state;
    start_game(4, false, false, &state);
    struct hund open = hund_table_get_state(&state);
    static const int16_t scores[] = {4, 9, 9, 4};
    static const uint8_t ranks[] = {3, 1, 1, 3};
    memcpy(open.table.scores, scores, sizeof(scores));
    hund_table_set_state(&open, &state);
    static struct game_outcome outcome;
    game_fill_outcome(&hund_game, &state, &outcome);
    assert_memory_equal(outcome.ranks, ranks, sizeof(ranks));
    assert_int_equal(outcome.winners, 1 << 1 | 1 << 2);
}

static void the_option_rounds_applies_only_with_the_option_select(void **unused)
{
    (void)unused;
    struct game_config config = hund_table_make_config(3, false, false);
    assert_true(game_config_set(&hund_game, &config, "rounds", "7"));
    assert_int_equal(game_config_check(&hund_game, &config), GAME_BAD_CONFIG);
    game_config_reset_unused_options(&hund_game, &config);
    assert_int_equal(game_config_check(&hund_game, &config), GAME_OK);
    char buffer[128];
    struct text text = text_init(buffer, sizeof(buffer));
    game_config_write(&hund_game, &config, &text);
    assert_string_equal(buffer, "{\"more-cards\":false,\"select\":false,\"rounds\":5}");
}

TEST_GROUP(hund)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cards_are_dealt_and_the_option_more_cards_adds_50_percent_more_values),
        cmocka_unit_test(the_published_seed_gives_the_published_deals),
        cmocka_unit_test(a_player_must_follow_suit_if_able_and_otherwise_may_trump_or_not),
        cmocka_unit_test(a_new_trump_suit_applies_to_cards_played_earlier_in_the_trick),
        cmocka_unit_test(the_highest_trump_wins_or_else_the_highest_card_of_the_suit_led),
        cmocka_unit_test(when_the_fourth_suit_gets_its_role_the_last_suit_gets_the_fifth_role),
        cmocka_unit_test(
            players_with_most_or_fewest_hund_cards_get_no_bonus_and_the_others_3_points),
        cmocka_unit_test(events_are_sent_in_order_and_have_only_the_documented_keys),
        cmocka_unit_test(who_took_most_cards_of_the_lead_suit_chooses_the_next_first_player),
        cmocka_unit_test(the_highest_card_of_the_lead_suit_breaks_a_tie_for_most_such_cards),
        cmocka_unit_test(a_plus_card_gains_a_point_and_a_minus_card_loses_one),
        cmocka_unit_test(the_designating_numbers_of_later_rounds_are_secret),
        cmocka_unit_test(the_basic_game_has_five_rounds_and_uses_each_designating_number_once),
        cmocka_unit_test(
            players_select_designating_cards_in_turn_starting_left_of_the_first_player),
        cmocka_unit_test(the_first_player_is_chosen_before_players_select_designating_cards),
        cmocka_unit_test(
            with_the_option_select_the_game_ends_at_20_or_minus_15_or_after_its_rounds),
        cmocka_unit_test(a_total_may_be_above_20),
        cmocka_unit_test(players_with_equal_totals_share_the_first_rank),
        cmocka_unit_test(the_option_rounds_applies_only_with_the_option_select),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
