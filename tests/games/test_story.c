#include "games/story.h"
#include "tests/games/played.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* The sentences of the story of each game, in games that careful bots play from fixed seeds. */

#define STORY_BYTES 131072

struct told_game {
    const char *id;
    uint8_t players;
    int8_t viewer;
    uint8_t seed;
    const char *option; /* the option that is switched on; NULL: none */
};

static void tell_since(const struct game_view *before, const struct game_view *now,
                       struct text *out)
{
    static struct story story;
    story_tell(before, now, &story);
    (void)played_write_story(now->game->deck, &story, now->seat, out);
}

/* Plays the game to its end and tells the viewer its story, move by move, and its result. */
static const char *tell_game(const struct told_game *told)
{
    static char bytes[STORY_BYTES];
    static struct game_view before, now, own;
    static struct story story;
    struct text out = text_init(bytes, sizeof(bytes));
    const struct game_def *game = game_find(told->id);
    struct game_config config = game_config_default(game, told->players);
    const uint8_t seed[SEED_BYTES] = {told->seed};
    struct game_state state;
    struct game_outcome outcome;
    struct quick_random random;
    quick_random_init(&random, 1);
    assert_true(told->option == NULL || game_config_set(game, &config, told->option, "true"));
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    game_fill_view(game, &state, told->viewer, &before);
    tell_since(NULL, &before, &out);
    for (uint8_t to_act; (to_act = game_seats_to_act(game, &state)) != 0; before = now) {
        uint8_t seat = (uint8_t)__builtin_ctz(to_act);
        game_fill_view(game, &state, (int8_t)seat, &own);
        uint8_t move = game->careful(&own, &config, &random);
        assert_int_equal(game_apply(game, &state, seat, move, NULL), GAME_OK);
        game_fill_view(game, &state, told->viewer, &now);
        tell_since(&before, &now, &out);
    }
    game_fill_outcome(game, &state, &outcome);
    story_tell_result(&now, &config, outcome.winners, &story);
    return played_write_story(game->deck, &story, told->viewer, &out);
}

/* Fails unless the story has all these lines, one after the other, perhaps with other lines between
 * them. */
static void expect_lines(const struct told_game *told, const char *const *lines)
{
    const char *rest = tell_game(told);
    for (; *lines != NULL; lines++) {
        char line[256];
        struct text text = text_init(line, sizeof(line));
        text_put(&text, "\n");
        text_put(&text, *lines);
        text_put(&text, "\n");
        const char *at = strstr(rest, line);
        if (at == NULL && strncmp(rest, line + 1, strlen(line + 1)) == 0) {
            at = rest;
        }
        if (at == NULL) {
            print_message("%s", rest);
            fail_msg("not told: %s", *lines);
        }
        rest = at + 1;
    }
}

static void a_hand_of_oh_hell_is_told(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "Round 1 of 19 begins",
        "seat 2 deals 10 cards each and turns up 8S: trump is spades",
        "seat 2 bids last and may not make the bids add up to 10",
        "You bid 3",
        "seat 1 bids 1",
        "seat 2 bids 3 (could bid any number but 6)",
        "All have bid: 7 in all, for 10 tricks",
        "You lead 7S",
        "seat 1 plays 5S",
        "You take the trick: highest trump (bid 3, won 1)",
        "You make your bid with the last trick!",
        "Bids made: seat 0 and 1; missed: seat 2",
        "You deal 9 cards each and turn up 2S: trump is spades",
        "You needed the last trick and missed it: 1, bid 2",
        "seat 2 takes the last trick, one too many: 3, bid 2!",
        "seat 1 wins: highest total, 155 (next: seat 0 136)",
        NULL,
    };
    expect_lines(&(struct told_game){"oh-hell", 3, 0, 1, NULL}, lines);
}

static void the_roles_of_hund_are_told(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "seat 2 deals; the cards with a 1 give the roles",
        "seat 1 leads this round",
        "seat 1 leads pink-1: pink is TRUMP now!",
        "You lead grey-1: grey is PLUS now!",
        "seat 1 takes the trick: highest trump (plus 2 so far)",
        "seat 1 leads green-1: green is HUND now!",
        "You take the trick: highest green (plus 1, hund 3 so far)",
        "You lead purple-1: purple is MINUS now, yellow LEAD!",
        "seat 1 takes the trick: highest purple (plus 2, hund 0, minus 3, lead 0 so far)",
        "You win lead and choose who leads: most lead cards, if tied the highest",
        "You choose to lead this round",
        "seat 2 plays green-4: green is PLUS now!",
        NULL,
    };
    expect_lines(&(struct told_game){"hund", 3, 0, 1, NULL}, lines);
}

