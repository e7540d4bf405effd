#include "games/history.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <string.h>

static bool are_views_equal(const struct game_view *a, const struct game_view *b)
{
    static char texts[2][VIEW_TEXT_MAX];
    if (memcmp(a, b, sizeof(*a)) == 0) {
        return true; /* spares the writing of both, which takes a quarter of the time */
    }
    trial_write_view(a, texts[0]);
    trial_write_view(b, texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

/* Returns viewer number `index`: the seats come first, the spectator last. */
static int8_t get_viewer(const struct trial *trial, uint8_t index)
{
    return index < trial->seats ? (int8_t)index : SPECTATOR;
}

static void check_views_of_samples(struct trial *trial)
{
    static struct game_view view, again;
    struct game_state sampled;
    for (uint8_t i = 0; i <= trial->seats; i++) {
        int8_t viewer = get_viewer(trial, i);
        game_fill_view(trial->game, &trial->state, viewer, &view);
        enum game_result result =
            game_sample_state(&view, &trial->config, &trial->random, &sampled);
        trial_expect(trial, result == GAME_OK, "a state can be sampled for every view");
        game_fill_view(trial->game, &sampled, viewer, &again);
        trial_expect(trial, are_views_equal(&view, &again), "view(sample(v)) = v");
    }
}

static void play_and_check_samples(struct trial *trial)
{
    check_views_of_samples(trial);
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
        if (trial_draw_yes_or_no(trial, 8)) {
            check_views_of_samples(trial);
        }
    }
    check_views_of_samples(trial);
}

static void the_view_of_a_sampled_state_is_the_view_it_was_sampled_from(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_samples, 1);
}

/* When cards are played, the viewer learns which slots of another hand are empty. So two states
 * that looked the same to the viewer may differ in empty slots after a move. Copies the empty slots
 * of `from` to `to`; returns true if they differed. */
static bool copy_empty_slots(const struct game_view *from, struct game_view *to)
{
    bool were_equal = true;
    for (uint8_t seat = 0; seat < from->seats; seat++) {
        for (uint8_t i = 0; (int8_t)seat != from->seat && i < from->slot_count[seat]; i++) {
            if (from->hands[seat][i].is_empty != to->hands[seat][i].is_empty) {
                to->hands[seat][i] = from->hands[seat][i];
                were_equal = false;
            }
        }
    }
    return !were_equal;
}

/* After a move, two states that looked the same to the viewer may also differ in cards that the
 * viewer has just been shown. Copies these cards of `from` to `to`; returns true if they
 * differed. */
static bool copy_new_cards(const struct game_view *before, const struct game_view *from,
                           struct game_view *to)
{
    bool were_equal = true;
    for (uint8_t seat = 0; seat < from->seats; seat++) {
        for (uint8_t i = 0; i < from->slot_count[seat]; i++) {
            uint8_t *card = &to->hands[seat][i].card;
            uint8_t shown = from->hands[seat][i].card;
            uint8_t known = before->hands[seat][i].card;
            bool is_new = known != shown || known != *card;
            if (is_new && shown != CARD_NONE && *card != CARD_NONE) {
                were_equal = were_equal && *card == shown;
                *card = shown;
            }
        }
    }
    return !were_equal;
}

/* Tells whether the views differ, but only in cards and empty slots that the last move has shown to
 * the viewer. */
static bool differ_only_in_shown_cards_and_empty_slots(const struct game_view *before,
                                                       const struct game_view *a,
                                                       const struct game_view *b)
{
    static struct game_view other;
    other = *b;
    bool have_other_empty_slots = copy_empty_slots(a, &other);
    bool have_other_cards = copy_new_cards(before, a, &other);
    return (have_other_empty_slots || have_other_cards) && are_views_equal(a, &other);
}

/* The public events of a move: those that tell all players the same. */
struct heard {
    struct text text;
    char bytes[4096];
};

static void collect_public_event(void *context, const struct game_event *event)
{
    static const char *const hidden[] = {"round", "passed", "traded", "cerberus"};
    struct heard *heard = context;
    for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
        if (strcmp(event->kind, hidden[i]) == 0) {
            return;
        }
    }
    text_put(&heard->text, event->json.at);
    assert_false(heard->text.is_cut);
}

static struct game_log make_public_log(struct heard *heard)
{
    heard->text = text_init(heard->bytes, sizeof(heard->bytes));
    return (struct game_log){.context = heard, .event = collect_public_event};
}

/* Makes the move in the trial's state and in `twin`. False when the move is illegal in `twin`, or
 * when the public events differ. */
static bool apply_to_both_states(struct trial *trial, struct game_state *twin, uint8_t seat,
                                 uint8_t move, int8_t viewer)
{
    static struct heard heard[2];
    struct game_log log = make_public_log(&heard[0]);
    trial_make_move(trial, seat, move, &log);
    log = make_public_log(&heard[1]);
    bool is_legal = game_apply(trial->game, twin, seat, move, &log) == GAME_OK;
    trial_expect(trial, is_legal || (int8_t)seat != viewer,
                 "a viewer's own move is legal in all states it cannot tell apart");
    return is_legal && strcmp(heard[0].bytes, heard[1].bytes) == 0;
}

/* Takes two states that the viewer cannot tell apart and makes the same public moves in both. As
 * long as the moves are legal in both states and cause the same public events, the viewer's two
 * views must stay the same. */
