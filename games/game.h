#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include "games/card.h"
#include "games/fields.h"
#include "games/macros.h"
#include "games/move.h"
#include "games/phrase.h"
#include "games/random.h"
#include "games/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The contract between a game and everything else. A game is one `const struct game_def` and one
 * line in games.def; no other place knows its name. Nothing here allocates, reads a clock or keeps
 * a global: a state is a pure function of (game, config, seed, moves).
 */

#define GAME_OPTIONS_MAX 4
#define GAME_STATE_MAX 2048
#define GAME_ROUNDS_MAX 64

/* The format of HISTORY.md that games are played and stored in now, and the oldest one that is
 * still read: what a move means depends on it ("Formats" there). */
#define GAME_FORMAT 2
#define GAME_FORMAT_OLDEST 1
#define SCORE_PARTS_MAX 4

/* An option is a choice among words, a switch, or one of some numbers. */
enum option_type {
    OPTION_WORD,
    OPTION_SWITCH,
    OPTION_NUMBER,
};

struct option_value {
    const char *word;  /* OPTION_WORD: as in histories; else NULL */
    int16_t number;    /* OPTION_NUMBER, OPTION_SWITCH */
    const char *title; /* for people, translated */
};

struct option_def {
    const char *key;                   /* as in histories: "scoring" */
    const char *title;                 /* for people, translated: "Scoring" */
    uint8_t type;                      /* enum option_type */
    const struct option_value *values; /* the first is the default */
    uint8_t value_count;
    const char *needs; /* key of another option: while that has its default, so has this; or NULL */
};

/* How a game is set up. `options` holds the index of each option's value, in the order of the
 * game's options. A config that game_config_check accepts is legal for game_start. */
struct game_config {
    uint8_t format;  /* GAME_FORMAT_OLDEST to GAME_FORMAT */
    uint8_t players; /* people and bots, without virtual seats */
    uint8_t options[GAME_OPTIONS_MAX];
};

/* A state, whatever the game: copied by assignment, compared by bytes. Every game's own struct
 * begins with struct table_state (table.h) and fits in here. */
struct game_state {
    _Alignas(16) uint8_t bytes[GAME_STATE_MAX];
};

enum game_result {
    GAME_OK = 0,
    GAME_NOT_YOUR_TURN,
    GAME_ILLEGAL, /* no such move, or not allowed now */
    GAME_OVER,
    GAME_BAD_CONFIG,
    GAME_BAD_VIEW, /* sample: no state fits */
};

/* One finished round, for score sheets; public. */
struct score_row {
    uint8_t round;
    bool has_bids;
    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t points[SEATS_MAX]; /* of this round */
    int16_t totals[SEATS_MAX];
    /* What the points are made of, in an order of the game's own: for `explain` and `stat`. */
    uint8_t part_count;
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
    struct fields event; /* the whole `score` event */
};

/* Who listens to a game's events (HISTORY.md, all but `move`). Either may be NULL. */
struct game_log {
    void *context;
    void (*event)(void *context, const struct fields *event);
    void (*score)(void *context, const struct score_row *row);
};

/* The end: by seat. */
struct game_outcome {
    int16_t scores[SEATS_MAX];
    uint8_t ranks[SEATS_MAX]; /* 1 is best; 0 for a virtual seat */
    uint8_t winners;          /* bit s: seat s won; may be empty */
    struct fields extra;      /* what `result` has besides ("badness") */
};

/*
 * What people read and press; every function is pure in its view, so a screen can use it without
 * knowing more than its player does.
 */
#define FACE_HEADLINE_MAX 4
#define FACE_BADGES_MAX 3
#define FACE_BOARD_MAX 8

/* A fact that stands on the table for all to see: "trump" and which suit it is. */
struct face_fact {
    const char *label; /* translated */
    struct phrase value;
};

/* Whom a move is about, and which of that player's cards. */
struct face_aim {
    uint8_t seat;
    uint16_t slots; /* bit i: slot i; 0: the player, no cards */
};

struct game_face {
    const char *pitch; /* one sentence, translated */
    /* Each line and paragraph is translated on its own, but for empty ones. */
    const char *const *brief; /* rules on one screen: lines under 76 columns, NULL-ended */
    const char *const *rules; /* full rules: paragraphs, NULL-ended; a line "# X" is a heading */

