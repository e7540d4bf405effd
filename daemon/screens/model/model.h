#ifndef DAEMON_SCREENS_MODEL_MODEL_H
#define DAEMON_SCREENS_MODEL_MODEL_H

#include "games/game.h"
#include "games/view.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/fit_rule.h"
#include "lobby/protocol/rows.h"
#include "lobby/protocol/watch_rule.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the core has pushed so far (PROTOCOL.md), as plain structs for the screens to read. Every
 * text in it is valid UTF-8 without control characters and shorter than its array: whatever the
 * core sends, it may be drawn. Bounded: what does not fit is left out.
 */
#define MODEL_NAME_MAX 33
#define MODEL_TEXT_MAX 512
#define MODEL_PEOPLE_MAX 2000
#define MODEL_TABLES_MAX 1000
#define MODEL_MINE_MAX 64
#define MODEL_CHAT_MAX 200 /* lines kept per channel */
#define MODEL_WATCHERS_MAX 32
#define MODEL_ROOMS_MAX 10
#define MODEL_UNFIT_MAX 512
#define MODEL_FRIENDS_MAX 100
#define MODEL_PRESENCE_MAX 81

/* How somebody who is here wants to be taken. */
enum person_presence {
    PRESENCE_HERE,
    PRESENCE_AWAY,
    PRESENCE_DND, /* not to be disturbed */
};

struct model_person {
    char name[MODEL_NAME_MAX];
    uint8_t kind;                           /* enum person_kind */
    uint8_t role;                           /* enum person_role */
    uint8_t presence;                       /* enum person_presence */
    char presence_text[MODEL_PRESENCE_MAX]; /* why or what for; may be empty */
    struct row_rating rating;
    int64_t table; /* 0: in the lobby */
    bool is_seated;
    int64_t active_ms; /* of the last sign of life, by the session's clock */
};

enum table_phase {
    TABLE_OPEN,
    TABLE_PLAYING,
    TABLE_FINISHED,
};

/* What has brought a game to a halt. */
enum table_halt {
    HALT_NONE,
    HALT_PAUSE,
    HALT_ADJOURN,
    HALT_HOUSE,
};

/* A row of the lobby's list. */
struct model_table {
    int64_t id;
    const struct game_def *game; /* never NULL: tables of games unknown here are left out */
    uint8_t players, seated, bots;
    uint8_t phase; /* enum table_phase */
    uint8_t halt;  /* enum table_halt */
    struct clock_rule clock;
    uint16_t round, rounds; /* 0: unknown */
    uint16_t watchers;
    bool is_locked;
    struct watch_rule watch; /* who may watch */
    struct fit_rule fit;     /* whom it takes */
    bool is_unfit;           /* not you, unless you are invited */
    char host[MODEL_NAME_MAX];
};

struct model_seat {
    bool is_taken;
    uint8_t kind; /* enum person_kind */
    char name[MODEL_NAME_MAX];
    char policy[MODEL_NAME_MAX]; /* of a bot, else empty */
    bool is_program;             /* plays for a person's account made for that */
    struct row_rating rating;
    bool is_here;          /* connected and at this table */
    bool is_gone;          /* the connection is lost while a game is on */
    bool is_played_by_bot; /* for an absent person */
    bool is_on_vacation;
};

/* A seat's time, as of when the view came (view_ms); -1: none. */
struct model_time {
    int64_t left_ms; /* of the turn it is to play */
    int64_t bank_ms; /* of all turns, where there is a bank */
    int64_t bot_ms;  /* until a bot plays for who has lost the connection */
};

/* A finished round. */
struct model_sheet_row {
    json_t *json; /* the whole row */
    uint16_t round;
    bool has_bids;
    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t points[SEATS_MAX];
    int16_t totals[SEATS_MAX];
    uint8_t part_count;
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
};

struct model_result_seat {
    int32_t score;
    uint8_t rank;  /* 1 is best, 0: none */
    bool is_rated; /* the next fields are set */
    int32_t before, after, deviation;
    bool is_provisional;
    int32_t by[SEATS_MAX]; /* change through each opponent, in tenths of a point */
};

