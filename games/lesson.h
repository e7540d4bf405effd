#pragma once

#include "games/game.h"
#include "games/history.h"

/*
 * A lesson: a guided first game against bots. Its deal is fixed, so its seed is no secret. While
 * the player makes the moves that the lesson suggests, the bots make the moves of its script; after
 * any other move, and after the end of the script, the game goes on like any other.
 */

/* The script of a lesson: the first moves of the game, in order. */
struct lesson_move {
    uint8_t seat;
    const char *move; /* as in HISTORY.md */
    const char *why;  /* why the player should make this move, translated: one sentence without a
                         full stop; NULL for moves of bots and where nothing is suggested */
};

/* A sentence that the player is told once, when it first matters. */
struct lesson_note {
    const char *text; /* translated */
    /* Whether the sentence is true in this view and about what the viewer sees or decides now; also
     * while others move, and after moves that the script does not have. */
    bool (*matters)(const struct game_view *view);
    bool is_about_scores; /* told only beside the scores of a finished round, where no other note is
                             told */
};

struct game_lesson {
    uint8_t players;
    uint8_t options[GAME_OPTIONS_MAX]; /* as in struct game_config */
    uint8_t seat;                      /* the player's seat */
    uint8_t seed[SEED_BYTES];          /* tells which stored games are lessons: never changes */
    const struct lesson_move *moves;
    uint16_t move_count;
    const struct lesson_note *notes; /* in the order in which they are told */
    uint8_t note_count;              /* at most LESSON_NOTES_MAX */
};

#define LESSON_NOTES_MAX 32

/* Whether a game with this seed is the game's lesson. False for games without a lesson. */
bool lesson_has_seed(const struct game_def *game, const uint8_t seed[SEED_BYTES]);

/* The config of the game's lesson. The game has a lesson. */
struct game_config lesson_config(const struct game_def *game);

/* The scripted move after these moves of the lesson's game; NULL when they do not follow the script
 * or the script is over. */
const struct lesson_move *lesson_next_move(const struct game_def *game,
                                           const struct history_move *moves, size_t move_count);

/* The move that the lesson suggests to the view's seat, whose turn it is; NULL when it suggests
 * none or the view's game does not follow the script. */
const struct lesson_move *lesson_find_suggestion(const struct game_view *view);

/* Whether the lesson suggests nothing any more: the view's game does not follow the script, or the
 * script is over. True in games without a lesson. */
bool lesson_script_has_ended(const struct game_view *view);

/* Returns the number of the note to tell now: the first that matters in this view and is not in
 * `told` (bit n: note n); LESSON_NOTES_MAX when there is none. shows_scores: the player looks at
 * the scores of the round that has just ended. */
uint8_t lesson_find_note(const struct game_view *view, uint32_t told, bool shows_scores);

/* Whether a player who follows the script of the game's lesson, and looks at every view of it, is
 * told a note after `step` of its moves, at most all of them. */
bool lesson_tells_note_after(const struct game_def *game, uint16_t step);

/* Conditions that the lessons of several games use. */

/* The viewer has to play a card, and leads the trick. */
bool lesson_viewer_leads(const struct game_view *view);

/* The viewer has to play a card to a trick that another seat has led. */
bool lesson_viewer_follows(const struct game_view *view);

/* The viewer has to make a move in this phase. */
bool lesson_viewer_acts_in(const struct game_view *view, uint8_t phase);

/* The viewer has to play a card, holds cards of the suit led and has more cards than one. */
bool lesson_viewer_follows_suit(const struct game_view *view);

/* The viewer has to play a card, holds none of the suit led and has more cards than one. */
bool lesson_viewer_cannot_follow(const struct game_view *view);

/* The viewer has to play a card and has as many tricks as the bid, which was not 0. */
bool lesson_viewer_has_bid_tricks(const struct game_view *view);

/* The viewer has to play a card, and leads because the viewer took the round's previous trick. */
bool lesson_viewer_leads_after_trick(const struct game_view *view);

/* The first round is over. */
bool lesson_round_is_over(const struct game_view *view);
