#include "games/face.h"
#include "tests/games/played.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <string.h>

/* Checks, in random games of every game, that the story of a table is complete: nothing is missing
 * in a sentence, no move is left out, and nothing is told that the viewer may not know. */

#define STORY_BYTES 32768

static int8_t get_viewer(const struct trial *trial, uint8_t index)
{
    return index < trial->seats ? (int8_t)index : SPECTATOR;
}

/* True if every placeholder of the format stands for an argument that the phrase has. */
static bool has_all_arguments(const struct phrase *phrase, const char *format)
{
    for (const char *c = format; (c = strchr(c, '{')) != NULL; c++) {
        if (c[1] < '0' || c[1] > '9' || phrase->args[c[1] - '0'].type == ARG_NONE) {
            return false;
        }
    }
    return true;
}

static bool is_complete(const struct phrase *phrase)
{
    const char *formats[] = {phrase->format, phrase->own, phrase->own_other};
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        if (formats[i] != NULL &&
            (formats[i][0] == '\0' || !has_all_arguments(phrase, formats[i]))) {
            return false;
        }
    }
    for (size_t i = 0; i < PHRASE_ARGS_MAX; i++) {
        struct phrase inner = phrase_get_inner(&phrase->args[i]);
        if (phrase->args[i].type == ARG_PHRASE &&
            (inner.format == NULL || !has_all_arguments(&inner, inner.format))) {
            return false;
        }
    }
    return true;
}

static void check_lines(const struct trial *trial, const struct story *story)
{
    trial_expect(trial, !story->is_cut, "a story has room for all its lines");
    trial_expect(trial, story->old_count <= story->count, "the earlier round's lines are counted");
    for (uint8_t i = 0; i < story->count; i++) {
        const struct story_line *line = &story->lines[i];
        trial_expect(trial, line->words.format != NULL && is_complete(&line->words),
                     "every sentence of a story is complete");
        trial_expect(trial, is_complete(&line->great), "every announcement is complete");
    }
}

/* True if the later view shows the viewer nothing new but that a move was made. */
static bool differ_only_in_step(const struct game_view *before, const struct game_view *now)
{
    static struct game_view same;
    static char texts[2][VIEW_TEXT_MAX];
    same = *now;
    same.step = before->step;
    trial_write_view(before, texts[0]);
    trial_write_view(&same, texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

static void play_and_check_story(struct trial *trial)
{
    static struct game_view before, now;
    static struct story story;
    int8_t viewer =
        get_viewer(trial, (uint8_t)quick_random_draw_below(&trial->random, trial->seats + 1U));
    game_fill_view(trial->game, &trial->state, viewer, &before);
    for (uint8_t seat; trial_choose_seat(trial, &seat); before = now) {
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
        game_fill_view(trial->game, &trial->state, viewer, &now);
        trial_expect(trial, story_views_follow(&before, &now), "views of one move follow");
        story_tell(&before, &now, &story);
        check_lines(trial, &story);
        trial_expect(trial, story.count > 0 || differ_only_in_step(&before, &now),
                     "every move that a viewer sees is told");
        trial_expect(trial, before.round == now.round || story.old_count > 0,
                     "the end of a round is told");
        if (trial_draw_yes_or_no(trial, 8) || now.phase == PHASE_OVER) {
            story_tell(NULL, &now, &story);
            check_lines(trial, &story);
        }
    }
}

static void every_move_is_told_in_complete_sentences(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_story, 1);
}

static const char *write_whole_story(const struct trial *trial, const struct game_view *view,
                                     char bytes[STORY_BYTES])
{
    static struct story story;
    struct text text = text_init(bytes, STORY_BYTES);
    story_tell(NULL, view, &story);
    return played_write_story(trial->game->deck, &story, view->seat, &text);
}

static void play_and_compare_stories(struct trial *trial)
{
    static struct game_view view, twin_view;
    static char stories[2][STORY_BYTES];
    struct game_state twin;
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
        if (!trial_draw_yes_or_no(trial, 16)) {
            continue;
        }
        int8_t viewer =
            get_viewer(trial, (uint8_t)quick_random_draw_below(&trial->random, trial->seats + 1U));
        game_fill_view(trial->game, &trial->state, viewer, &view);
        assert_int_equal(game_sample_state(&view, &trial->config, &trial->random, &twin), GAME_OK);
        game_fill_view(trial->game, &twin, viewer, &twin_view);
        trial_expect(trial,
                     strcmp(write_whole_story(trial, &view, stories[0]),
                            write_whole_story(trial, &twin_view, stories[1])) == 0,
                     "states that look alike to a viewer have the same story");
    }
}

static void states_that_a_viewer_cannot_tell_apart_have_the_same_story(void **unused)
{
    (void)unused;
    property_run_check(play_and_compare_stories, 1);
}

static void play_and_check_result(struct trial *trial)
{
    static struct game_view view;
    static struct story story;
    struct game_outcome outcome;
    trial_finish(trial, NULL);
    game_fill_view(trial->game, &trial->state, SPECTATOR, &view);
    game_fill_outcome(trial->game, &trial->state, &outcome);
    story_tell_result(&view, &trial->config, outcome.winners, &story);
    trial_expect(trial, story.count > 0, "every result is explained");
    check_lines(trial, &story);
}

static void every_result_is_explained(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_result, 2);
}

static struct trial *scored;

static void check_points_of_row(UNUSED void *context, const struct game_event *event)
{
    static struct story story;
    if (!event->is_score) {
        return;
    }
    story_tell_points(scored->game, &event->row, scored->seats, &story);
    trial_expect(scored, story.count == scored->seats + 1, "everybody's points are told");
    check_lines(scored, &story);
}

static void play_and_check_points(struct trial *trial)
{
    const struct game_log log = {.event = check_points_of_row};
    scored = trial;
    trial_finish(trial, &log);
}

static void the_points_of_every_round_are_explained_in_complete_sentences(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_points, 1);
}

TEST_GROUP(property_story)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_is_told_in_complete_sentences),
        cmocka_unit_test(states_that_a_viewer_cannot_tell_apart_have_the_same_story),
        cmocka_unit_test(every_result_is_explained),
        cmocka_unit_test(the_points_of_every_round_are_explained_in_complete_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