    /* Short facts for the table's first line ("7 cards", "trump ♥ (T♥)"), most important first.
     * Round and game are shown anyway. Returns how many. */
    uint8_t (*headline)(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX]);

    /* Marks beside a player ("dealer"). Returns how many. */
    uint8_t (*badges)(const struct game_view *view, uint8_t seat,
                      struct phrase out[FACE_BADGES_MAX]);

    /* What is asked of the viewer now, in words: "Bid 0–7, not 3". Absent when not to act. */
    struct phrase (*prompt)(const struct game_view *view);

    /* A move as a button: "3", "T♥", "pass". */
    struct phrase (*label)(const struct game_view *view, uint8_t move);

    /* Why a move that is not in view->legal is refused: "must follow ♣: you hold 3". */
    struct phrase (*refusal)(const struct game_view *view, uint8_t move);

    /* The move meant by pointing at a card of one's own hand in this phase; MOVE_NONE when
     * pointing means nothing now. It need not be legal: `refusal` then says why. */
    uint8_t (*point)(const struct game_view *view, uint8_t slot);

    /* How the points of a row came about: "bid 2, took 2: 10 + 2". */
    struct phrase (*explain)(const struct score_row *row, uint8_t seat);

    /* Why the last trick went where it went: "highest trump", "highest ♣". */
    struct phrase (*why_won)(const struct game_view *view, const struct view_trick *trick);

    /* The rest may be NULL: a game has it or has it not. */

    /* What lies open beside the cards, in an order that stays the same all round; `headline` has
     * only what matters most of it. Returns how many. */
    uint8_t (*board)(const struct game_view *view, struct face_fact out[FACE_BOARD_MAX]);

    /* Moves that are made by pointing at another player, or at cards of theirs: whom and what the
     * move would point out. False when it is not such a move. */
    bool (*aim)(const struct game_view *view, uint8_t move, struct face_aim *out);

    /* Whether a move that is not legal now stands among the choices all the same, for people to see
     * what is gone: `refusal` says why. */
    bool (*lists)(const struct game_view *view, uint8_t move);

    /* What a seat that may act now is to do, translated: "to bid"; never gives NULL. Without it:
     * "to lead", "to play". */
    const char *(*turn)(const struct game_view *view, uint8_t seat);

    /* What pointing at a card of one's own hand does in this phase, translated: "drop"; never gives
     * NULL. Without it: "play". */
    const char *(*pointing)(const struct game_view *view);

    /* Who plays after the seat in this round, where that is not always the next seat by number. All
     * seats come once on the way round. */
    uint8_t (*next)(const struct game_view *view, uint8_t seat);

    /* How many of a seat's slots lie side by side, the next ones on top of them; 0: a hand. */
    uint8_t (*columns)(const struct game_view *view, uint8_t seat);

    /* A slot's place means something by itself: hands are never sorted. */
    bool keeps_slots;
    uint8_t sorted_phases; /* bit p: but for phase p, in which they are */

    /* What virtual seats are called, translated. */
    const char *virtual_name;
};

/* The leaderboard's column of a game, which every game has: hits out of chances, counted per
 * finished round. */
struct game_stat {
    const char *title; /* translated: "exact bids" */
    void (*count)(const struct score_row *row, uint8_t seat, uint32_t *hits, uint32_t *chances);
};

struct game_def {
    const char *id;               /* stored in histories: never changes */
    const char *title;            /* for people */
    uint8_t seats_min, seats_max; /* people and bots */
    uint8_t seats_filled;         /* virtual seats fill up to this; 0 when there are none */
    const struct option_def *options;
    uint8_t option_count;
    const struct deck_def *deck;
    const char *const *phases; /* names as in views; "over" is not among them */
    uint8_t phase_count;
    size_t state_size; /* at most GAME_STATE_MAX */

    /* Sets up and deals the first round. `state` is zeroed first by game_start. */
    void (*start)(void *state, const struct game_config *config, const uint8_t seed[SEED_BYTES],
                  const struct game_log *log);

    /* Seats that may act, bit by bit; 0 when the game is over. */
    uint8_t (*turn)(const void *state);

    /* Adds the seat's legal moves to an empty set; none when not to act. seat < SEATS_MAX. */
    void (*legal)(const void *state, uint8_t seat, struct move_set *moves);

