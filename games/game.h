#pragma once

#include "games/card.h"
#include "games/macros.h"
#include "games/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * JSON is written straight into a text: the events of a history, views and results. Each function
 * writes a value after its key, which is NULL inside a list, and after a comma unless the value is
 * the first one of its object or list. json_open takes '{' or '[', json_close '}' or ']'.
 */

void json_put_null(struct text *out, const char *key);
void json_put_true(struct text *out, const char *key);
void json_put_number(struct text *out, const char *key, int32_t number);
void json_put_text(struct text *out, const char *key, const char *text);
void json_put_card(struct text *out, const char *key, const struct deck_def *deck, uint8_t card);
void json_open(struct text *out, const char *key, char bracket);
void json_close(struct text *out, char bracket);

/* Writes a list of the numbers of the bits that are set. */
void json_put_bits(struct text *out, const char *key, uint16_t bits);

/*
 * A move is a small number that means the same in every state of its game. Each game assigns its
 * own numbers and writes them as the texts in HISTORY.md. Legal moves are a bit set.
 */

#define MOVES_MAX 192
#define MOVE_NONE 0xFF
#define MOVE_TEXT_MAX 40

struct move_set {
    uint64_t bits[MOVES_MAX / 64];
};

static inline struct move_set move_set_empty(void)
{
    return (struct move_set){{0}};
}

static inline void move_set_add(struct move_set *set, uint8_t move)
{
    set->bits[move / 64] |= UINT64_C(1) << (move % 64);
}

static inline bool move_set_has(const struct move_set *set, uint8_t move)
{
    return move < MOVES_MAX && (set->bits[move / 64] >> (move % 64) & 1) != 0;
}

/* The number of moves in the set. */
uint8_t move_set_count(const struct move_set *set);

/* The nth move in ascending order, counted from 0; n is less than the number of moves. */
uint8_t move_set_nth(const struct move_set *set, uint8_t n);

/* The lowest move in the set that is at least `from`; MOVE_NONE when there is none. For loops: for
 * (m = move_set_next(s, 0); m != MOVE_NONE; m = move_set_next(s, m + 1)) */
uint8_t move_set_next(const struct move_set *set, unsigned from);

/*
 * A sentence for people, before translation: a format with {0} to {9} for its arguments, and
 * "{0:trick|tricks}" for words that depend on a number, where the first is for 1 and -1 and the
 * second for all other numbers. The code that shows it translates the format, then fills in the
 * arguments and writes cards, suits and names in its own way (symbols or letters, colour, "you").
 */

#define PHRASE_ARGS_MAX 10

enum phrase_arg_type {
    ARG_NONE,
    ARG_NUMBER,
    ARG_POINTS, /* a number of points won or lost: written with a plus if it is a gain */
    ARG_CARD,   /* a card's number in the game's deck */
    ARG_SUIT,   /* an index into the deck's suits */
    ARG_SEAT,   /* a seat number */
    ARG_WORDS,  /* the text in `words`, which is translated too */
    ARG_SEATS,  /* several seats: bit s for seat s; written as a list of names */
    ARG_SLOTS,  /* several slots of a hand: bit i for slot i; written as a list of numbers from 1 */
    /* A phrase inside the phrase: `words` is its format, and its arguments, `number` of them, are
     * the outer phrase's next arguments. */
    ARG_PHRASE,
};

struct phrase_arg {
    uint8_t type; /* enum phrase_arg_type */
    int32_t number;
    const char *words;
    const char *own; /* of ARG_PHRASE: the format for the reader who is its first seat, or NULL */
};

/* A phrase is absent when its format is NULL. Formats are constants marked with N_(). A sentence
 * about what a player does has more than one format, because verbs and pronouns change when the
 * player is the one who reads it: "nora leads {1}", "You lead {1}". */
