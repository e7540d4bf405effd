#pragma once

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
 * line in games.def; no other place knows its name. Games allocate no memory, read no clock and
 * keep no globals: a state is a pure function of (game, config, seed, moves).
 */

struct claim_facts;
struct encode_traits;

#define GAME_OPTIONS_MAX 4
#define GAME_STATE_MAX 2048
#define GAME_ROUNDS_MAX 64

/* The number of the format of HISTORY.md: it decides what a move means and what a view tells. */
#define GAME_FORMAT 3
#define SCORE_PARTS_MAX 4

/* The value of an option is a word, on or off, or a number. */
enum option_type {
    OPTION_WORD,
    OPTION_SWITCH,
    OPTION_NUMBER,
};

struct option_value {
    const char *word;  /* for OPTION_WORD: the word as written in histories; otherwise NULL */
    int16_t number;    /* for OPTION_NUMBER and OPTION_SWITCH: the value */
    const char *title; /* shown to people, translated */
};

struct option_def {
    const char *key;                   /* as written in histories: "scoring" */
    const char *title;                 /* shown to people, translated: "Scoring" */
    uint8_t type;                      /* enum option_type */
    const struct option_value *values; /* the first value is the default */
    uint8_t value_count;
    const char *needs; /* key of the option on which this option depends, or NULL. While that option
                          has its default, this option must have its default too */
};

/* How a game is set up. options[i] is the index of the value chosen for the game's option number i.
 * game_start accepts every config that game_config_check accepts. */
struct game_config {
    uint8_t players; /* number of people and bots, without virtual seats */
    uint8_t options[GAME_OPTIONS_MAX];
};

/* The state of any game. It can be copied by assignment and compared byte by byte. Every game's own
 * struct begins with struct table_state (table.h) and fits into these bytes. */
struct game_state {
    _Alignas(16) uint8_t bytes[GAME_STATE_MAX];
};

enum game_result {
    GAME_OK = 0,
    GAME_NOT_YOUR_TURN,
    GAME_ILLEGAL, /* the move does not exist or is not allowed now */
    GAME_OVER,
    GAME_BAD_CONFIG,
    GAME_BAD_VIEW, /* game_sample_state: no state fits the view */
};

/* A finished round, as score sheets show it. Everybody may see it. */
struct score_row {
    uint8_t round;
    bool has_bids;
    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t points[SEATS_MAX]; /* points of this round */
    int16_t totals[SEATS_MAX];
    /* The parts that add up to the points, in an order the game chooses. game_face's `explain` and
     * game_def's `stat` read them. */
    uint8_t part_count;
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
    struct fields event; /* the complete `score` event */
};

/* Functions that receive a game's events (HISTORY.md; every event except `move`) and score rows.
 * Either function may be NULL. */
struct game_log {
    void *context;
    void (*event)(void *context, const struct fields *event);
    void (*score)(void *context, const struct score_row *row);
};

/* The result of a finished game, by seat. */
struct game_outcome {
    int16_t scores[SEATS_MAX];
    uint8_t ranks[SEATS_MAX]; /* rank of each seat: 1 is best; 0 for a virtual seat */
    uint8_t winners;          /* bit s: seat s won; 0 when nobody won */
    struct fields extra;      /* further members of a history's `result`, such as "badness" */
};

/*
 * The texts people read about a game and the moves they make on a screen. Every function depends
 * only on its arguments, so a screen that uses it learns no more than its player may know.
 */
#define FACE_HEADLINE_MAX 4
#define FACE_BADGES_MAX 6
#define FACE_BOARD_MAX 8
#define FACE_SUITS_MAX 8
#define FACE_TERMS_MAX 2

/* A public fact about the round or the table, shown on the table. Example: label "trump", value a
 * suit. */
struct face_fact {
    const char *label; /* shown to people, translated */
    struct phrase value;
};

/* The player at whom a move points, and the cards of that player at which it points. */
struct face_aim {
    uint8_t seat;
    uint16_t slots; /* bit i: slot i; 0: the move points at the player, not at cards */
};

/* How often Enter must be pressed to confirm a selected choice. */
enum face_enter {
    FACE_ENTER_ONCE,  /* the player has selected the choice */
    FACE_ENTER_TWICE, /* the choice was selected in advance: a first Enter only names it */
    FACE_ENTER_AGAIN, /* the first Enter was the last key */
};

/* How the cards of the viewer's hand lie, suit by suit, once the viewer has put the suits in order
 * for the player who will hold the cards. */
struct face_order {
    uint8_t suit_count;
    uint8_t suits[FACE_SUITS_MAX]; /* from left to right */
    uint8_t slots[SLOTS_MAX]; /* for each place from left to right: the slot of the viewer's hand
                                 with the card that lies there; as many as the hand has slots */
    uint8_t holder;           /* the player who will hold the cards */
    uint16_t seen;            /* bit i: the holder will see the card at place i */
};