    /* Carries out a move; a refusal leaves the state untouched. Any seat and any move number may
     * come, from outside too. log may be NULL. */
    enum game_result (*apply)(void *state, uint8_t seat, uint8_t move, const struct game_log *log);

    /* Fills a cleared view for a seat or SPECTATOR: the only thing that leaves the core. `game`,
     * `seat` and `legal` are game_view_of's. */
    void (*view)(const void *state, int8_t seat, struct game_view *view);

    /* A random full state that fits what the view tells, future deals random too;
     * view(sample(v)) = v. For a seat's view states are as likely as the deals, draws and secret
     * choices that lead to them; what is done for all to see only has to be legal. `state` is
     * zeroed first by game_sample, which has checked that config and view are of one format. */
    enum game_result (*sample)(const struct game_view *view, const struct game_config *config,
                               struct quick_random *random, void *state);

    /* Ranks and winners of a finished game. */
    void (*score)(const void *state, struct game_outcome *outcome);

    /* Appends the move's one text; nothing for a number that is no move of the game. */
    void (*move_write)(uint8_t move, struct text *out);

    /* The `careful` policy: a sensible legal move for the view's seat, which is to act. */
    uint8_t (*careful)(const struct game_view *view, const struct game_config *config,
                       struct quick_random *random);

    const struct game_face *face;
    struct game_stat stat;
};

/* The registry, in the order of games.def; game_at(i) is NULL from game_count() on. */
uint8_t game_count(void);
const struct game_def *game_at(uint8_t index);
const struct game_def *game_find(const char *id);

/* Virtual seats included: what `seats` is in states and views. */
uint8_t game_seats(const struct game_def *game, const struct game_config *config);

/* Defaults for that many players, in the format of now. */
struct game_config game_config_default(const struct game_def *game, uint8_t players);
enum game_result game_config_check(const struct game_def *game,
                                   const struct game_config *config) MUST_CHECK;

/* False while the option means nothing (`needs`). */
bool game_option_applies(const struct game_def *game, const struct game_config *config,
                         const struct option_def *option);

/* Gives the options that mean nothing now (`needs`) their default back, as game_config_check wants
 * it: whoever takes options from outside does so once all are set. */
void game_config_settle(const struct game_def *game, struct game_config *config);

/* Sets the option `key` to the value written `value`; false when either is unknown. */
bool game_config_set(const struct game_def *game, struct game_config *config, const char *key,
                     const char *value) MUST_CHECK;

/* Writes the options as HISTORY.md's object. */
void game_config_write(const struct game_def *game, const struct game_config *config,
                       struct text *out);

enum game_result game_start(const struct game_def *game, const struct game_config *config,
                            const uint8_t seed[SEED_BYTES], struct game_state *state,
                            const struct game_log *log) MUST_CHECK;
uint8_t game_turn(const struct game_def *game, const struct game_state *state);
void game_legal(const struct game_def *game, const struct game_state *state, uint8_t seat,
                struct move_set *moves);
enum game_result game_apply(const struct game_def *game, struct game_state *state, uint8_t seat,
                            uint8_t move, const struct game_log *log) MUST_CHECK;
void game_view_of(const struct game_def *game, const struct game_state *state, int8_t seat,
                  struct game_view *view);
enum game_result game_sample(const struct game_view *view, const struct game_config *config,
                             struct quick_random *random, struct game_state *state) MUST_CHECK;
void game_outcome_of(const struct game_def *game, const struct game_state *state,
                     struct game_outcome *outcome);

/* Move texts, HISTORY.md: exactly one spelling each. game_move_parse gives MOVE_NONE for any
 * other. */
void game_move_write(const struct game_def *game, uint8_t move, struct text *out);
uint8_t game_move_parse(const struct game_def *game, const char *text);

/* A uniformly random legal move of the view's seat, which is to act. */
uint8_t policy_random(const struct game_view *view, const struct game_config *config,
                      struct quick_random *random);

/* The policies by name, as tables and histories call them. */
typedef uint8_t game_policy(const struct game_view *view, const struct game_config *config,
                            struct quick_random *random);

/* "random" or "careful"; NULL for another name. */
game_policy *game_policy_find(const struct game_def *game, const char *name);

#endif
