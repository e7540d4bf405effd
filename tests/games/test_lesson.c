#include "games/history.h"
#include "tests/unit.h"

#include <string.h>

/* The lessons of all games: their scripts, their notes and when they are told. */

#define MOVES_PLAYED_MAX 400
#define NOT_FOLLOWED UINT16_MAX

/* A lesson as it is played: the bots make the moves of the script while there is one. */
struct course {
    const struct game_def *game;
    const struct game_lesson *lesson;
    struct game_config config;
    struct game_state state;
    struct quick_random random;
    struct history_move moves[MOVES_PLAYED_MAX];
    size_t move_count;
    uint32_t told;
    uint8_t round; /* the round of the view that the player saw last */
    unsigned notes_told, suggestions;
    uint16_t
        stray_step; /* the step at which the player makes another move than the suggested one */
};

static void begin_course(struct course *course, const struct game_def *game, uint16_t stray_step)
{
    memset(course, 0, sizeof(*course));
    course->game = game;
    course->lesson = game->face->lesson;
    assert_non_null(course->lesson);
    course->config = lesson_config(game);
    course->stray_step = stray_step;
    quick_random_init(&course->random, 1);
    assert_int_equal(game_start(game, &course->config, course->lesson->seed, &course->state, NULL),
                     GAME_OK);
}

/* Returns a legal move that is not `avoided`, or `avoided` if there is no other. */
static uint8_t choose_other_move(const struct game_view *view, uint8_t avoided)
{
    uint8_t move = move_set_next(&view->legal, 0);
    uint8_t other = move == avoided ? move_set_next(&view->legal, move + 1U) : move;
    return other == MOVE_NONE ? avoided : other;
}

static void tell_note(struct course *course, const struct game_view *view, bool shows_scores)
{
    uint8_t note = lesson_find_note(view, course->told, shows_scores);
    if (note < LESSON_NOTES_MAX) {
        course->told |= UINT32_C(1) << note;
        course->notes_told++;
    }
}

/* Tells the player what is to be told now, whoever has to move; first about the scores of a round
 * that is over. */
static void tell_notes(struct course *course)
{
    struct game_view view;
    game_fill_view(course->game, &course->state, (int8_t)course->lesson->seat, &view);
    if (course->round != 0 && view.round != course->round) {
        tell_note(course, &view, true);
    }
    course->round = view.round;
    unsigned told = course->notes_told;
    tell_note(course, &view, false);
    if (course->move_count < course->lesson->move_count &&
        course->move_count < course->stray_step) {
        assert_int_equal(lesson_tells_note_after(course->game, (uint16_t)course->move_count),
                         course->notes_told > told);
        assert_false(lesson_script_has_ended(&view));
    } else if (course->move_count >= course->lesson->move_count) {
        assert_true(lesson_script_has_ended(&view));
    }
}

static uint8_t let_player_choose(struct course *course, const struct game_view *view)
{
    const struct lesson_move *suggested = lesson_find_suggestion(view);
    if (suggested == NULL) {
        return policy_random_move(view, &course->config, &course->random);
    }
    course->suggestions++;
    uint8_t move = game_move_parse(course->game, suggested->move);
    assert_true(move_set_has(&view->legal, move));
    return view->step == course->stray_step ? choose_other_move(view, move) : move;
}

/* Makes the next move of the lesson. False when the game is over. */
static bool make_next_move(struct course *course)
{
    struct game_view view;
    const struct lesson_move *scripted =
        lesson_next_move(course->game, course->moves, course->move_count);
    uint8_t turn = game_seats_to_act(&course->state);
    uint8_t seat = scripted != NULL ? scripted->seat : (uint8_t)__builtin_ctz(turn | 1U << 7);
    if (turn == 0 || course->move_count == MOVES_PLAYED_MAX) {
        return false;
    }
    tell_notes(course);
    game_fill_view(course->game, &course->state, (int8_t)seat, &view);
    uint8_t move = seat == course->lesson->seat ? let_player_choose(course, &view)
                   : scripted != NULL           ? game_move_parse(course->game, scripted->move)
                                      : policy_random_move(&view, &course->config, &course->random);
    assert_int_equal(game_apply(course->game, &course->state, seat, move, NULL), GAME_OK);
    course->moves[course->move_count++] = (struct history_move){seat, move};
    return true;
}

static void every_text_is_told_once_to_a_player_who_follows_the_suggestions(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct course course;
        unsigned wanted = 0;
        begin_course(&course, game_at(i), NOT_FOLLOWED);
        for (uint16_t move = 0; move < course.lesson->move_count; move++) {
            wanted += course.lesson->moves[move].why != NULL;
        }
        while (course.notes_told < course.lesson->note_count && make_next_move(&course)) {
        }
        assert_int_equal(course.notes_told, course.lesson->note_count);
        assert_int_equal(course.suggestions, wanted);
    }
}

static void a_script_is_a_whole_round_with_a_reason_for_every_move_of_the_player(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        const struct game_lesson *lesson = game->face->lesson;
        struct game_config config = lesson_config(game);
        struct game_state played;
        struct game_view view;
        assert_int_equal(game_config_check(game, &config), GAME_OK);
        assert_int_equal(game_start(game, &config, lesson->seed, &played, NULL), GAME_OK);
        for (uint16_t step = 0; step < lesson->move_count; step++) {
            const struct lesson_move *move = &lesson->moves[step];
            assert_true((move->why != NULL) == (move->seat == lesson->seat));
            assert_int_equal(
                game_apply(game, &played, move->seat, game_move_parse(game, move->move), NULL),
                GAME_OK);
            game_fill_view(game, &played, SPECTATOR, &view);
            assert_int_equal(view.round, step + 1 < lesson->move_count ? 1 : 2);
        }
        assert_true(lesson->note_count <= LESSON_NOTES_MAX);
    }
}