struct game_story;
struct story;
struct game_lesson;

struct game_face {
    /* The game as one person explains it to another: one sentence of at most 60 columns,
     * translated. */
    const char *pitch;
    /* Each paragraph is translated on its own; empty ones are not translated. */
    const char *const *brief; /* the rules on one screen, NULL-ended: lines under 76 columns each */
    const char *const
        *rules; /* the full rules: paragraphs, NULL-ended; a line "# X" is a heading */

    /* Short facts for the first line of the table screen ("7 cards", "trump ♥ (T♥)"), the most
     * important first. The screen itself shows the round and the game. Returns how many facts there
     * are. */
    uint8_t (*headline)(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX]);

    /* Notes shown beside a player ("dealer"). Returns how many there are. */
    uint8_t (*badges)(const struct game_view *view, uint8_t seat,
                      struct phrase out[FACE_BADGES_MAX]);

    /* The prompt: what the viewer has to do now ("Bid 0–7, not 3"). Absent when it is not the
     * viewer's turn. */
    struct phrase (*prompt)(const struct game_view *view);

    /* The label of a move's button: "3", "T♥", "pass". */
    struct phrase (*label)(const struct game_view *view, uint8_t move);

    /* Why a move that is not in view->legal is refused: "must follow ♣: you hold 3". */
    struct phrase (*refusal)(const struct game_view *view, uint8_t move);

    /* The move made by pointing at a card of one's own hand in this phase; MOVE_NONE when pointing
     * makes no move. The move may be illegal: then `refusal` says why. */
    uint8_t (*point)(const struct game_view *view, uint8_t slot);

    /* How the points of a score row add up: "bid 2, took 2: 10 + 2". */
    struct phrase (*explain)(const struct score_row *row, uint8_t seat);

    /* Why the trick's winner won it: "highest trump", "highest ♣". */
    struct phrase (*why_won)(const struct game_view *view, const struct view_trick *trick);

    /* Appends who wins a finished game and why, with the tie-break that decided, and, where the
     * rules leave it open, why the game ended. The first line names the winners. `winners` has bit
     * s for seat s. story.h has what games share. */
    void (*explain_result)(const struct game_view *view, const struct game_config *config,
                           uint8_t winners, struct story *story);

    /* The members below are optional: NULL when the game does not need them. */

    /* The game's own sentences in the story of a table (story.h). */
    const struct game_story *story;

    /* Public facts shown beside the cards, in an order that stays the same during a round.
     * `headline` has only the most important ones. Returns how many there are. */
    uint8_t (*board)(const struct game_view *view, struct face_fact out[FACE_BOARD_MAX]);

    /* The rules chosen for this table that players need while they play, such as the way of
     * scoring. Screens show them after the facts of `board`, because a view does not contain the
     * options. Returns how many there are. */
    uint8_t (*terms)(const struct game_config *config, struct face_fact out[FACE_TERMS_MAX]);

    /* What the game's own words and numbers on the table mean, beside players and on the board:
     * texts laid out as in `brief`, with 14 columns
     * for the word that is explained. */
    const char *const *signs;

    /* For a move that is made by pointing at another player or at that player's cards: fills in the
     * player and the cards. Returns false for any other move. */
    bool (*aim)(const struct game_view *view, uint8_t move, struct face_aim *out);

    /* For a move that puts the suits of the viewer's hand in order: fills in how the cards lie
     * after the move. For MOVE_NONE: how they lie after the viewer's earlier move of that kind in
     * this round, until the holder gets them. Returns false for any other move, and if there was no
     * such move. While such a move is legal, no other move is. */
    bool (*order)(const struct game_view *view, uint8_t move, struct face_order *out);

    /* For a choice of one number or two: what Enter does while this choice is selected ("Enter
     * again predicts 3: 5 points if right"). For MOVE_NONE: what one number and two numbers mean.
     */
    struct phrase (*confirm)(const struct game_view *view, uint8_t move, enum face_enter enter);

    /* Whether a move that is illegal now is listed among the choices anyway, so that people see
     * which choices are gone. `refusal` then says why. */
    bool (*lists)(const struct game_view *view, uint8_t move);

    /* A sensible move among those that screens list as choices, for a viewer who may move: screens
     * select it in advance, so that Enter names it and Enter again takes it. MOVE_NONE: none. */
    uint8_t (*suggest)(const struct game_view *view);

    /* What a seat whose turn it is has to do, translated: "to bid". Never returns NULL. When this
     * member is NULL, screens say "to lead" or "to play". */
    const char *(*turn)(const struct game_view *view, uint8_t seat);

    /* What pointing at a card of one's own hand does in this phase, translated: "drop". Never
     * returns NULL. When this member is NULL, screens say "play". */
    const char *(*pointing)(const struct game_view *view);

    /* The seat that plays after this seat in the current round, for games where that is not
     * always the seat with the next number. Every seat is reached once before the first seat
     * comes again. */
    uint8_t (*next)(const struct game_view *view, uint8_t seat);

    /* The number of columns in which a seat's cards lie: slots 0 to n - 1 lie side by side and the
     * later slots on top of them. 0: the cards form a hand. */
    uint8_t (*columns)(const struct game_view *view, uint8_t seat);

    /* The badges tell which cards lie open in a player's hand, so screens do not show them again */
    bool badges_tell_open_cards;

    /* A number of a player that screens show right after the score ("badness 2"). Absent when the
     * player has none. */
    struct phrase (*beside_score)(const struct game_view *view, uint8_t seat);

    /* The key of a list in `info` that counts on through all rounds with each trick. Screens take
     * it from the view after a round's last trick to show that trick's round. NULL: none. */
    const char *running_count;

    /* What to know about the points that a bot expects of a move, translated: whether many are
     * good, and what else the bot weighs. NULL: many points are good, and so are few of the others.
     */
    const char *expected_points;
    bool is_won_by_few_points; /* screens do not sort moves by the points that a bot expects */

    /* What the signs at cards mean that are on the table now ("told: # number, @ name"), and what
     * the places of hidden cards tell. Screens write # at a card whose value its holder was told, @
     * at one whose suit was told, * at one of which both were told, and a double arrow at a traded
     * card. Absent when there are no signs. */
    struct phrase (*card_signs)(const struct game_view *view);

    /* The label of a move that is made by pointing at cards, without their player, whom screens
     * name before it: "every 3". When this member is NULL, screens use `label`. */
    struct phrase (*aim_label)(const struct game_view *view, uint8_t move);

    uint8_t phases_before_bids; /* bit p: in phase p nobody has bid yet, so that screens leave out
                                   bids and tricks won */
    bool spells_suits; /* Sentences on screens contain the suits' full names: "Tom Dire 3", not "3
                          To" */

    /* Positions in a hand of this game have a meaning, so screens never sort hands */
    bool keeps_slots;
    uint8_t
        sorted_phases; /* bit p: in phase p, screens sort hands although positions have a meaning */

    /* What virtual seats are called, translated. */
    const char *virtual_name;

    /* A guided first game (lesson.h). */
    const struct game_lesson *lesson;
};

