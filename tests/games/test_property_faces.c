#include "games/face.h"
#include "tests/games/property.h"
#include "tests/unit.h"

/* Checks, in random games of every game, that the game's face (its texts for people) has a text for
 * every situation. */

static int8_t get_viewer(const struct trial *trial, uint8_t index)
{
    return index < trial->seats ? (int8_t)index : SPECTATOR;
}

/* Plays a game and, after some of the moves, calls `check` with the view of one player after
 * another. */
static void play_and_check_each_view(struct trial *trial,
                                     void (*check)(struct trial *trial,
                                                   const struct game_view *view))
{
    static struct game_view view;
    bool goes_on = true;
    while (goes_on) {
        uint8_t seat;
        for (uint8_t i = 0; i <= trial->seats && trial_draw_yes_or_no(trial, 4); i++) {
            game_fill_view(trial->game, &trial->state, get_viewer(trial, i), &view);
            check(trial, &view);
        }
        goes_on = trial_choose_seat(trial, &seat);
        if (goes_on) {
            trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
        }
    }
}

static void check_texts_of_view(struct trial *trial, const struct game_view *view)
{
    struct phrase facts[FACE_HEADLINE_MAX];
    struct phrase badges[FACE_BADGES_MAX];
    struct face_fact board[FACE_BOARD_MAX];
    const struct game_face *face = view->game->face;
    uint8_t count = face->headline(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        trial_expect(trial, facts[i].format != NULL, "every item of the headline has a text");
    }
    count = face->board == NULL ? 0 : face->board(view, NULL, board);
    for (uint8_t i = 0; i < count; i++) {
        trial_expect(trial, board[i].label != NULL && board[i].value.format != NULL,
                     "every item of the board has a label and a text");
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        trial_expect(trial, face_describe_turn(view) != NULL, "what a seat has to do has a text");
        count = face->badges(view, seat, badges);
        for (uint8_t i = 0; i < count; i++) {
            trial_expect(trial, badges[i].format != NULL, "every badge has a text");
        }
    }
    trial_expect(trial, face_describe_pointing_at_card(view) != NULL,
                 "the effect of pointing at a card has a text");
}

static void play_and_check_texts_of_views(struct trial *trial)
{
    play_and_check_each_view(trial, check_texts_of_view);
}

static void a_games_face_has_a_text_for_every_view(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_texts_of_views, 1);
}

static void check_texts_of_moves(struct trial *trial, const struct game_view *view)
{
    trial_expect(trial, (face_prompt(view).format != NULL) == view_viewer_may_move(view),
                 "exactly the players who have to act get a prompt");
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        bool is_legal = move_set_has(&view->legal, move);
        trial_expect(trial, !is_legal || face_label(view, move).format != NULL,
                     "every legal move has a label");
        trial_expect(trial, (face_refusal(view, move).format != NULL) != is_legal,
                     "exactly the illegal moves have a refusal");
    }
}

static void play_and_check_texts_of_moves(struct trial *trial)
{
    play_and_check_each_view(trial, check_texts_of_moves);
}

static void every_legal_move_has_a_label_and_every_other_move_a_refusal(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_texts_of_moves, 1);
}

static void check_trick_follows_seat_order(const struct trial *trial, const struct game_view *view,
                                           const struct view_trick *trick)
{
    for (uint8_t i = 1; i < trick->count; i++) {
        trial_expect(trial, trick->plays[i].seat == face_next_seat(view, trick->plays[i - 1].seat),
                     "seats play in the face's order of seats");
    }
}

static void check_seat_order(struct trial *trial, const struct game_view *view)
{
    unsigned seen = 0;
    uint8_t seat = 0;
    for (uint8_t i = 0; i < view->seats; i++) {
        seen |= 1U << seat;
        seat = face_next_seat(view, seat);
    }
    trial_expect(trial, seat == 0 && seen == (1U << view->seats) - 1,
                 "the order of seats contains every seat once");
    for (uint8_t i = 0; i < view->past_count; i++) {
        check_trick_follows_seat_order(trial, view, &view->past[i]);
    }
    check_trick_follows_seat_order(trial, view, &view->trick);
}

static void play_and_check_seat_order(struct trial *trial)
{
    play_and_check_each_view(trial, check_seat_order);
}

static void screens_show_the_seats_in_the_order_of_play(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_seat_order, 2);
}

TEST_GROUP(property_faces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_games_face_has_a_text_for_every_view),
        cmocka_unit_test(every_legal_move_has_a_label_and_every_other_move_a_refusal),
        cmocka_unit_test(screens_show_the_seats_in_the_order_of_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