struct phrase {
    const char *format;
    const char *own;       /* instead of `format` when the reader is the first seat among the
                              arguments; NULL: there is no such format */
    const char *own_other; /* the same for the second seat among the arguments */
    struct phrase_arg args[PHRASE_ARGS_MAX];
};

/* A phrase with arguments; PHRASE_OWN: with `own` too. */
#define PHRASE(text, ...) ((struct phrase){.format = (text), .args = {__VA_ARGS__}})
#define PHRASE_OWN(text, own_text, ...)                                                            \
    ((struct phrase){.format = (text), .own = (own_text), .args = {__VA_ARGS__}})

struct phrase phrase_absent(void);
struct phrase phrase_without_args(const char *format);
struct phrase_arg arg_of_number(int32_t number);
struct phrase_arg arg_of_points(int32_t points); /* "+2", "0", "-6" */
struct phrase_arg arg_of_card(uint8_t card);
struct phrase_arg arg_of_suit(uint8_t suit);
struct phrase_arg arg_of_seat(uint8_t seat);
struct phrase_arg arg_of_words(const char *words);
struct phrase_arg arg_of_seats(uint8_t seats);
struct phrase_arg arg_of_slots(uint16_t slots);

/* Makes the arguments from number `index` on an ARG_PHRASE of `inner`, which must be present, and
 * the arguments of `inner`. Those of its arguments that have no room are left out. */
void phrase_put_inner(struct phrase *phrase, uint8_t index, const struct phrase *inner);

/* The phrase inside the phrase, by an ARG_PHRASE in `args`, or an absent one for any other
 * argument. */
struct phrase phrase_get_inner(const struct phrase_arg *arg);

/* The format to show to a reader at seat `reader` (negative: a reader without a seat). */
const char *phrase_choose_format(const struct phrase *phrase, int8_t reader);

/* Writes an argument that is not a number. `context` is the one given to phrase_write. */
typedef void phrase_writer(void *context, const struct phrase_arg *arg, struct text *out);

/* Writes `format`, which is the phrase's own or its translation, with the phrase's arguments filled
 * in. */
void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write_argument,
                  void *context, struct text *out);

/*
 * What one player or a spectator may know of a game at one step: the "View" of HISTORY.md as a flat
 * struct, copied by assignment. Screens and bots see nothing else of a game.
 */

/* What a game tells in its views besides what all games tell: the game's own struct of bytes, one
 * for each fact, in `info` of struct game_view. A list of struct info_def says how each fact is
 * written in the JSON and what may be read there. */
#define INFO_BYTES 128
#define INFO_NONE 0xFF /* the fact is not known, or there is none */

enum info_form {
    INFO_NUMBER, /* a number below `end` */
    INFO_SEAT,   /* a number below the number of seats */
    INFO_CARD,   /* a card's name */
    INFO_SUIT,   /* a suit's id */
    INFO_BITS,   /* a list: the numbers of the bits that are set in a number below `end` */
    INFO_OBJECT, /* an object. There is none if its first byte is INFO_NONE */
    INFO_OWN, /* what `write` writes for a number below `end`. If `end` is 0, the rest of the view
                 decides what it writes, and it is not read */
};

enum info_repeat {
    INFO_ONCE,
    INFO_BY_SEAT, /* a list with a member for each seat */
    INFO_LIST,    /* a list of at most `most` members; it ends before INFO_NONE */
};

/* What stands in the JSON instead of INFO_NONE or of a list without members. */
enum info_absence {
    INFO_NEVER_ABSENT,
    INFO_NULL,
    INFO_LEFT_OUT,
    INFO_PRIVATE, /* null; in the view of a spectator, the fact is always left out */
};

