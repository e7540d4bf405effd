#include "games/face.h"
#include "tests/games/played.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* The sentences of the story of each game, in games with fixed seeds and moves. */

#define STORY_BYTES 131072

struct told_game {
    const char *id;
    uint8_t players;
    int8_t viewer;
    uint8_t seed;
    const char *moves; /* their numbers, two hexadecimal digits each */
};

static const char oh_hell_moves[] =
    "434143050304211a25000b011e231b2e2f2708311712110f162210181f28303329424142012408150d10020a"
    "2e1c1d1b272f2d22211620262c2b29312330114243420c08070d12181d1b2233312c26231e2732052a113006"
    "1c244343422524200507012b31231b1d153209110d2e17260f334243421f1723002d0227332e1815281a2a21"
    "2b081b4241410c032512190f1b2214272e1d001e2642414215120b312a251a031c050a284141420d2111322e"
    "261a120c414141211027010f2f4040401e31204141411615250d010441414209240a191d25331e264141430f"
    "19081c1420060c041d2b29414142323117010607080b03241b2302282f4242433314300f051c312f0224101b"
    "080a202632044242421a1d221f1c1e020e2416181200142719311309322b4442430e160f000a030509072524"
    "1b0b2906041a2e1330172621314243432d2c300e0d190f161729252a000c0301210b09221f051d1215072b42"
    "44422c2830050b0c191611120f15002d091e1a242f2e2931222a141c20170323";

static const char hund_moves[] =
    "1e0123001f032d2e320f1410312f123c40410220113f3e3d211304223005a0140f111213303d403c322e2d02"
    "00010310043f3e41231e202122051f312fa202030532312f100f12302e001e231f3e3f411113202d21013d04"
    "3c144022a031322e04002d0f1210131411201e2203022f1f3c23403f3d3e2101413005a2101e141f23202d2e"
    "2f0102003d413f0331050f0432113c40123e21133022";

static const char hounds_moves[] =
    "22457c4e4f6c7173838517110d0e0d0b0806060500010003010402040200010002030104030304021e455b7e"
    "7f4f425f548318110c0e0b0d0705050600000101010402000202030400040301030402031d58696d484d4f62"
    "63711911100d0e0c05060705000000000104030201040202010301020403040322576c6d7c7d605271831614"
    "100c0d0b070806050003010100020200010102000303030204040404";

static const char head_and_tail_moves[] =
    "0730060214121115172716130f040c310e00050d1d181a191f3322210b033201232c1b20082a240a091e1029"
    "2d252e262f281c2b20221f330a030406150f100d023209302c2d2728013100072b2624251b231a210805182f"
    "1d2e0e1c1913121e110c0b17142a16292b2933303106022d2132232017130d041d181c191b221f08282e2a2c"
    "050b12030a14091100152f0f2625271a100c070e161e0124080b030a1312170d1c18331b252f293032222415"
    "2c2e2821010900062d142a23050204111e1d191a0e070f0c27102b311620261f2430312d282e2a2602060908"
    "2f29332703320a070c1016141c221e190b000e18211d231f150d2c11170f1a12251b042b0113200530311702"
    "1a21321f12110d0e2d272529191d33200a000403262b2f2e2c2a2428231e1b22130f1014070609080b01050c"
    "16181c15131412100f1e150c22281f332d29322c1a0418231c1b002017210b0d030908310a050207012f0626"
    "2a112427160e251d2e192b30171a14150e180c121e2021303309080222061f1d050a31320b040307262e2728"
    "23101c0011132b2c0d19010f1629242a1b2d252f";

static const char suppose_moves[] =
    "a033ac33b534ab360a04060907030303060704020206010102050a0806000404050200090809090707000501"
    "00030a08080a0105aa34b534ac33bf350803040001040207000a03020405010a0608070a0808050a06010304"
    "06060009020909050100050709020703b835b336b433bc340003070a08010802020700030806050603000405"
    "0a090700090205040801090a06070a010201040309040506b233ae34b837a83302030204050600000a040601"
    "0907050907090703040208080605040700000a02030a01010905030806080a01";