/* Who began on a seat and left for good: the seat's score and rank are the bot's. */
struct model_result_left {
    char name[MODEL_NAME_MAX]; /* empty: nobody */
    uint8_t rank;
};

struct model_result {
    int64_t game_id;
    uint8_t winners; /* bit s */
    char seed[65];
    struct model_result_seat seats[SEATS_MAX];
    struct model_result_left left[SEATS_MAX]; /* by seat */
};

/* The table one has entered. */
struct model_entered {
    struct model_table row;
    struct game_config config;
    struct model_seat seats[SEATS_MAX];
    int8_t you; /* own seat, SPECTATOR without */
    bool is_host;
    bool is_rated;
    uint8_t rematch;                               /* bit s: that seat asked */
    uint8_t asks_pause, asks_adjourn, asks_resume; /* the same */
    uint8_t awaited;                               /* bit s: HALT_HOUSE waits for them */
    int64_t resume_by_ms; /* HALT_ADJOURN: the game goes on then; 0: no such time */
    int64_t game_id;      /* 0 before the start */
    char commitment[65];  /* empty before the start */
    char watchers[MODEL_WATCHERS_MAX][MODEL_NAME_MAX];
    uint16_t watcher_count;
    bool has_view;
    struct game_view view; /* as pushed last */
    int64_t view_ms;       /* when it came, by the session's clock */
    bool has_clock;
    int64_t clock_end_ms; /* when the move's time is up, same clock */
    int32_t clock_of_ms;
    bool is_clock_stopped;
    struct model_time times[SEATS_MAX];
    struct model_sheet_row sheet[GAME_ROUNDS_MAX];
    uint16_t sheet_count;
    bool has_result;
    struct model_result result;
};

enum chat_channel {
    CHAT_LOBBY, /* tells and what concerns the whole house stand here too */
    CHAT_TABLE,
    CHAT_ROOM, /* the first of the channels one is in: model.rooms */
    CHAT_CHANNELS = CHAT_ROOM + MODEL_ROOMS_MAX,
};

enum chat_kind {
    CHAT_SAY,
    CHAT_ME,
    CHAT_SYSTEM,
    CHAT_TELL,
};

struct chat_line {
    uint8_t kind;              /* enum chat_kind */
    char room[MODEL_NAME_MAX]; /* "#tea"; empty: not of a channel */
    bool is_mention;           /* a tell to you, or your name in it */
    bool is_kept;              /* it has waited for you */
    char from[MODEL_NAME_MAX];
    char to[MODEL_NAME_MAX]; /* CHAT_TELL */
    char *text;
    int64_t at_ms; /* unix time */
    int64_t n;
};

struct chat_log {
    struct chat_line *lines; /* a ring: use model_chat_line */
    int first, count;
};

struct model_mine {
    int64_t table;
    const struct game_def *game;
    bool is_turn;   /* the game waits for you, */
    int64_t due_ms; /* unix time, until then; 0: for ever */
};

struct model_you {
    char name[MODEL_NAME_MAX]; /* empty: not signed in */
    uint8_t kind;              /* enum person_kind */
    uint8_t role;              /* enum person_role */
    bool has_password;
    bool has_totp; /* codes of an authenticator confirm too */
    bool is_new;
    bool is_recovered;             /* in by a recovery code: a new password is to be chosen */
    char recovery[MODEL_NAME_MAX]; /* the code to write down; empty: none was told */
    bool has_ascii, is_ascii, has_bell, is_bell; /* settings; has_: ever chosen */
    bool is_plain;                               /* lines rather than pictures */
    bool is_telnet;                              /* may come by telnet too */
    bool is_without_arrivals;                    /* no word when a friend comes */
    char theme[MODEL_NAME_MAX];                  /* settings: "" or the theme's name */
    char language[MODEL_NAME_MAX];               /* settings: "" or the language's tag */
};