/* A statistic on the leaderboard of a game: hits out of chances, added up over finished rounds.
 * Every game has one statistic. */
struct game_stat {
    const char *title; /* shown to people, translated: "exact bids" */
    void (*count)(const struct score_row *row, uint8_t seat, uint32_t *hits, uint32_t *chances);
};

/* The short form of a game, in which people play it against bots at once. */
struct game_short_form {
    uint8_t players;
    uint8_t minutes;                   /* about how long one person needs */
    uint8_t options[GAME_OPTIONS_MAX]; /* as in struct game_config */
};

struct game_def {
    const char *id;               /* stored in histories: never changes */
    const char *title;            /* shown to people */
    uint8_t seats_min, seats_max; /* fewest and most people and bots */
    uint8_t seats_filled; /* if not 0, virtual seats are added until the game has this many seats */
    const struct option_def *options;
    uint8_t option_count;
    struct game_short_form short_form;
    const struct deck_def *deck;
    const char *const *phases; /* marked with N_(): the phases' names as in views, without "over" */
    uint8_t phase_count;
    size_t state_size; /* size in bytes of the game's own state struct, at most GAME_STATE_MAX */
    bool tells_slots;  /* views tell the slot from which each card was played */

    /* Sets the game up and deals the first round. game_start zeroes `state` before the call. */
    void (*start)(void *state, const struct game_config *config, const uint8_t seed[SEED_BYTES],
                  const struct game_log *log);

    /* The seat that leads the first trick of the current round. NULL in games in which this seat is
     * the first that may move in a round. */
    uint8_t (*first_leader)(const void *state);

    /* Adds the seat's legal moves to an empty set. Adds none when it is not the seat's turn. seat <
     * SEATS_MAX. */
    void (*legal)(const void *state, uint8_t seat, struct move_set *moves);

    /* Makes a move. A refused move leaves the state unchanged. `seat` and `move` may be any number,
     * because they may come from outside. log may be NULL. */
    enum game_result (*apply)(void *state, uint8_t seat, uint8_t move, const struct game_log *log);

