#include "games/game.h"
#include "games/oh_hell/oh_hell.h"
#include "tests/unit.h"

#include <string.h>

static const uint8_t counting_seed[SEED_BYTES] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};

static struct game_config make_config(uint8_t players, const char *length, const char *scoring)
{
    struct game_config config = game_config_default(&oh_hell_game, players);
    assert_true(game_config_set(&oh_hell_game, &config, "length", length));
    assert_true(game_config_set(&oh_hell_game, &config, "scoring", scoring));
    return config;
}

/* Returns a started game whose first deal has the given hands, each written as "AS KH", and the
 * card `turnup` turned up for trump. Seat 0 is the dealer, so seat 1 begins. */
static struct game_state make_table_with_hands(const struct game_config *config,
                                               const char *const *hands, const char *turnup)
{
    struct game_state bytes;
    assert_int_equal(game_start(&oh_hell_game, config, counting_seed, &bytes, NULL), GAME_OK);
    struct oh_hell state;
    memcpy(&state, bytes.bytes, sizeof(state));
    uint8_t slots = 0;
    for (uint8_t seat = 0; seat < config->players; seat++) {
        uint8_t cards[SLOTS_MAX];
        slots = (uint8_t)((strlen(hands[seat]) + 1) / 3);
        for (uint8_t i = 0; i < slots; i++) {
            char name[3] = {hands[seat][3 * i], hands[seat][3 * i + 1], '\0'};
            cards[i] = card_parse(&standard_deck, name);
            assert_int_not_equal(cards[i], CARD_NONE);
        }
        table_give_hand(&state.table, seat, cards, slots);
    }
    table_begin_round(&state.table, 1, slots);
    state.dealer = 0;
    state.turnup = card_parse(&standard_deck, turnup);
    state.trump = card_suit(&standard_deck, state.turnup);
    table_set_lead(&state.table, 1);
    memcpy(bytes.bytes, &state, sizeof(state));
    return bytes;
}

static enum game_result try_move(struct game_state *state, uint8_t seat, const char *move)
{
    uint8_t code = game_move_parse(&oh_hell_game, move);
    assert_int_not_equal(code, MOVE_NONE);
    return game_apply(&oh_hell_game, state, seat, code, NULL);
}

/* Makes the moves, each written as seat and move such as "1 bid:2", in order. */
static void make_moves(struct game_state *state, const char *const *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(try_move(state, (uint8_t)(moves[i][0] - '0'), moves[i] + 2), GAME_OK);
    }
}

#define MAKE(state, ...)                                                                           \
    do {                                                                                           \
        const char *const moves[] = {__VA_ARGS__};                                                 \
        make_moves(state, moves, ARRAY_LEN(moves));                                                \
    } while (0)

static void fill_view_for(const struct game_state *state, int8_t seat, struct game_view *view)
{
    game_fill_view(&oh_hell_game, state, seat, view);
}

static void assert_hand_sizes(uint8_t players, const char *length, const char *expected)
{
    struct game_config config = make_config(players, length, "positive");
    char buffer[96];
    struct text text = text_init(buffer, sizeof(buffer));
    uint8_t rounds = oh_hell_round_count(config.options[OH_HELL_LENGTH], players);
    for (uint8_t round = 1; round <= rounds; round++) {
        text_put(&text, round > 1 ? " " : "");
        text_put_number(&text, oh_hell_hand_size(config.options[OH_HELL_LENGTH], players, round));
    }
    assert_string_equal(buffer, expected);
}