/* The review one leads or follows. */
struct model_review {
    int64_t game_id; /* 0: none */
    char leader[MODEL_NAME_MAX];
    bool is_led; /* by oneself, here */
    uint32_t step;
    int8_t seat;     /* whose view; SPECTATOR: all hands */
    uint16_t people; /* how many, the leader included */
};

struct model {
    char house[MODEL_NAME_MAX * 2];
    struct model_you you;
    struct model_person *people; /* ascending by name */
    int people_count;
    struct model_table *tables; /* ascending by id */
    int table_count;
    struct model_mine mine[MODEL_MINE_MAX];
    int mine_count;
    int64_t *unfit; /* tables that do not take you, MODEL_UNFIT_MAX of them; NULL: none told */
    int unfit_count;
    struct {
        int64_t table; /* 0: none */
        const struct game_def *game;
        char from[MODEL_NAME_MAX];
        int64_t until_ms; /* by the session's clock */
    } invite;
    char (*friends)[MODEL_NAME_MAX]; /* MODEL_FRIENDS_MAX of them; NULL: none yet */
    int friend_count;
    struct chat_log chat[CHAT_CHANNELS];
    char rooms[MODEL_ROOMS_MAX][MODEL_NAME_MAX]; /* "#tea", whose talk is chat[CHAT_ROOM + i]; empty
                                                    where there is none */
    struct model_entered *entered;               /* NULL in the lobby */
    struct model_review review;
    bool is_over;             /* `bye` came */
    char bye[MODEL_TEXT_MAX]; /* and why */
};

struct model *model_new(void);
void model_free(struct model *model);

/* Takes the protocol's `you`. */
void model_set_you(struct model *model, const json_t *you);

/* Takes one push at that time of the session's clock; `message` is borrowed. Values of the wrong
 * type count as absent. */
void model_push(struct model *model, const char *type, const json_t *message, int64_t now_ms);

/* Adds a line of the house's to the channel, as if it had been said there: what a command tells. */
void model_note(struct model *model, enum chat_channel channel, const char *text, int64_t unix_ms);

/* Forgets the entered table (it was left); the review. */
void model_leave(struct model *model);
void model_leave_review(struct model *model);

/* NULL when there is none. */
const struct model_person *model_person(const struct model *model, const char *name);
const struct model_table *model_table(const struct model *model, int64_t id);
const struct model_mine *model_mine(const struct model *model, int64_t table);

/* The channel of that name that one is in, CHAT_LOBBY when there is none; and its name ("#lobby").
 */
int model_room(const struct model *model, const char *name);
const char *model_room_name(const struct model *model, int channel);

/* Whether a list of tables leaves it out: it would not take you, and you have no part in it. */
bool model_hides(const struct model *model, const struct model_table *table);

/* The invitation that stands now. */
bool model_is_invited(const struct model *model, int64_t now_ms);

/* Whether somebody of that name is your friend. */
bool model_is_friend(const struct model *model, const char *name);

/* The line at index 0 (oldest) … count - 1. */
const struct chat_line *model_chat_line(const struct chat_log *log, int index);

/* How many people are in the house, bots not counted. */
int model_people_in(const struct model *model);

/* How many tables wait for your move. */
int model_turns(const struct model *model);

/* A game goes on there at which one has to sit: not one over days, nor one that stands still. */
bool model_table_needs_you(const struct model_table *table);

/* The next one of them after that table, in turn; NULL when none waits. */
const struct model_mine *model_next_turn(const struct model *model, int64_t after);

/* What is left now of one of the times of the entered table; -1: none. */
int64_t model_time_left(const struct model_entered *entered, int64_t time_ms, int64_t now_ms);

/* The row as game_face.explain wants it; `out` is about 25 KB, overwritten. */
void model_score_row(const struct model_sheet_row *row, struct score_row *out);

/* Copies a JSON string into an array, made drawable: control characters dropped, cut at a
 * character to fit. Not a string: empty. For answers that a screen reads itself. */
void model_text(const json_t *value, char *out, size_t cap);

/* `value` as a number, fallback when it is none. */
int64_t model_number(const json_t *value, int64_t fallback);

#endif