struct game_view;
struct info_def {
    const char *key;                /* NULL after the last of a list of facts */
    const struct info_def *members; /* of INFO_OBJECT: its members, which are no objects or lists */
    void (*write)(const struct game_view *view, const char *key, uint8_t value, struct text *out);
    uint8_t form;    /* enum info_form */
    uint8_t repeat;  /* enum info_repeat */
    uint8_t absence; /* enum info_absence */
    uint8_t at;      /* the fact's place in the game's struct, or in the object */
    uint8_t size;    /* the bytes of each member of a list of objects */
    uint8_t end;
    uint8_t most;
    /* Of a number by seat that counts on through all rounds with each trick: how screens show it
     * right after the score, "badness {0}". Screens take it from the view after a round's last
     * trick to show that trick's round, and a history's `result` has it too. */
    const char *running;
};

#define SEATS_MAX 7
#define SLOTS_MAX 15
#define TRICKS_MAX 15
#define SPECTATOR (-1)
#define BID_NONE (-1)
#define SLOT_NONE 0xFF
#define PHASE_OVER 0xFF

struct game_def;

struct view_slot {
    bool is_empty;  /* the slot's card was played or removed: the slot is null in the JSON, and no
                       other member is set */
    bool is_traded; /* the slot is marked because its card was traded */
    uint8_t card;   /* CARD_NONE when the viewer does not know the card */
    uint8_t suit;   /* the card's suit if a clue told it, otherwise SUIT_NONE */
    uint8_t value;  /* the card's value if a clue told it, otherwise 0 */
};

struct view_play {
    uint8_t seat;
    uint8_t card;
    uint8_t slot; /* the slot of the seat's hand from which the card was played; SLOT_NONE unless
                     view_tells_slots */
};

struct view_trick {
    uint8_t count;  /* number of plays */
    uint8_t winner; /* the seat that won, if the trick is finished */
    struct view_play plays[SEATS_MAX];
};

struct game_view {
    const struct game_def *game;
    int8_t seat;   /* the seat, or SPECTATOR for a viewer without one */
    uint8_t seats; /* the number of seats, virtual ones included */
    uint16_t step;
    uint8_t phase;  /* index in the game's phases, or PHASE_OVER */
    uint8_t to_act; /* bit s: seat s may move */
    uint8_t round;
    uint8_t rounds; /* the number of rounds; 0 when it is not known: null in the JSON */
    uint8_t slot_count[SEATS_MAX];
    struct view_slot hands[SEATS_MAX][SLOTS_MAX];
    struct view_trick trick; /* the current trick; count 0 between tricks */
    uint8_t past_count;
    struct view_trick past[TRICKS_MAX]; /* the round's finished tricks */
    bool has_last_trick;
    struct view_trick last_trick;
    bool has_bids;          /* whether the game has bids */
    int8_t bids[SEATS_MAX]; /* by seat; BID_NONE before the seat bids */
    uint8_t tricks[SEATS_MAX];
    int16_t scores[SEATS_MAX];
    struct move_set legal;    /* the viewer's own legal moves */
    uint8_t info[INFO_BYTES]; /* the game's own struct; struct info_def describes it */
};

/* Clears the view: no seats, no cards, no bids, only INFO_NONE in `info`. */
void view_clear(struct game_view *view);

/* Appends the members of the object `info` of the view's JSON: all of them, or those that a
 * history's `result` has too. */
void view_write_info(const struct game_view *view, bool is_result, struct text *out);

/* Appends a fact, which is no object. */
void view_write_fact(const struct game_view *view, const struct info_def *def, const char *key,
                     uint8_t value, struct text *out);

/* Whether the fact, with that value, is left out of the view's JSON. */
bool view_leaves_out(const struct game_view *view, const struct info_def *def, uint8_t value);

/* The place of a fact in `info`, or of a member of its list. */
unsigned view_find_fact(const struct info_def *def, unsigned index);

/* Replaces the numbers of equal cards by one number (card_number_without_copy), so that nobody can
 * tell copies apart. */
void view_hide_copy_numbers(struct game_view *view);

bool view_viewer_may_move(const struct game_view *view);

/* Whether positions in a hand have a meaning, because players play slots, not cards: each play in
 * the view has the slot from which the card was played, and screens do not sort hands. */
bool view_tells_slots(const struct game_view *view);