static void the_option_length_sets_the_hand_sizes(void **unused)
{
    (void)unused;
    assert_hand_sizes(4, "long", "10 9 8 7 6 5 4 3 2 1 2 3 4 5 6 7 8 9 10");
    assert_hand_sizes(6, "long", "8 7 6 5 4 3 2 1 2 3 4 5 6 7 8");
    assert_hand_sizes(7, "long", "7 6 5 4 3 2 1 2 3 4 5 6 7");
    assert_hand_sizes(3, "long-inverted", "1 2 3 4 5 6 7 8 9 10 9 8 7 6 5 4 3 2 1");
    assert_hand_sizes(7, "long-inverted", "1 2 3 4 5 6 7 6 5 4 3 2 1");
    assert_hand_sizes(5, "short-up-down", "6 5 4 3 2 1 2 3 4 5 6");
    assert_hand_sizes(7, "short-up-down", "6 5 4 3 2 1 2 3 4 5 6");
    assert_hand_sizes(5, "short-up", "1 2 3 4 5 6 7 8 9 10");
    assert_hand_sizes(6, "short-up", "1 2 3 4 5 6 7 8");
    assert_hand_sizes(7, "short-down", "7 6 5 4 3 2 1");
}

static void each_scoring_option_awards_its_points(void **unused)
{
    (void)unused;
    assert_int_equal(oh_hell_points(OH_HELL_POSITIVE, 2, 2), 12);
    assert_int_equal(oh_hell_points(OH_HELL_POSITIVE, 2, 1), 1);
    assert_int_equal(oh_hell_points(OH_HELL_POSITIVE, 2, 3), 3);
    assert_int_equal(oh_hell_points(OH_HELL_POSITIVE, 0, 0), 10);
    assert_int_equal(oh_hell_points(OH_HELL_NEUTRAL, 2, 2), 12);
    assert_int_equal(oh_hell_points(OH_HELL_NEUTRAL, 2, 3), 0);
    assert_int_equal(oh_hell_points(OH_HELL_NEUTRAL, 2, 0), 0);
    assert_int_equal(oh_hell_points(OH_HELL_NEGATIVE, 2, 2), 10);
    assert_int_equal(oh_hell_points(OH_HELL_NEGATIVE, 2, 5), -30);
    assert_int_equal(oh_hell_points(OH_HELL_NEGATIVE, 3, 1), -20);
}

static const char *const three_hands[] = {"AS KS 2H", "QH 3H 4C", "5C 6C TD"};

static void the_dealer_bids_last_and_may_not_make_the_bids_add_up_to_the_tricks(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, three_hands, "2D");
    struct game_view view;
    assert_int_equal(try_move(&state, 0, "bid:0"), GAME_NOT_YOUR_TURN);
    assert_int_equal(try_move(&state, 1, "bid:4"), GAME_ILLEGAL);
    fill_view_for(&state, 1, &view);
    assert_int_equal(oh_hell_forbidden_bid(&view), BID_NONE);
    MAKE(&state, "1 bid:1", "2 bid:0");
    fill_view_for(&state, 0, &view);
    assert_int_equal(oh_hell_forbidden_bid(&view), 2);
    assert_int_equal(move_set_count(&view.legal), 3);
    assert_int_equal(try_move(&state, 0, "bid:2"), GAME_ILLEGAL);
    assert_int_equal(try_move(&state, 0, "bid:3"), GAME_OK);
    assert_int_equal(try_move(&state, 1, "bid:1"), GAME_ILLEGAL);
}

static void after_any_bids_the_dealer_cannot_make_the_sum_equal_the_hand_size(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "long", "positive");
    for (uint8_t before = 0; before < 16; before++) {
        struct game_state state = make_table_with_hands(&config, three_hands, "2D");
        struct game_view view;
        int fits = 3 - before / 4 - before % 4;
        char moves[2][8] = {"bid:0", "bid:0"};
        moves[0][4] = (char)('0' + before / 4);
        moves[1][4] = (char)('0' + before % 4);
        assert_int_equal(try_move(&state, 1, moves[0]), GAME_OK);
        assert_int_equal(try_move(&state, 2, moves[1]), GAME_OK);
        fill_view_for(&state, 0, &view);
        assert_int_equal(oh_hell_forbidden_bid(&view), fits >= 0 ? fits : BID_NONE);
        for (int bid = 0; bid <= 3; bid++) {
            char move[8] = "bid:0";
            move[4] = (char)('0' + bid);
            bool is_legal = move_set_has(&view.legal, game_move_parse(&oh_hell_game, move));
            assert_int_equal(is_legal, bid != fits);
        }
    }
}

