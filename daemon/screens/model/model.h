#pragma once

#include "games/game.h"
#include "games/view.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/rows.h"
#include "lobby/protocol/watch_rule.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the core has pushed so far (PROTOCOL.md), as plain structs for the screens. Every text is
 * valid UTF-8 without control characters and fits its array: whatever the core sends, it is safe to
 * draw. Everything is limited in size; what does not fit is left out.
 */
#define MODEL_NAME_MAX ROW_NAME_SIZE
#define MODEL_TEXT_MAX 512
#define MODEL_PEOPLE_MAX 2000
#define MODEL_TABLES_MAX 1000
#define MODEL_MINE_MAX 64
#define MODEL_CHAT_MAX 200 /* lines kept per channel */
#define MODEL_ROOMS_MAX 10
#define MODEL_UNFIT_MAX 512
#define MODEL_FRIENDS_MAX 100

/* A seat's time when the view arrived (view_ms); -1: none. */
struct model_time {
    int64_t left_ms; /* of the current turn */
    int64_t bank_ms; /* of all turns, if there is a bank */
    int64_t bot_ms;  /* until a bot plays for a lost connection */
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
    int32_t by[SEATS_MAX]; /* the change from each opponent, in tenths of a point */
};

/* The player who held the seat at the start and left for good: the seat's score and rank belong to
 * the bot. */
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

/* The table that one has entered. */
struct model_entered {
    struct table_row row;
    struct game_config config;
    struct entered_row details; /* owns watcher_names; `options` are in `config` */
    int8_t you;                 /* one's own seat; SPECTATOR: none */
    bool is_host;
    bool has_view;
    struct game_view view; /* as last pushed */
    int64_t view_ms;       /* when it arrived, by the session's clock */
    bool has_clock;
    int64_t clock_end_ms; /* when the time of the move ends, by the same clock */
    int32_t clock_of_ms;
    bool is_clock_stopped;
    struct model_time times[SEATS_MAX];
    struct model_sheet_row sheet[GAME_ROUNDS_MAX];
    uint16_t sheet_count;
    bool has_result;
    struct model_result result;
};

enum chat_channel {
    CHAT_LOBBY, /* direct messages and announcements are shown here too */
    CHAT_TABLE,
    CHAT_ROOM, /* the first of one's channels: model.rooms */
    CHAT_CHANNELS = CHAT_ROOM + MODEL_ROOMS_MAX,
};

/* Besides the kinds of chat rows. */
enum {
    CHAT_TELL = CHAT_SYSTEM + 1
};

struct chat_line {
    uint8_t kind;              /* enum chat_kind, or CHAT_TELL */
    char room[MODEL_NAME_MAX]; /* "#tea"; empty: no channel */
    bool is_mention;           /* a direct message to you, or your name in it */
    bool is_kept;              /* it has waited for you */
    char from[MODEL_NAME_MAX];
    char to[MODEL_NAME_MAX]; /* CHAT_TELL */
    char *text;
    int64_t at_ms; /* unix time */
    int64_t n;
};

struct chat_log {
    struct chat_line *lines; /* a ring buffer: use model_chat_line */
    int first, count;
};

struct model_you {
    char name[MODEL_NAME_MAX]; /* empty: not signed in */
    uint8_t kind;              /* enum person_kind */
    uint8_t role;              /* enum person_role */
    bool has_password;
    bool has_totp; /* has an authenticator */
    bool is_new;
    bool is_recovered;             /* signed in with a recovery code: must choose a new password */
    char recovery[MODEL_NAME_MAX]; /* the recovery code to write down; empty: none */
    bool has_ascii, is_ascii, has_bell, is_bell; /* settings; has_: was ever chosen */
    bool is_plain;                               /* plain mode */
    bool is_telnet;                              /* may also use telnet */
    bool is_without_arrivals;                    /* no notice when a friend enters */
    char theme[MODEL_NAME_MAX];                  /* settings: "" or the theme's name */
    char language[MODEL_NAME_MAX];               /* settings: "" or the language's tag */
};

/* The shared replay one is in. */
struct model_review {
    int64_t game_id; /* 0: none */
    char leader[MODEL_NAME_MAX];
    bool is_led; /* by oneself, on this connection */
    uint32_t step;
    int8_t seat;     /* whose view; SPECTATOR: all hands */
    uint16_t people; /* number of people, with the leader */
};

struct model {
    int64_t now_ms; /* of the session's clock, at the last push */
    char house[MODEL_NAME_MAX * 2];
    struct model_you you;
    struct person_row *people; /* ascending by name */
    int people_count;
    struct table_row *tables; /* ascending by id */
    int table_count;
    struct mine_row mine[MODEL_MINE_MAX];
    int mine_count;
    int64_t unfit[MODEL_UNFIT_MAX]; /* tables that one is not eligible for */
    int unfit_count;
    struct {
        int64_t table; /* 0: none */
        const struct game_def *game;
        char from[MODEL_NAME_MAX];
        int64_t until_ms; /* by the session's clock */
    } invite;
    char friends[MODEL_FRIENDS_MAX][MODEL_NAME_MAX];
    int friend_count;
    struct chat_log chat[CHAT_CHANNELS];
    /* "#tea", whose lines are in chat[CHAT_ROOM + i]; an empty text is a free place */
    char rooms[MODEL_ROOMS_MAX][MODEL_NAME_MAX];
    struct model_entered *entered; /* NULL in the lobby */
    struct model_review review;
    bool is_over;             /* `bye` has arrived */
    char bye[MODEL_TEXT_MAX]; /* its reason */
};

struct model *model_new(void);
void model_free(struct model *model);

/* Takes the protocol's `you`. */
void model_set_own_account(struct model *model, const json_t *you);

/* Takes one push that arrived at that time of the session's clock; `message` is borrowed. Values of
 * the wrong type count as absent. */
void model_apply_push(struct model *model, const char *type, const json_t *message, int64_t now_ms);

/* Forgets the shared replay, which was left. */
void model_leave_shared_replay(struct model *model);

/* NULL if there is none. */
const struct person_row *model_find_person(const struct model *model, const char *name);
const struct table_row *model_find_table(const struct model *model, int64_t id);
const struct mine_row *model_find_own_table(const struct model *model, int64_t table);

/* True if lists of tables leave it out: one is not eligible, and neither seated nor invited
 * there. */
bool model_hides_table(const struct model *model, const struct table_row *table);

/* The current invitation. */
bool model_is_invited(const struct model *model, int64_t now_ms);

/* True if somebody of that name is a friend. */
bool model_is_friend(const struct model *model, const char *name);

/* The number of people in the house, without bots. */
int model_count_people(const struct model *model);

/* The number of tables that wait for one's move. */
int model_count_own_turns(const struct model *model);

/* True if a game is in play there that needs one's presence: neither turn by turn nor halted. */
bool model_table_needs_you(const struct table_row *table);

/* The next table after that one where it is one's turn, in rotation; NULL if there is none. */
const struct mine_row *model_find_next_turn(const struct model *model, int64_t after);
