#pragma once

#include "games/game.h"

/*
 * Writes a history (HISTORY.md) from what is stored: the set-up, the seed and the moves. The text
 * is passed on in pieces, so a game of any length needs no more memory.
 */

#define HISTORY_FORMAT "trickhouse-history/" /* the format's name; GAME_FORMAT follows */
#define HISTORY_VIRTUAL_NAME "virtual"
#define HISTORY_NAME_MAX 64

struct history_seat {
    const char *name; /* the player's name in UTF-8 */
    const char *bot;  /* the bot's policy; NULL for a person */
};

/* A seat was taken over by another player before move number `step` (from 0). */
struct history_change {
    uint32_t step;
    uint8_t seat;
    struct history_seat who;
};

struct history_move {
    uint8_t seat;
    uint8_t move;
};

struct history_source {
    int64_t id;
    const struct game_def *game;
    struct game_config config;
    const struct history_seat *seats; /* one entry for each player */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32]; /* SHA-256 of the seed. The caller computes it, because games/ has no
                               cryptographic library */
    const struct history_move *moves;
    uint32_t move_count;
    const struct history_change *changes; /* in ascending order of step */
    uint32_t change_count;
    bool with_legal; /* true: write the legal moves with every move */
};

enum history_result {
    HISTORY_OK = 0,
    HISTORY_BAD_CONFIG,
    HISTORY_BAD_MOVE, /* a stored move was refused, so the record is corrupt */
};

/* Receives the JSON text in pieces, in order, without a newline at the end. */
typedef void history_sink(void *context, const char *bytes, size_t len);

/* Replays the game and writes its history. In an unfinished game `seed` and `result` are null and
 * there is no `end`. On an error nothing has been written. Names are shorter than HISTORY_NAME_MAX
 * bytes. In an unfinished game, a seat change whose step is move_count is written last. A finished
 * game has no seat change after its end. */
enum history_result history_write(const struct history_source *source, history_sink *sink,
                                  void *context) MUST_CHECK;

/* Writes the `result` of a finished game as a JSON object. */
void history_write_result(const struct game_def *game, const struct game_state *state,
                          struct text *out);

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
     * while others move, and after moves that the script does not have. NULL: always. */
    bool (*matters)(const struct game_view *view);
    bool is_about_scores; /* told only beside the scores of a finished round, where no other note is
                             told */
    uint8_t phases; /* told only when the viewer has to make a move in one of these phases: bit p
                       for phase p; 0: also at other times */
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

/* Whether the note matters in this view, if its kind is told at all now. */
bool lesson_note_matters(const struct lesson_note *note, const struct game_view *view);

/* Whether a player who follows the script of the game's lesson, and looks at every view of it, is
 * told a note after `step` of its moves, at most all of them. */
bool lesson_tells_note_after(const struct game_def *game, uint16_t step);

/* Conditions that the lessons of several games use. */

/* The viewer has to play a card, and leads the trick. */
bool lesson_viewer_leads(const struct game_view *view);

/* The viewer has to play a card to a trick that another seat has led. */
bool lesson_viewer_follows(const struct game_view *view);

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
