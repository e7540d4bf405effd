#include "games/history.h"

#include "games/face.h"

#include <string.h>

bool lesson_has_seed(const struct game_def *game, const uint8_t seed[SEED_BYTES])
{
    const struct game_lesson *lesson = game->face->lesson;
    return lesson != NULL && memcmp(seed, lesson->seed, SEED_BYTES) == 0;
}

struct game_config lesson_config(const struct game_def *game)
{
    const struct game_lesson *lesson = game->face->lesson;
    struct game_config config = game_config_default(game, lesson->players);
    memcpy(config.options, lesson->options, sizeof(config.options));
    return config;
}

const struct lesson_move *lesson_next_move(const struct game_def *game,
                                           const struct history_move *moves, size_t move_count)
{
    const struct game_lesson *lesson = game->face->lesson;
    for (size_t i = 0; i < move_count; i++) {
        if (i >= lesson->move_count || moves[i].seat != lesson->moves[i].seat ||
            moves[i].move != game_move_parse(game, lesson->moves[i].move)) {
            return NULL;
        }
    }
    return move_count < lesson->move_count ? &lesson->moves[move_count] : NULL;
}

/* Plays the first `count` moves of the script. False when one of them is illegal. */
static bool play_script(const struct game_def *game, uint16_t count, struct game_state *state)
{
    const struct game_lesson *lesson = game->face->lesson;
    struct game_config config = lesson_config(game);
    enum game_result result = game_start(game, &config, lesson->seed, state, NULL);
    for (uint16_t i = 0; i < count && result == GAME_OK; i++) {
        result = game_apply(game, state, lesson->moves[i].seat,
                            game_move_parse(game, lesson->moves[i].move), NULL);
    }
    return result == GAME_OK;
}

/* Whether the view shows what the view's seat sees after `count` moves of the script. */
static bool view_follows_script(const struct game_view *view, uint16_t count)
{
    char shown[VIEW_TEXT_MAX], expected[VIEW_TEXT_MAX];
    struct text shown_text = text_init(shown, sizeof(shown));
    struct text expected_text = text_init(expected, sizeof(expected));
    struct game_view scripted;
    struct game_state state;
    if (!play_script(view->game, count, &state)) {
        return false;
    }
    game_fill_view(view->game, &state, view->seat, &scripted);
    view_write(view, &shown_text);
    view_write(&scripted, &expected_text);
    return shown_text.len == expected_text.len && memcmp(shown, expected, shown_text.len) == 0;
}

const struct lesson_move *lesson_find_suggestion(const struct game_view *view)
{
    const struct game_lesson *lesson = view->game->face->lesson;
    if (lesson == NULL || view->step >= lesson->move_count) {
        return NULL;
    }
    const struct lesson_move *next = &lesson->moves[view->step];
    bool is_meant = next->why != NULL && view->seat == (int)next->seat;
    return is_meant && view_follows_script(view, view->step) ? next : NULL;
}

bool lesson_script_has_ended(const struct game_view *view)
{
    const struct game_lesson *lesson = view->game->face->lesson;
    return lesson == NULL || view->step >= lesson->move_count ||
           !view_follows_script(view, view->step);
}

bool lesson_note_matters(const struct lesson_note *note, const struct game_view *view)
{
    bool is_time =
        note->phases == 0 || (view_viewer_may_move(view) && (note->phases >> view->phase & 1) != 0);
    return is_time && (note->matters == NULL || note->matters(view));
}

uint8_t lesson_find_note(const struct game_view *view, uint32_t told, bool shows_scores)
{
    const struct game_lesson *lesson = view->game->face->lesson;
    for (uint8_t i = 0; lesson != NULL && i < lesson->note_count; i++) {
        const struct lesson_note *note = &lesson->notes[i];
        if ((told >> i & 1) == 0 && note->is_about_scores == shows_scores &&
            lesson_note_matters(note, view)) {
            return i;
        }
    }
    return LESSON_NOTES_MAX;
}

/* Whether the viewer has to play a card: in every game, this is the last of the phases. */
static bool viewer_has_to_play(const struct game_view *view)
{
    return view_viewer_may_move(view) && view->phase == view->game->phase_count - 1;
}

bool lesson_tells_note_after(const struct game_def *game, uint16_t step)
{
    const struct game_lesson *lesson = game->face->lesson;
    struct game_config config = lesson_config(game);
    struct game_state state;
    struct game_view view;
    uint32_t told = 0;
    enum game_result result = game_start(game, &config, lesson->seed, &state, NULL);
    for (uint16_t i = 0; result == GAME_OK; i++) {
        game_fill_view(game, &state, (int8_t)lesson->seat, &view);
        uint8_t note = lesson_find_note(&view, told, false);
        if (i == step) {
            return note < LESSON_NOTES_MAX;
        }
        told |= note < LESSON_NOTES_MAX ? UINT32_C(1) << note : 0;
        result = game_apply(game, &state, lesson->moves[i].seat,
                            game_move_parse(game, lesson->moves[i].move), NULL);
    }
    return false;
}

static unsigned count_own_cards(const struct game_view *view)
{
    unsigned count = 0;
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        count += !view->hands[view->seat][slot].is_empty;
    }
    return count;
}

bool lesson_viewer_leads(const struct game_view *view)
{
    return viewer_has_to_play(view) && view->trick.count == 0;
}

bool lesson_viewer_follows(const struct game_view *view)
{
    return viewer_has_to_play(view) && view->trick.count > 0;
}

/* Whether the viewer has to follow a led suit with one of several cards. */
static bool viewer_chooses_card_to_follow(const struct game_view *view)
{
    return lesson_viewer_follows(view) && face_suit_led(view) != SUIT_NONE &&
           count_own_cards(view) > 1;
}

bool lesson_viewer_follows_suit(const struct game_view *view)
{
    return viewer_chooses_card_to_follow(view) &&
           face_count_suit_cards(view, face_suit_led(view)) > 0;
}

bool lesson_viewer_cannot_follow(const struct game_view *view)
{
    return viewer_chooses_card_to_follow(view) &&
           face_count_suit_cards(view, face_suit_led(view)) == 0;
}

bool lesson_viewer_has_bid_tricks(const struct game_view *view)
{
    return viewer_has_to_play(view) && view->bids[view->seat] > 0 &&
           view->tricks[view->seat] == (uint8_t)view->bids[view->seat];
}

bool lesson_viewer_leads_after_trick(const struct game_view *view)
{
    return lesson_viewer_leads(view) && view->past_count > 0;
}

bool lesson_round_is_over(const struct game_view *view)
{
    return view->round > 1 || view->phase == PHASE_OVER;
}