static void the_dealer_may_bid_anything_when_the_bids_exceed_the_hand_size(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, three_hands, "2D");
    struct game_view view;
    MAKE(&state, "1 bid:3", "2 bid:1");
    fill_view_for(&state, 0, &view);
    assert_int_equal(oh_hell_forbidden_bid(&view), BID_NONE);
    assert_int_equal(move_set_count(&view.legal), 4);
}

static void a_player_must_follow_suit_if_able_and_otherwise_may_play_any_card(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, three_hands, "2D");
    MAKE(&state, "1 bid:0", "2 bid:0", "0 bid:0", "1 play:QH");
    struct game_view view;
    fill_view_for(&state, 2, &view); /* seat 2 holds no heart, so it may play a trump or a club */
    assert_int_equal(move_set_count(&view.legal), 3);
    MAKE(&state, "2 play:5C");
    assert_int_equal(try_move(&state, 0, "play:AS"), GAME_ILLEGAL);
    assert_int_equal(try_move(&state, 0, "play:QH"), GAME_ILLEGAL);
    assert_int_equal(try_move(&state, 0, "play:2H"), GAME_OK);
}

static void the_highest_trump_wins_or_else_the_highest_card_of_the_suit_led(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, three_hands, "2D");
    struct game_view view;
    MAKE(&state, "1 bid:0", "2 bid:0", "0 bid:0");
    MAKE(&state, "1 play:QH", "2 play:TD", "0 play:2H"); /* the only trump in the trick */
    fill_view_for(&state, SPECTATOR, &view);
    assert_int_equal(view.last_trick.winner, 2);
    assert_int_equal(view.to_act, 1 << 2);
    MAKE(&state, "2 play:5C", "0 play:AS", "1 play:4C"); /* the ace is not of the suit led */
    fill_view_for(&state, SPECTATOR, &view);
    assert_int_equal(view.last_trick.winner, 2);
    assert_int_equal(view.past_count, 2);
    assert_int_equal(view.tricks[2], 2);
}

static void the_higher_of_two_trumps_wins(void **unused)
{
    (void)unused;
    static const char *const hands[] = {"9D 2S", "QH 3H", "TD 4S"};
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, hands, "2D");
    struct game_view view;
    MAKE(&state, "1 bid:0", "2 bid:0", "0 bid:0");
    MAKE(&state, "1 play:QH", "2 play:TD", "0 play:9D");
    fill_view_for(&state, SPECTATOR, &view);
    assert_int_equal(view.last_trick.winner, 2);
}

static void a_view_shows_the_last_trick_even_after_the_next_deal(void **unused)
{
    (void)unused;
    static const char *const hands[] = {"9D", "QH", "TD"};
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, hands, "2D");
    struct game_view view;
    MAKE(&state, "1 bid:0", "2 bid:1", "0 bid:1", "1 play:QH", "2 play:TD", "0 play:9D");
    fill_view_for(&state, 0, &view);
    assert_int_equal(view.round, 2);
    assert_int_equal(view.past_count, 0);
    assert_int_equal(view.trick.count, 0);
    assert_true(view.has_last_trick);
    assert_int_equal(view.last_trick.plays[0].card, card_parse(&standard_deck, "QH"));
    assert_int_equal(view.last_trick.winner, 2);
    assert_int_equal(view.bids[2], BID_NONE);
    assert_int_equal(view.tricks[2], 0);
    assert_int_equal(view.scores[0], 0);
    assert_int_equal(view.scores[1], 10);
    assert_int_equal(view.scores[2], 11);
    assert_int_equal(oh_hell_known(&view)->dealer, 1);
    assert_int_equal(oh_hell_known(&view)->size, 9);
    assert_int_equal(view.to_act, 1 << 2);
}