static const char tie_by_badness_moves[] =
    "22455a7f4e4f5f60857718110e0d0d100605050500000000010203020101010203020303040404042249576a"
    "6c4e5162637119120f0b0e0d0906060600040002000300030101020102010403040403021e576a7e5f627464"
    "84771611100c0e0c060508050004030301030200040104010000020301040202207f454f506c737483861713"
    "100d0b0f070705050003000001030302010100020202010304040404";

static const char lowest_total_moves[] =
    "1d596c7c7f615673748316110c0f0d0e0705050500000004010301020102000203020303010404041d476d7e"
    "4d4e7368848617110f0e0c0b0805060700000000010101010202020203030303040404041d454d505960567e"
    "838518110c0b0e100605080500020302010000000101010202030304040404031d4658696b4e445f54721913"
    "0f0d0d0d070705050000010101010403000204040002030303020204";

static const char shared_win_moves[] =
    "22485b6a50516255746519130c0f0f0e06060505000303040001020401040001000102020304020322595f54"
    "7b83857172681614100c0b0d0a080606000201030100020202010001030303040404040022476a5044726883"
    "84851713100b0c0f06050605000103000104020200030202030001010404040322495a7d4e4f5f55847a1813"
    "100b100c060606050004010301010200020300040302030204010400";

static void tell_since(const struct game_view *before, const struct game_view *now,
                       struct text *out)
{
    static struct story story;
    story_tell(before, now, &story);
    (void)played_write_story(now->game->deck, &story, now->seat, out);
}

/* The number that two hexadecimal digits stand for. */
static uint8_t read_number(const char *digits)
{
    char number[] = {digits[0], digits[1], '\0'};
    return (uint8_t)strtoul(number, NULL, 16);
}

/* Plays the game to its end and tells the viewer its story, move by move, and its result. */
static const char *tell_game(const struct told_game *told)
{
    static char bytes[STORY_BYTES];
    static struct game_view before, now;
    static struct story story;
    struct text out = text_init(bytes, sizeof(bytes));
    const struct game_def *game = game_find(told->id);
    struct game_config config = game_config_default(game, told->players);
    const uint8_t seed[SEED_BYTES] = {told->seed};
    struct game_state state;
    struct game_outcome outcome;
    const char *moves = told->moves;
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    game_fill_view(game, &state, told->viewer, &before);
    tell_since(NULL, &before, &out);
    for (uint8_t to_act; (to_act = game_seats_to_act(&state)) != 0; before = now) {
        uint8_t seat = (uint8_t)__builtin_ctz(to_act);
        assert_int_equal(game_apply(game, &state, seat, read_number(moves), NULL), GAME_OK);
        moves += 2;
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
    expect_lines(&(struct told_game){"oh-hell", 3, 0, 1, oh_hell_moves}, lines);
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
    expect_lines(&(struct told_game){"hund", 3, 0, 1, hund_moves}, lines);
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
    expect_lines(&(struct told_game){"heckin-hounds", 4, 1, 1, hounds_moves}, lines);
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
    expect_lines(&(struct told_game){"head-and-tail", 4, 0, 2, head_and_tail_moves}, lines);
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
    expect_lines(&(struct told_game){"suppose", 4, 0, 3, suppose_moves}, lines);
}

static void a_tie_in_the_result_of_heckin_hounds_names_what_decided(void **unused)
{
    (void)unused;
    static const struct {
        struct told_game told;
        const char *line;
    } games[] = {
        {{"heckin-hounds", 4, 1, 10, tie_by_badness_moves},
         "You win: lowest total that is not negative (0, badness 0; seat 2 0, badness 5)"},
        {{"heckin-hounds", 4, 0, 4, lowest_total_moves},
         "You win: lowest total that is not negative, 0 (next: seat 2 and 3 1)"},
        {{"heckin-hounds", 4, 1, 14, shared_win_moves},
         "You share the win: seat 1 and 3 have the same total, 0, and the same badness, 1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(games); i++) {
        const char *const lines[] = {games[i].line, NULL};
        expect_lines(&games[i].told, lines);
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
        uint8_t seat = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
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