static void nothing_is_suggested_after_another_move_than_the_suggested_one(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct course course;
        uint16_t first = 0;
        begin_course(&course, game_at(i), 0);
        while (course.lesson->moves[first].why == NULL) {
            first++;
        }
        course.stray_step = first;
        while (course.move_count < course.lesson->move_count && make_next_move(&course)) {
        }
        assert_int_equal(course.suggestions, 1);
    }
}

static void the_script_has_ended_after_another_move_than_the_suggested_one(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct course course;
        struct game_view view;
        begin_course(&course, game_at(i), 0);
        while (course.lesson->moves[course.move_count].why == NULL && make_next_move(&course)) {
        }
        course.stray_step = (uint16_t)course.move_count;
        assert_true(make_next_move(&course));
        game_fill_view(course.game, &course.state, (int8_t)course.lesson->seat, &view);
        assert_true(lesson_script_has_ended(&view));
    }
}

/* Returns the view of the lesson's player after the first `step` moves of its script. */
static struct game_view look_after_moves(const char *game, uint16_t step)
{
    struct course course;
    struct game_view view;
    begin_course(&course, game_find(game), NOT_FOLLOWED);
    while (course.move_count < step && make_next_move(&course)) {
    }
    game_fill_view(course.game, &course.state, (int8_t)course.lesson->seat, &view);
    return view;
}

/* Whether the note whose text contains the words is true in the view. */
static bool note_matters(const struct game_view *view, const char *words)
{
    const struct game_lesson *lesson = view->game->face->lesson;
    for (uint8_t i = 0; i < lesson->note_count; i++) {
        if (strstr(lesson->notes[i].text, words) != NULL) {
            return lesson_note_matters(&lesson->notes[i], view);
        }
    }
    fail_msg("no note contains \"%s\"", words);
    return false;
}

static void remove_from_hand(struct game_view *view, const char *name)
{
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        struct view_slot *own = &view->hands[view->seat][slot];
        if (own->card == card_parse(view->game->deck, name)) {
            *own = (struct view_slot){.is_empty = true, .card = CARD_NONE, .suit = SUIT_NONE};
        }
    }
}

static void a_note_matters_only_where_it_is_true(void **state)
{
    (void)state;
    struct game_view view = look_after_moves("head-and-tail", 8);
    assert_true(note_matters(&view, "only your BET may be played instead"));
    remove_from_hand(&view, "AD");
    assert_false(note_matters(&view, "only your BET may be played instead"));
    view = look_after_moves("oh-hell", 15);
    assert_true(note_matters(&view, "also a trump"));
    remove_from_hand(&view, "2D");
    remove_from_hand(&view, "AD");
    assert_false(note_matters(&view, "also a trump"));
    view = look_after_moves("hund", 16);
    assert_true(note_matters(&view, "also a trump"));
    remove_from_hand(&view, "purple-3");
    assert_false(note_matters(&view, "also a trump"));
    view = look_after_moves("oh-hell", 20);
    assert_true(note_matters(&view, "one more would cost"));
    view.bids[view.seat] = 3;
    assert_false(note_matters(&view, "one more would cost"));
    view = look_after_moves("oh-hell", 1);
    assert_false(note_matters(&view, "You deal"));
}

static void no_choice_is_explained_when_a_single_card_is_left(void **state)
{
    (void)state;
    struct game_view view = look_after_moves("oh-hell", 26);
    assert_false(lesson_viewer_cannot_follow(&view));
    assert_false(lesson_viewer_follows_suit(&view));
    assert_true(lesson_viewer_follows(&view));
}

static void other_seats_and_other_deals_get_no_suggestion(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        struct game_config config = lesson_config(game);
        const uint8_t seed[SEED_BYTES] = {99, 1};
        struct game_state played;
        struct game_view view;
        assert_int_equal(game_start(game, &config, seed, &played, NULL), GAME_OK);
        for (uint8_t seat = 0; seat < config.players; seat++) {
            game_fill_view(game, &played, (int8_t)seat, &view);
            assert_null(lesson_find_suggestion(&view));
        }
        game_fill_view(game, &played, SPECTATOR, &view);
        assert_null(lesson_find_suggestion(&view));
    }
}

TEST_GROUP(lesson)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_told_once_to_a_player_who_follows_the_suggestions),
        cmocka_unit_test(a_script_is_a_whole_round_with_a_reason_for_every_move_of_the_player),
        cmocka_unit_test(nothing_is_suggested_after_another_move_than_the_suggested_one),
        cmocka_unit_test(the_script_has_ended_after_another_move_than_the_suggested_one),
        cmocka_unit_test(a_note_matters_only_where_it_is_true),
        cmocka_unit_test(no_choice_is_explained_when_a_single_card_is_left),
        cmocka_unit_test(other_seats_and_other_deals_get_no_suggestion),
    };
    return cmocka_run_group_tests_name("lesson", tests, NULL, NULL);
}