static void a_view_shows_nothing_of_the_other_hands(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "long", "positive");
    struct game_state state = make_table_with_hands(&config, three_hands, "2D");
    static char text[VIEW_TEXT_MAX];
    struct game_view view;
    MAKE(&state, "1 bid:0", "2 bid:0", "0 bid:0", "1 play:QH");
    for (int8_t viewer = SPECTATOR; viewer < 3; viewer++) {
        fill_view_for(&state, viewer, &view);
        struct text out = text_init(text, sizeof(text));
        view_write(&view, &out);
        for (uint8_t seat = 0; seat < 3; seat++) {
            for (size_t at = 0; at < strlen(three_hands[seat]); at += 3) {
                char name[5] = {'"', three_hands[seat][at], three_hands[seat][at + 1], '"', '\0'};
                bool is_open = seat == viewer || strcmp(name, "\"QH\"") == 0;
                assert_int_equal(strstr(text, name) != NULL, is_open);
            }
        }
    }
}

static void a_view_is_written_as_the_documented_json(void **unused)
{
    (void)unused;
    struct game_config config = make_config(3, "short-down", "positive");
    struct game_state state = make_table_with_hands(&config, three_hands, "2D");
    char buffer[VIEW_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    struct game_view view;
    MAKE(&state, "1 bid:0", "2 bid:1", "0 bid:0", "1 play:QH", "2 play:TD");
    fill_view_for(&state, 0, &view);
    view_write(&view, &text);
    assert_string_equal(
        buffer, "{\"game\":\"oh-hell\",\"format\":3,\"seat\":0,\"step\":5,\"phase\":\"play\",\"to_"
                "act\":[0],\"round\":1,"
                "\"rounds\":10,\"hands\":[[{\"card\":\"AS\"},{\"card\":\"KS\"},{\"card\":\"2H\"}],"
                "[null,{},{}],[{},{},null]],\"trick\":[{\"seat\":1,\"card\":\"QH\"},"
                "{\"seat\":2,\"card\":\"TD\"}],\"past\":[],\"last_trick\":null,\"bids\":[0,0,1],"
                "\"tricks\":[0,0,0],\"scores\":[0,0,0],\"legal\":[\"play:2H\"],"
                "\"info\":{\"dealer\":0,\"size\":3,\"turnup\":\"2D\"}}");
}

/* The events of an entire game, as a log receives them. */
struct told {
    char kinds[4096];
    struct text text;
};

static void collect_event(void *context, const struct game_event *event)
{
    struct told *told = context;
    if (event->kind[0] != 'p') { /* `played` events are left out */
        text_put(&told->text, event->json.at);
        text_put_char(&told->text, '\n');
    }
}

static void events_are_sent_in_order_and_have_only_the_documented_keys(void **unused)
{
    (void)unused;
    static const char *const hands[] = {"9D", "QH", "TD"};
    static struct told told;
    told.text = text_init(told.kinds, sizeof(told.kinds));
    struct game_log log = {.context = &told, .event = collect_event};
    struct game_config config = make_config(3, "short-up", "positive");
    struct game_state state = make_table_with_hands(&config, hands, "2D");
    MAKE(&state, "1 bid:0", "2 bid:1", "0 bid:1", "1 play:QH", "2 play:TD");
    assert_int_equal(game_apply(&oh_hell_game, &state, 0, card_parse(&standard_deck, "9D"), &log),
                     GAME_OK);
    static const char expected[] = "{\"e\":\"trick\",\"winner\":2}\n"
                                   "{\"e\":\"score\",\"round\":[0,10,11],\"total\":[0,10,11]}\n"
                                   "{\"e\":\"round\",\"n\":2,\"hands\":[[\"";
    assert_memory_equal(told.kinds, expected, sizeof(expected) - 1);
    assert_non_null(strstr(told.kinds, "\"]],\"dealer\":1,\"size\":2,\"turnup\":\""));
}

static void players_with_equal_totals_share_the_first_rank(void **unused)
{
    (void)unused;
    struct game_config config = make_config(4, "short-up", "positive");
    struct game_state bytes;
    assert_int_equal(game_start(&oh_hell_game, &config, counting_seed, &bytes, NULL), GAME_OK);
    struct oh_hell state;
    memcpy(&state, bytes.bytes, sizeof(state));
    static const int16_t scores[] = {7, 30, 7, 30};
    memcpy(state.table.scores, scores, sizeof(scores));
    memcpy(bytes.bytes, &state, sizeof(state));
    static struct game_outcome outcome;
    static const uint8_t ranks[] = {3, 1, 3, 1};
    game_fill_outcome(&oh_hell_game, &bytes, &outcome);
    assert_memory_equal(outcome.ranks, ranks, sizeof(ranks));
    assert_int_equal(outcome.winners, 1 << 1 | 1 << 3);
}

static void a_finished_game_keeps_its_last_bids_and_tricks(void **unused)
{
    (void)unused;
    static const char *const hands[] = {"9D", "QH", "TD"};
    struct game_config config = make_config(3, "short-down", "negative");
    struct game_state bytes = make_table_with_hands(&config, hands, "2D");
    struct oh_hell state;
    memcpy(&state, bytes.bytes, sizeof(state));
    state.table.round = state.table.rounds;
    memcpy(bytes.bytes, &state, sizeof(state));
    MAKE(&bytes, "1 bid:1", "2 bid:1", "0 bid:0", "1 play:QH", "2 play:TD", "0 play:9D");
    struct game_view view;
    fill_view_for(&bytes, 1, &view);
    assert_int_equal(view.phase, PHASE_OVER);
    assert_int_equal(view.to_act, 0);
    assert_int_equal(view.past_count, 1);
    assert_true(view.hands[1][0].is_empty);
    assert_int_equal(view.bids[1], 1);
    assert_int_equal(view.tricks[2], 1);
    assert_int_equal(view.scores[1], -10);
    assert_int_equal(try_move(&bytes, 1, "bid:0"), GAME_OVER);
}

/* HISTORY.md publishes the random words of this seed, so the dealer must be 0x7d2bfd39 mod 4, which
 * is 1. The test calls no function of the engine to compute this. */
static void the_first_dealer_is_drawn_among_all_players(void **unused)
{
    (void)unused;
    struct game_config config = make_config(4, "long", "positive");
    struct game_state state;
    struct game_view view;
    assert_int_equal(game_start(&oh_hell_game, &config, counting_seed, &state, NULL), GAME_OK);
    fill_view_for(&state, 0, &view);
    assert_int_equal(oh_hell_known(&view)->dealer, 0x7d2bfd39 % 4);
    assert_int_equal(view.to_act, 1 << (0x7d2bfd39 % 4 + 1));
}

TEST_GROUP(oh_hell)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_option_length_sets_the_hand_sizes),
        cmocka_unit_test(each_scoring_option_awards_its_points),
        cmocka_unit_test(the_dealer_bids_last_and_may_not_make_the_bids_add_up_to_the_tricks),
        cmocka_unit_test(after_any_bids_the_dealer_cannot_make_the_sum_equal_the_hand_size),
        cmocka_unit_test(the_dealer_may_bid_anything_when_the_bids_exceed_the_hand_size),
        cmocka_unit_test(a_player_must_follow_suit_if_able_and_otherwise_may_play_any_card),
        cmocka_unit_test(the_highest_trump_wins_or_else_the_highest_card_of_the_suit_led),
        cmocka_unit_test(the_higher_of_two_trumps_wins),
        cmocka_unit_test(a_view_shows_the_last_trick_even_after_the_next_deal),
        cmocka_unit_test(a_view_shows_nothing_of_the_other_hands),
        cmocka_unit_test(a_view_is_written_as_the_documented_json),
        cmocka_unit_test(events_are_sent_in_order_and_have_only_the_documented_keys),
        cmocka_unit_test(players_with_equal_totals_share_the_first_rank),
        cmocka_unit_test(a_finished_game_keeps_its_last_bids_and_tricks),
        cmocka_unit_test(the_first_dealer_is_drawn_among_all_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