/* Writes the view as the JSON object that HISTORY.md describes, 1 to 12 KB. Equal views give equal
 * bytes. */
void view_write(const struct game_view *view, struct text *out);

#define VIEW_TEXT_MAX 20480

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
 * struct begins with struct table_state (game.h) and fits into these bytes. */
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
    uint8_t seats; /* the number of seats, virtual ones included; 0: not known */
    uint8_t round;
    bool has_bids;
    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t points[SEATS_MAX]; /* points of this round */
    int16_t totals[SEATS_MAX];
    uint8_t choosers; /* bit s: seat s chooses who leads the next round */
    /* The parts that add up to the points, in an order the game chooses. game_face's `explain` and
     * game_def's `stat` read them. */
    uint8_t part_count;
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
};

/* An event of HISTORY.md. */
#define EVENT_TEXT_MAX 4096
struct game_event {
    const char *kind; /* "trick" */
    bool is_score;
    struct score_row row; /* of a `score` event: the finished round */
    struct text json;
    char bytes[EVENT_TEXT_MAX];
};

/* The function that receives a game's events (HISTORY.md; every event except `move`); it may be
 * NULL. */
struct game_log {
    void *context;
    void (*event)(void *context, const struct game_event *event);
};

/* The result of a finished game, by seat. */
struct game_outcome {
    int16_t scores[SEATS_MAX];
    uint8_t ranks[SEATS_MAX]; /* rank of each seat: 1 is best; 0 for a virtual seat */
    uint8_t winners;          /* bit s: seat s won; 0 when nobody won */
};

/*
 * The texts people read about a game and the moves they make on a screen. Every function depends
 * only on its arguments, so a screen that uses it learns no more than its player may know.
 */
#define FACE_HEADLINE_MAX 4
#define FACE_BADGES_MAX 6
#define FACE_BOARD_MAX 10
#define FACE_SUITS_MAX 8

/* A public fact about the round or the table, shown on the table. Example: label "trump", value a
 * suit. */
struct face_fact {
    const char *label; /* shown to people, translated */
    struct phrase value;
};

/* The player at whom a move points, and the cards of that player at which it points. */
struct face_aim {
    uint8_t seat;
    uint16_t slots;    /* bit i: slot i; 0: the move points at the player, not at cards */
    const char *words; /* of a move that points at cards: the format of its label without the
                          player, whom screens name before it: "every {1}" */
};

/* The pages about a game's rules. */
enum rules_page {
    RULES_IN_BRIEF, /* on one screen: lines under 76 columns each */
    ALL_RULES,      /* paragraphs; a line "# X" is a heading */
    TABLE_SIGNS,    /* what the game's own words and numbers on the table mean, beside players and
                       on the board: lines with 14 columns for the word that is explained */
    RULES_PAGES,
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
    /* Each page is NULL-ended. Each paragraph is translated on its own; empty ones are not. */
    const char *const *pages[RULES_PAGES];