static void a_shift_of_heckin_hounds_is_told(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "You are the shift leader",
        "You name the bad dog: Mops!",
        "You clue seat 0: seat 0's 1s are cards 2 and 3",
        "You clue seat 0: card 2 is tom-dire-1",
        "You keep Cerberus!",
        "You drop card 1 for Cerberus: paulgrave-5!",
        "You trade card 3 with the dead hand: paulgrave-2",
        "seat 0 trades card 1 with the dead hand: deathpaw-3",
        "Traded cards are shown: as shift leader you see them all!",
        "From the dead hand you have mops-4, as card 3",
        "From the dead hand seat 2 has paulgrave-3, as card 4",
        "You take the trick: Cerberus beats all (bid 3, won 1)",
        "seat 2 takes 2 bad dogs (Mops 4 and 5): badness +2",
        "seat 2 takes the last trick, one too many: 2, bid 1!",
        "seat 3 needed the last trick and missed it: 0, bid 1",
        "seat 2 is the shift leader",
        "seat 2 clues you: your 5s are cards 1 and 3",
        "seat 2 drops card 1 for Cerberus!",
        NULL,
    };
    expect_lines(&(struct told_game){"heckin-hounds", 4, 1, 1, NULL}, lines);
}

static void bets_head_and_tail_are_told(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "seat 1's BET goes to seat 2 (head now: +1)!",
        "seat 3's BET goes to you (neither head nor tail now: 0)!",
        "Head so far: seat 2; tail so far: seat 1",
        "seat 3 loses the bet: the BET is with neither head nor tail",
        "seat 3 wins: highest total, 5 (next: seat 2 -2)",
        "The game ends: the limit is 12 above or below 0, and seat 0 reached it",
        NULL,
    };
    expect_lines(&(struct told_game){"head-and-tail", 4, 0, 2, NULL}, lines);
}

static void the_predictions_of_suppose_are_told_at_the_end_of_the_round(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "You will lead the first trick",
        "You arrange the hand for seat 1: blue red green",
        "You predict 1 for seat 1",
        "seat 3 has predicted your tricks in secret",
        "All have predicted: each hand goes to the left",
        "You predicted 1 for seat 1: 3, no",
        "seat 1 predicted 1 for seat 2: 1, yes!",
        "seat 3 predicted 4 for you: 2, no",
        "Round 2 of 4 begins",
        "You predicted 2 for seat 1: 2, yes!",
        NULL,
    };
    expect_lines(&(struct told_game){"suppose", 4, 0, 3, NULL}, lines);
}

static void a_tie_in_the_result_of_heckin_hounds_names_what_decided(void **unused)
{
    (void)unused;
    static const struct {
        int8_t viewer;
        uint8_t seed;
        const char *line;
    } games[] = {
        {1, 10, "You win: lowest total that is not negative (0, badness 0; seat 2 0, badness 5)"},
        {0, 4, "You win: lowest total that is not negative, 0 (next: seat 2 and 3 1)"},
        {1, 14, "You share the win: seat 1 and 3 have the same total, 0, and the same badness, 1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(games); i++) {
        const char *const lines[] = {games[i].line, NULL};
        expect_lines(&(struct told_game){"heckin-hounds", 4, games[i].viewer, games[i].seed, NULL},
                     lines);
    }
}

static void views_with_more_than_one_unseen_trick_between_them_do_not_follow(void **unused)
{
    (void)unused;
    static struct game_view before, now;
    struct game_state state = played_start_game(game_find("head-and-tail"), 3, NULL, NULL);
    struct quick_random random;
    quick_random_init(&random, 1);
    game_fill_view(game_find("head-and-tail"), &state, 0, &before);
    for (now = before; now.round == 1;) {
        struct game_view own;
        uint8_t seat = (uint8_t)__builtin_ctz(game_seats_to_act(now.game, &state));
        game_fill_view(now.game, &state, (int8_t)seat, &own);
        struct game_config config = game_config_default(now.game, 3);
        uint8_t move = policy_random_move(&own, &config, &random);
        assert_int_equal(game_apply(now.game, &state, seat, move, NULL), GAME_OK);
        game_fill_view(now.game, &state, 0, &now);
        assert_int_equal(story_views_follow(&before, &now), now.round == 1);
    }
}

TEST_GROUP(story)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_of_oh_hell_is_told),
        cmocka_unit_test(the_roles_of_hund_are_told),
        cmocka_unit_test(a_shift_of_heckin_hounds_is_told),
        cmocka_unit_test(bets_head_and_tail_are_told),
        cmocka_unit_test(the_predictions_of_suppose_are_told_at_the_end_of_the_round),
        cmocka_unit_test(a_tie_in_the_result_of_heckin_hounds_names_what_decided),
        cmocka_unit_test(views_with_more_than_one_unseen_trick_between_them_do_not_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