    /* Fills a cleared view for a seat or for SPECTATOR. Nothing else of a state leaves the core.
     * game_fill_view fills in `game`, `seat` and `legal`. */
    void (*view)(const void *state, int8_t seat, struct game_view *view);

    /* Fills in a random full state that fits the view; future deals are random too. The view of
     * this state equals `view`. For a seat's view, the chance of a state is the chance of all
     * deals, random draws and secret choices that lead to it; public choices only have to be legal.
     * game_sample_state zeroes `state` before the call. */
    enum game_result (*sample)(const struct game_view *view, const struct game_config *config,
                               struct quick_random *random, void *state);

    /* The ranks and winners of a finished game. */
    void (*score)(const void *state, struct game_outcome *outcome);

    /* Appends the text of a move. Appends nothing for a number that is no move of the game. */
    void (*move_write)(uint8_t move, struct text *out);

    /* Whether a move is a bid: says how many tricks the player will take. `numbers` gets the lowest
     * and the highest number of tricks that it names, which are equal when it names one. Otherwise
     * `numbers` is unchanged. NULL: the game has no bids. */
    bool (*bid)(uint8_t move, uint8_t numbers[2]);

    /* What a net sees of the game (bots/encode.h). */
    const struct encode_traits *encode;

    /* Whether the remaining tricks of the round can be claimed (claim.h) by the view's seat, whose
     * turn it is. Returns NULL and fills in the facts when it would fix everybody's points if this
     * seat took all remaining tricks. Otherwise returns the reason why not, a sentence marked with
     * N_(). NULL for a game in which players do not know their own cards: nothing can be claimed
     * there. */
    const char *(*claim)(const struct game_view *view, const struct game_config *config,
                         struct claim_facts *facts);

    const struct game_face *face;
    struct game_stat stat;
};

/* The list of games, in the order of games.def. game_at(i) is NULL for i >= game_count(). */
uint8_t game_count(void);
const struct game_def *game_at(uint8_t index);
const struct game_def *game_find(const char *id);

/* The number of seats, virtual ones included. States and views call it `seats`. */
uint8_t game_seats(const struct game_def *game, const struct game_config *config);

/* The config with default options for the given number of players. */
struct game_config game_config_default(const struct game_def *game, uint8_t players);

/* The config of the game's short form. */
struct game_config game_config_short(const struct game_def *game);

enum game_result game_config_check(const struct game_def *game,
                                   const struct game_config *config) MUST_CHECK;

/* Whether the option has an effect: false while the option that it needs has its default. */
bool game_option_applies(const struct game_def *game, const struct game_config *config,
                         const struct option_def *option);

/* Sets the options that have no effect (`needs`) back to their defaults, as game_config_check
 * requires. Call it after the last option from outside has been set. */
void game_config_reset_unused_options(const struct game_def *game, struct game_config *config);

/* Sets the option `key` to the value written as `value`. False when the key or the value is
 * unknown. */
bool game_config_set(const struct game_def *game, struct game_config *config, const char *key,
                     const char *value) MUST_CHECK;

/* Writes the options as the JSON object of HISTORY.md. */
void game_config_write(const struct game_def *game, const struct game_config *config,
                       struct text *out);

enum game_result game_start(const struct game_def *game, const struct game_config *config,
                            const uint8_t seed[SEED_BYTES], struct game_state *state,
                            const struct game_log *log) MUST_CHECK;

/* The seats that may move: bit s for seat s. 0 when the game is over. */
uint8_t game_seats_to_act(const struct game_state *state);

/* The seat that leads the first trick, in the state that game_start made. Everybody may know it. */
uint8_t game_find_first_leader(const struct game_def *game, const struct game_state *state);

void game_find_legal_moves(const struct game_def *game, const struct game_state *state,
                           uint8_t seat, struct move_set *moves);
enum game_result game_apply(const struct game_def *game, struct game_state *state, uint8_t seat,
                            uint8_t move, const struct game_log *log) MUST_CHECK;
void game_fill_view(const struct game_def *game, const struct game_state *state, int8_t seat,
                    struct game_view *view);
enum game_result game_sample_state(const struct game_view *view, const struct game_config *config,
                                   struct quick_random *random,
                                   struct game_state *state) MUST_CHECK;
void game_fill_outcome(const struct game_def *game, const struct game_state *state,
                       struct game_outcome *outcome);

/* The text of a move, as in HISTORY.md. Every move has exactly one spelling; game_move_parse
 * returns MOVE_NONE for any other text. */
void game_move_write(const struct game_def *game, uint8_t move, struct text *out);
uint8_t game_move_parse(const struct game_def *game, const char *text);

/* A random legal move, each equally likely, for the view's seat, whose turn it is. */
uint8_t policy_random_move(const struct game_view *view, const struct game_config *config,
                           struct quick_random *random);