    /* Short facts for the first line of the table screen ("7 cards", "trump ♥ (T♥)"), the most
     * important first. The screen itself shows the round and the game. Returns how many facts there
     * are. */
    uint8_t (*headline)(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX]);

    /* Notes shown beside a player ("dealer"). Returns how many there are. */
    uint8_t (*badges)(const struct game_view *view, uint8_t seat,
                      struct phrase out[FACE_BADGES_MAX]);

    /* The prompt: what the viewer, whose turn it is, has to do now ("Bid 0–7, not 3"). Screens call
     * face_prompt. */
    struct phrase (*prompt)(const struct game_view *view);

    /* Why a move that is not in view->legal is refused although it is the viewer's turn: "must
     * follow ♣: you hold 3". Screens call face_refusal. */
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
     * s for seat s. face.h has what games share. */
    void (*explain_result)(const struct game_view *view, const struct game_config *config,
                           uint8_t winners, struct story *story);

    /* The members below are optional: NULL when the game does not need them. */

    /* The label of a move's button, for moves of form MOVE_OWN: "pass". Screens call face_label. */
    struct phrase (*label)(const struct game_view *view, uint8_t move);

    /* The game's own sentences in the story of a table (face.h). */
    const struct game_story *story;

    /* Public facts shown beside the cards, in an order that stays the same during a round.
     * `headline` has only the most important ones. Last come the rules chosen for this table that
     * players need while they play, such as the way of scoring, which a view does not contain; a
     * config of NULL leaves them out. Returns how many facts there are. */
    uint8_t (*board)(const struct game_view *view, const struct game_config *config,
                     struct face_fact out[FACE_BOARD_MAX]);

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

    /* The seat that plays after this seat in the current round, for games where that is not
     * always the seat with the next number. Every seat is reached once before the first seat
     * comes again. */
    uint8_t (*next)(const struct game_view *view, uint8_t seat);

    /* The number of columns in which a seat's cards lie: slots 0 to n - 1 lie side by side and the
     * later slots on top of them. 0: the cards form a hand. */
    uint8_t (*columns)(const struct game_view *view, uint8_t seat);

    /* The badges tell which cards lie open in a player's hand, so screens do not show them again */
    bool badges_tell_open_cards;

    /* What to know about the points that a bot expects of a move, translated: whether many are
     * good, and what else the bot weighs. NULL: many points are good, and so are few of the others.
     */
    const char *expected_points;

    /* What the signs at cards mean that are on the table now ("told: # number, @ name"), and what
     * the places of hidden cards tell. Screens write # at a card whose value its holder was told, @
     * at one whose suit was told, * at one of which both were told, and a double arrow at a traded
     * card. Absent when there are no signs. */
    struct phrase (*card_signs)(const struct game_view *view);

    bool spells_suits; /* Sentences on screens contain the suits' full names: "Tom Dire 3", not "3
                          To" */

    /* A guided first game (history.h): one whole round. */
    const struct game_lesson *lesson;
};

/* The statistic on the leaderboard of a game: hits out of chances. Each finished round is a chance
 * of every seat. */
struct game_stat {
    const char *title; /* shown to people, translated: "exact bids" */
    bool (*is_hit)(const struct score_row *row, uint8_t seat);
};

/* A phase of a game. */
struct phase_def {
    const char *name; /* as in views, marked with N_() */

    /* Words for people, translated. What a seat whose turn it is has to do: "to bid"; NULL: "to
     * lead" or "to play". */
    const char *turn;
    const char *pointing; /* what pointing at a card of one's own hand does; NULL: "play" */
    const char *ready;    /* why a player may not move who has made all moves of this phase; NULL:
                             it is not the player's turn */
    bool is_sorted;       /* screens sort hands although the game tells slots */
};

/* What follows the word in the text of a move: "AS" in "play:AS". */
enum move_form {
    MOVE_CARD, /* a card's name */
    MOVE_SLOT, /* the number of a slot of the player's hand */
    MOVE_SEAT,
    MOVE_SUIT, /* a suit's id */
    MOVE_BID,  /* a number of tricks that the player will take, for all to see */
    MOVE_OWN,  /* what `write` writes */
};

/* A kind of moves: those that begin with the same word. */
struct move_def {
    const char *word; /* NULL after the last of a list of kinds */
    uint8_t form;     /* enum move_form */
    uint8_t phase;    /* in which these moves are legal */
    uint8_t first;    /* the moves are the numbers from `first` on: first + c for card c */
    uint8_t count;
    void (*write)(uint8_t number, struct text *out); /* number: of the move, less `first` */
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
    const struct phase_def *phases; /* all but "over" */
    uint8_t phase_count;
    size_t state_size; /* size in bytes of the game's own state struct, at most GAME_STATE_MAX */

    /* Sets a game up before its first round, in memory that is zero but for what table_init has
     * set.
     */
    void (*init)(void *state, const struct game_config *config);