static void play_and_check_equal_views(struct trial *trial)
{
    static struct game_view before, view, twin_view;
    struct game_state twin;
    int8_t viewer =
        get_viewer(trial, (uint8_t)quick_random_draw_below(&trial->random, trial->seats + 1U));
    bool have_twin = false;
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (!have_twin && !trial_draw_yes_or_no(trial, 1)) {
            trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
            continue;
        }
        game_fill_view(trial->game, &trial->state, viewer, &before);
        if (!have_twin) {
            enum game_result result =
                game_sample_state(&before, &trial->config, &trial->random, &twin);
            trial_expect(trial, result == GAME_OK, "a state can be sampled for every view");
        }
        have_twin =
            apply_to_both_states(trial, &twin, seat, trial_choose_move(trial, seat), viewer);
        game_fill_view(trial->game, &trial->state, viewer, &view);
        /* The comparison ends when a new round is dealt, because the two deals differ, and when the
         * game is over, because a score reveals secrets. */
        have_twin = have_twin && view.round == before.round && view.phase != PHASE_OVER;
        if (!have_twin) {
            continue;
        }
        game_fill_view(trial->game, &twin, viewer, &twin_view);
        have_twin = are_views_equal(&view, &twin_view);
        trial_expect(trial,
                     have_twin ||
                         differ_only_in_shown_cards_and_empty_slots(&before, &view, &twin_view),
                     "states that look alike to a viewer do so after an equal move");
    }
}

static void states_that_look_alike_to_a_viewer_still_do_after_the_same_moves(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_equal_views, 2);
}

static void check_legal_moves_in_views(const struct trial *trial)
{
    static struct game_view view;
    for (uint8_t i = 0; i <= trial->seats; i++) {
        int8_t viewer = get_viewer(trial, i);
        struct move_set legal;
        game_find_legal_moves(trial->game, &trial->state, (uint8_t)viewer, &legal);
        game_fill_view(trial->game, &trial->state, viewer, &view);
        trial_expect(trial, memcmp(&legal, &view.legal, sizeof(legal)) == 0,
                     "a view lists its viewer's legal moves");
        trial_expect(trial, viewer != SPECTATOR || move_set_count(&view.legal) == 0,
                     "a spectator has no moves");
    }
}

static void play_and_check_legal_moves(struct trial *trial)
{
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (trial_draw_yes_or_no(trial, 1)) {
            check_legal_moves_in_views(trial);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void a_view_lists_the_legal_moves_of_its_viewer(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_legal_moves, 1);
}

/* Checks that nothing is cut off in the game's `info`, in the views of all seats and of a
 * spectator. */
static void check_info_is_complete(const struct trial *trial)
{
    static struct game_view view;
    for (uint8_t i = 0; i <= trial->seats; i++) {
        game_fill_view(trial->game, &trial->state, get_viewer(trial, i), &view);
        static char buffer[VIEW_TEXT_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        view_write_info(&view, false, &text);
        trial_expect(trial, !text.is_cut, "info is complete");
    }
}

static void check_event_is_complete(void *context, const struct game_event *event)
{
    trial_expect(context, !event->json.is_cut, "an event is complete");
}

static void play_and_check_buffer_sizes(struct trial *trial)
{
    struct game_log log = {.context = trial, .event = check_event_is_complete};
    check_info_is_complete(trial);
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        trial_make_move(trial, seat, trial_choose_move(trial, seat), &log);
        check_info_is_complete(trial);
    }
    struct text result = TEXT_OF(1024);
    history_write_result(trial->game, &trial->state, &result);
    trial_expect(trial, !result.is_cut, "a result is complete");
}

static void the_info_events_and_results_of_every_game_fit_into_their_buffers(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_buffer_sizes, 2);
}

/* Checks that a spectator sees only cards that every player may see. */
static void check_spectator_sight(const struct trial *trial)
{
    static struct game_view open, view;
    game_fill_view(trial->game, &trial->state, SPECTATOR, &open);
    for (uint8_t i = 0; i < trial->seats; i++) {
        game_fill_view(trial->game, &trial->state, (int8_t)i, &view);
        for (unsigned at = 0; at < SEATS_MAX * SLOTS_MAX; at++) {
            uint8_t card = open.hands[at / SLOTS_MAX][at % SLOTS_MAX].card;
            bool is_dealt = at % SLOTS_MAX < view.slot_count[at / SLOTS_MAX];
            trial_expect(trial,
                         !is_dealt || card == CARD_NONE ||
                             card == view.hands[at / SLOTS_MAX][at % SLOTS_MAX].card,
                         "a spectator sees only what every player sees");
        }
    }
}

static void play_and_check_spectator_sight(struct trial *trial)
{
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (trial_draw_yes_or_no(trial, 1)) {
            check_spectator_sight(trial);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void a_spectator_sees_no_card_that_a_player_may_not_see(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_spectator_sight, 1);
}

TEST_GROUP(property_views)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_view_of_a_sampled_state_is_the_view_it_was_sampled_from),
        cmocka_unit_test(states_that_look_alike_to_a_viewer_still_do_after_the_same_moves),
        cmocka_unit_test(a_view_lists_the_legal_moves_of_its_viewer),
        cmocka_unit_test(the_info_events_and_results_of_every_game_fit_into_their_buffers),
        cmocka_unit_test(a_spectator_sees_no_card_that_a_player_may_not_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