    /* Deals the first round. */
    void (*start)(void *state, const struct game_log *log);

    /* Adds the legal moves of a seat that may move now to an empty set. */
    void (*legal)(const void *state, uint8_t seat, struct move_set *moves);

    /* Makes a legal move; game_make_legal_move has counted it. log may be NULL. */
    void (*apply)(void *state, uint8_t seat, uint8_t move, const struct game_log *log);

    /* Fills in what the view of a seat or of SPECTATOR tells besides what table_fill_view tells:
     * `info` above all. Nothing else of a state leaves the core. */
    void (*view)(const void *state, int8_t seat, struct game_view *view);

    /* The facts of `info` in the order of the JSON; NULL: none. */
    const struct info_def *info;

    /* Fills in a random full state that fits the view; future deals are random too. The view of
     * this state equals `view`. For a seat's view, the chance of a state is the chance of all
     * deals, random draws and secret choices that lead to it; public choices only have to be legal.
     * Before the call, `init` has set `state` up, and the view is well formed
     * (sample_view_is_well_formed) and of as many seats and rounds as the state, and the round one
     * of these. After it, game_sample_state copies the scores, the step and the last trick of the
     * round before. False if no state fits the view. */
    bool (*sample)(const struct game_view *view, struct quick_random *random, void *state);

    /* The ranks and winners of a finished game. */
    void (*score)(const void *state, struct game_outcome *outcome);

    const struct move_def *moves; /* the kinds of moves, with ascending numbers: first that of
                                     playing a card */

    /* What a net sees of the game (bots/bots.h). */
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

/* The prompt: what the viewer has to do now ("Bid 0–7, not 3"). Absent when it is not the viewer's
 * turn. */
struct phrase face_prompt(const struct game_view *view);

/* The label of a move's button: "3", "T♥", "pass". Absent for a number that is no move. */
struct phrase face_label(const struct game_view *view, uint8_t move);

/* Why a move that is not in view->legal is refused: "must follow ♣: you hold 3". Absent for a legal
 * move. */
struct phrase face_refusal(const struct game_view *view, uint8_t move);

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
uint8_t game_first_leader(const struct game_state *state);

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

/* The kind of a move; NULL for a number that is no move of the game. */
const struct move_def *game_find_kind(const struct game_def *game, uint8_t move);

/* The kind of the game's bids that all see; NULL when there are none. */
const struct move_def *game_find_bids(const struct game_def *game);

/* The text of a move, as in HISTORY.md; nothing for a number that is no move. Every move has
 * exactly one spelling; game_move_parse returns MOVE_NONE for any other text. */
void game_move_write(const struct game_def *game, uint8_t move, struct text *out);
uint8_t game_move_parse(const struct game_def *game, const char *text);

/* A random legal move, each equally likely, for the view's seat, whose turn it is. */
uint8_t policy_random_move(const struct game_view *view, const struct game_config *config,
                           struct quick_random *random);

/*
 * The state that every trick-taking game begins with, and the steps that games share: dealing,
 * adding a card to the trick, scoring a round, filling a view. A game adds its own rules around
 * these.
 *
 * Seats play clockwise in the order of `next`, so a round may have its own order. Virtual seats
 * have the highest numbers. Several seats may be allowed to move at once: `to_act` is a set.
 */

#define PLAYS_MAX 80 /* cards played in a round; no game needs more than 75 */

/* Bits of `sight`: seat s sees the card when bit s is set. */
#define SIGHT_OF(seat) ((uint8_t)(1U << (seat)))
#define SIGHT_SPECTATOR SIGHT_OF(SEATS_MAX)

struct table_state {
    struct deal_stream stream;
    uint16_t step;
    uint8_t seats;   /* the number of seats, virtual ones included */
    uint8_t players; /* number of people and bots at the table */
    uint8_t phase;   /* the phase, as in struct game_view */
    uint8_t to_act;  /* bit s: seat s may move */
    uint8_t round;   /* the current round, counted from 1 */
    uint8_t rounds;  /* number of rounds in the game; 0 when it is not known */
    uint8_t next[SEATS_MAX];

    uint8_t slot_count; /* number of slots in each hand: the number of cards dealt to it */
    struct card_set hands[SEATS_MAX];    /* the cards that each seat still holds */
    uint8_t slots[SEATS_MAX][SLOTS_MAX]; /* the card that was dealt to each slot; it has been played
                                            if `hands` does not contain it */
    uint8_t sight[SEATS_MAX][SLOTS_MAX]; /* which seats see the card in each slot */

    uint8_t play_count;            /* number of cards played this round */
    uint8_t plays[PLAYS_MAX];      /* the cards played this round, in order */
    uint8_t past_count;            /* tricks finished this round */
    uint8_t leads[TRICKS_MAX + 1]; /* the seat that leads each trick: the winner of the trick
                                      before; of the first one, set when the round begins */
    uint8_t trick_count;           /* cards in the current trick */
    uint8_t led_card;              /* the card led; CARD_NONE between tricks */
    uint8_t best_card, best_seat;  /* the card and seat that win the current trick so far */
    struct view_trick last_trick; /* last trick of the previous round; count 0 in the first round */

    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t scores[SEATS_MAX];
};

/* Sets up a table with `seat_count` seats, virtual ones included, before the first deal. The
 * table's memory must be zero. Seats play in the order of their numbers. For game_start and
 * game_sample_state. */
void table_init(struct table_state *table, uint8_t seat_count, const struct game_config *config,
                const uint8_t seed[SEED_BYTES]);

/* Starts the next round: shuffles `cards` and deals `hand_size` consecutive cards to each seat. The
 * undealt cards remain in `cards`, in order. Each seat sees only its own hand. The game then sets
 * phase and to_act, and chooses who leads with table_set_lead. */
void table_deal(struct table_state *table, uint8_t *cards, uint8_t card_count, uint8_t hand_size);

/* Resets the table for a round in which no card has been played and no bid made. table_deal calls
 * it. */
void table_begin_round(struct table_state *table, uint8_t round, uint8_t hand_size);

/* Takes the round back to before its first bid: every seat has the cards again that it has played.
 */
void table_reopen_round(struct table_state *table);

/* Gives a seat its hand. Only that seat sees it. */
void table_give_hand(struct table_state *table, uint8_t seat, const uint8_t *cards,
                     uint8_t hand_size);

/* The seats that may move; none if the round with this number is over. */
static inline uint8_t table_seats_to_act_in_round(const struct table_state *table, uint8_t round)
{
    return table->round == round ? table->to_act : 0;
}

/* Sets the seat that leads the round's first trick: now only this seat may move. */
void table_set_lead(struct table_state *table, uint8_t seat);

static inline bool table_seat_holds(const struct table_state *table, uint8_t seat, uint8_t card)
{
    return card < 128 && card_set_has(&table->hands[seat], card);
}

/* Checks whether the seat may move now. Returns GAME_OK if so, otherwise the reason. */
static inline enum game_result table_check_turn(const struct table_state *table, uint8_t seat)
{
    if (seat < SEATS_MAX && (table->to_act >> seat & 1) != 0) {
        return GAME_OK;
    }
    return table->to_act == 0 ? GAME_OVER : GAME_NOT_YOUR_TURN;
}

/* Makes a move if it is the seat's turn and the move is legal; otherwise returns why not and leaves
 * the state, which begins with `table`, unchanged. `seat` and `move` may be any number, because
 * they may come from outside. */
enum game_result game_try_move(const struct game_def *game, struct table_state *table, uint8_t seat,
                               uint8_t move, const struct game_log *log) MUST_CHECK;

/* Makes a legal move in the state that begins with `table`. */
static inline void game_make_legal_move(const struct game_def *game, struct table_state *table,
                                        uint8_t seat, uint8_t move, const struct game_log *log)
{
    table->step++;
    game->apply(table, seat, move, log);
}

/* Adds a held card to the trick. is_best: the card beats all cards before it in the trick (true for
 * a lead). Returns whether the trick is finished; then best_seat has won it and is the only seat
 * that may move. */
static inline bool table_play_card(struct table_state *table, uint8_t seat, uint8_t card,
                                   bool is_best)
{
    card_set_remove(&table->hands[seat], card);
    table->plays[table->play_count++] = card;
    table->led_card = table->trick_count == 0 ? card : table->led_card;
    table->best_card = is_best ? card : table->best_card;
    table->best_seat = is_best ? seat : table->best_seat;
    if (++table->trick_count < table->seats) {
        table->to_act = (uint8_t)(1U << table->next[seat]);
        return false;
    }
    table->trick_count = 0;
    table->led_card = CARD_NONE;
    table->leads[++table->past_count] = table->best_seat;
    table->tricks[table->best_seat]++;
    table->to_act = (uint8_t)(1U << table->best_seat);
    return true;
}

void table_add_points(struct table_state *table, const int16_t points[SEATS_MAX]);

/* Adds the points to the totals and sends a `score` event to the log, which may be NULL. For games
 * whose score rows have no members of their own. */
void table_score_round(struct table_state *table, const int16_t points[SEATS_MAX],
                       const struct game_log *log);

/* Ends the game: nobody may move any more. Sends the outcome, as `compute_outcome` computes it, to
 * the log, which may be NULL. */
void table_end_game(struct table_state *table,
                    void (*compute_outcome)(const void *state, struct game_outcome *outcome),
                    const struct game_log *log);

/* Ranks the first `count` keys, the highest first. Equal keys share a rank and the next rank is
 * skipped (1, 2, 2, 4). */
void table_compute_ranks(const int32_t *keys, uint8_t count, uint8_t *ranks);

/* A `score` function for struct game_def, for games where the highest total wins and ties share a
 * rank. Fills in the scores and the ranks; virtual seats get no rank. */
void table_fill_outcome(const void *state, struct game_outcome *outcome);

/* Fills in the members that all games' views share. */
void table_fill_view(const struct table_state *table, struct game_view *view);

/*
 * Builds the events of HISTORY.md and sends them to a log. Building an event costs far more than
 * making a move, so games call these functions only when there is a log. A log without listeners is
 * allowed.
 */

/* Starts an event: empties it and writes "e" with the event's kind. */
void event_init(struct game_event *event, const char *kind);

/* Ends the event and sends it to the log's listener, if there is one. */
void event_send(const struct game_log *log, struct game_event *event);

/* Writes all hands under "hands", as they are before the first card is played. */
void event_add_hands(struct game_event *event, const struct table_state *table,
                     const struct deck_def *deck);

/* Starts a `round` event with the round's number and all hands as dealt. The game then adds its own
 * keys. */
void event_init_round(struct game_event *event, const struct table_state *table,
                      const struct deck_def *deck);

/* `slot` is the slot from which the card was played; SLOT_NONE if the game's views do not tell it.
 */
void event_send_played(const struct game_log *log, const struct deck_def *deck, uint8_t seat,
                       uint8_t card, uint8_t slot);
void event_send_trick(const struct game_log *log, uint8_t winner);

/* Starts the `score` event of the round just scored. The game may add its own members to the event
 * and to its score row. */
void event_init_score(struct game_event *event, const struct table_state *table,
                      const int16_t points[SEATS_MAX]);

/* Writes `ranks` and `winners`, as the `end` event and a history's `result` have them. */
void json_put_outcome(struct text *out, const struct game_outcome *outcome, uint8_t seat_count);

/*
 * Declares the game definitions that games.def lists. Only the list of games and each game's own
 * tests use them; all other code calls game_at() or game_find().
 */
#define GAME(name) extern const struct game_def name;
#include "games/games.def"
#undef GAME
