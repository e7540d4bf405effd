#pragma once

#include "games/bots/bots.h"
#include "games/game.h"
#include "lobby/protocol/protocol.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the core has sent so far (PROTOCOL.md), as plain structs for the screens. Every text is
 * valid UTF-8 without control characters and fits its array, so that it is safe to draw whatever
 * the core sends. All sizes are limited; what exceeds a limit is left out.
 */
#define MODEL_NAME_MAX ROW_NAME_SIZE
#define MODEL_TEXT_MAX 512
#define MODEL_WINDOW_MAX 100 /* maximum number of rows kept of a list of the lobby */
#define MODEL_MINE_MAX 64
#define MODEL_CHAT_MAX 200 /* maximum number of lines kept per channel */
#define MODEL_ROOMS_MAX 10
#define MODEL_FRIENDS_MAX 100

/* How much time a seat had left at the moment when the view arrived (view_ms), in milliseconds; -1:
 * the seat has no such time. */
struct model_time {
    int64_t left_ms; /* time left for the current turn */
    int64_t bank_ms; /* time left for all the seat's turns together, if the clock has such a time */
    int64_t bot_ms;  /* time left until a bot plays for a player without a connection */
};

struct model_result_seat {
    int32_t score;
    uint8_t rank;  /* rank in the result; 1 is best, 0: no rank */
    bool is_rated; /* the game was rated, and the members below are set */
    int32_t before, after, deviation;
    bool is_provisional;
    int32_t by[SEATS_MAX]; /* by opponent: the part of the rating change due to that opponent, in
                              tenths of a point */
};

/* The player who held this seat at the start and left for good; score and rank of the seat belong
 * to the bot that replaced them. */
struct model_result_left {
    char name[MODEL_NAME_MAX]; /* name of the player who left; "" if nobody left */
    uint8_t rank;
};

struct model_result {
    int64_t game_id;
    uint8_t winners; /* the winning seats, as bits (bit 0: seat 0) */
    char seed[65];
    struct model_result_seat seats[SEATS_MAX];
    struct model_result_left left[SEATS_MAX]; /* for each seat: the player who left it */
    /* for each seat: who held it when the game ended */
    char names[SEATS_MAX][MODEL_NAME_MAX];
};

/* Who held the seats of the entered table at some time. */
struct log_holders {
    char names[SEATS_MAX][MODEL_NAME_MAX];
    int8_t you; /* the person's own seat; SPECTATOR: none */
};

/* A line of the log of a game. */
struct log_line {
    struct phrase words;
    bool is_great;        /* a great moment, which is announced too */
    uint8_t holders;      /* who held the seats then: an index of the log's holders */
    uint32_t chat_before; /* how many lines the chat of the table had got before it */
};

/* The log of the entered table's game. */
struct table_log {
    struct log_line *lines;
    int count, capacity;
    struct log_holders *holders; /* a new entry for each change while the game was told */
    int holders_count;
    int64_t game_id;
    struct game_view told; /* the view that was told last */
    bool has_told;
    int decided;         /* the lines from `decided` to the one before `ended` tell what the last
                            trick of the newest finished round decided; both are 0 before one ends */
    int ended;           /* number of lines up to the end of that round, without its points */
    int begun;           /* number of lines before those of the present round */
    uint16_t rows;       /* number of rows of the score sheet that were told */
    bool has_result;     /* the result was told */
    struct phrase great; /* the last great moment; absent: there was none yet */
    int64_t great_ms;    /* when it came, in the session's clock */
};

/* The table that the person has entered. */
struct model_entered {
    struct table_row row;
    struct game_config config;
    struct entered_row
        details; /* owns watcher_names; its `options` is NULL: `config` has the options */
    int8_t you;  /* the person's own seat; SPECTATOR: none */
    bool is_host;
    struct claim_row claim; /* the open claim; 0 tricks: there is none */
    bool has_view;
    struct game_view view; /* the last view of the game that the core sent */
    int64_t stop_end_ms;   /* when the stop between two rounds ends by itself, by the session's
                              clock; 0: never, or there is no stop */
    int64_t view_ms;       /* when the view arrived, in the session's clock */
    bool has_clock;
    int64_t clock_end_ms; /* when the time for the move ends, by the session's clock */
    int32_t clock_of_ms;
    bool is_clock_stopped;
    int64_t away_since_ms; /* since when the clocks stand because the house is away, in the
                              session's clock; 0: a view has come since */
    struct model_time times[SEATS_MAX];
    struct score_row sheet[GAME_ROUNDS_MAX];
    uint16_t sheet_count;
    bool has_result;
    struct model_result result;
    struct table_log log;
};

enum chat_channel {
    CHAT_LOBBY, /* the lobby's chat, with direct messages and announcements */
    CHAT_TABLE,
    CHAT_ROOM, /* the first channel that the person has joined; its name is in model.rooms[0] */
    CHAT_CHANNELS = CHAT_ROOM + MODEL_ROOMS_MAX,
};

/* The kind of a direct message, in addition to the kinds of enum chat_kind. */
enum {
    CHAT_DIRECT = CHAT_SYSTEM + 1
};

struct chat_line {
    uint8_t kind;              /* kind of the line: one of enum chat_kind, or CHAT_DIRECT */
    char room[MODEL_NAME_MAX]; /* the channel's name ("#tea"); "": no channel */
    bool is_mention; /* the line is a direct message to the person, or contains the person's name */
    bool is_kept;    /* the direct message was sent while the person was away */
    bool is_arrival; /* the line only tells who comes to a seat or leaves it */
    bool is_hidden;  /* staff have hidden the line: its text says so */
    bool is_answer;  /* the session wrote the line for this person alone, such as after /last */
    char from[MODEL_NAME_MAX];
    char to[MODEL_NAME_MAX]; /* the recipient of a direct message */
    char *text;
    int64_t at_ms; /* unix time of the line, in milliseconds */
    int64_t n;
};

struct chat_log {
    struct chat_line *lines; /* the oldest first */
    int count;
    uint32_t added; /* number of all lines added so far, also of those that are gone */
};

/* The shared replay in which the person takes part. */
struct model_shared_replay {
    int64_t game_id; /* number of the replayed game; 0: no shared replay */
    char leader[MODEL_NAME_MAX];
    bool is_led; /* the person leads the shared replay, on this connection */
    uint32_t step;
    int8_t seat;     /* the seat whose cards are shown; SPECTATOR: all hands */
    uint16_t people; /* number of people in the shared replay, including the leader */
};

/* A window of a list of the lobby: the rows that the core has sent of the whole list. */
struct model_window {
    union {
        void *rows;
        struct person_row *people;
        struct table_row *tables;
    };
    int count; /* number of rows */
    int first; /* position of the first row in the whole list */
    int total; /* length of the whole list */
};

/* The people and tables of the house, as the core's pushes and answers list them. */
struct house_lists {
    struct model_window people, tables;
    int here;       /* number of people in the house, without bots */
    int tables_all; /* number of tables in the house */
};

struct model {
    int64_t now_ms;        /* when the core's last message arrived, in the session's clock */
    int64_t away_since_ms; /* since when nobody answers for the house, in the session's clock; 0: it
                              answers */
    char house[MODEL_NAME_MAX * 2];
    struct you_row you; /* the name is "" before signing in; the recovery code, which the core sends
                           only once, is kept */
    bool recovery_replaces_used;  /* the person signed in with the recovery code before this one */
    struct settings_row settings; /* as the person chose them, with or without an account */
    struct house_lists lists;     /* what the lobby shows of the house */
    struct mine_row mine[MODEL_MINE_MAX];
    int mine_count;
    struct {
        int64_t table; /* the table to which the person is invited; 0: not invited */
        const struct game_def *game;
        char from[MODEL_NAME_MAX];
        int64_t until_ms; /* when the invitation ends, in the session's clock */
    } invite;
    char friends[MODEL_FRIENDS_MAX][MODEL_NAME_MAX];
    int friend_count;
    struct chat_log chat[CHAT_CHANNELS];
    /* names of joined channels ("#tea"). The lines of channel rooms[i] are in chat[CHAT_ROOM + i].
     * An empty name marks a free entry. */
    char rooms[MODEL_ROOMS_MAX][MODEL_NAME_MAX];
    struct model_entered *entered; /* the entered table; NULL while the person is in the lobby */
    struct model_shared_replay shared_replay;
    const struct game_def *last_begun; /* the game that the person last began against bots in this
                                          session; NULL: none */
    bool is_over;                      /* the core has ended the connection */
    char bye[MODEL_TEXT_MAX];          /* why the core ended the connection */
};

struct model *model_new(void);
void model_free(struct model *model);

/* Reads the person's own account from the JSON object `you` of a message. */
void model_set_own_account(struct model *model, const json_t *you);

/* Applies a message that the core has pushed. Borrows the message. now_ms is the session's clock.
 * Values of the wrong type count as absent. */
void model_apply_pushed_message(struct model *model, const char *type, const json_t *message,
                                int64_t now_ms);

/* Reads the lists of the house from a push or an answer. What the message lacks stays unchanged.
 * house_lists_clear frees the rows. */
void house_lists_read(struct house_lists *lists, const json_t *message);
void house_lists_clear(struct house_lists *lists);

/* Returns the row of a table that the window has; NULL if it has none. */
const struct table_row *model_find_table(const struct model *model, int64_t id);

/* Returns NULL if the person has no seat at that table. */
const struct mine_row *model_find_own_table(const struct model *model, int64_t table_id);

/* True while the person is invited to a table. */
bool model_is_invited(const struct model *model, int64_t now_ms);

/* Counts the tables that wait for the person's move. */
int model_count_tables_with_own_turn(const struct model *model);

/*
 * Translates sentences that come from the core. They arrive as English text. Sentences with
 * arguments also arrive as a JSON array `say` (lobby/protocol/protocol.h).
 */

/* Writes the sentence of a message in the chosen language: translates `say`, or if `say` is missing
 * or invalid, the whole text under `key`. Writes "" if both are missing. The text is safe to draw,
 * and truncated between characters. */
void model_read_sentence(const json_t *message, const char *key, char *out, size_t cap);

/* Translates the `lines` of an answer: returns an array of texts, which the caller releases. */
json_t *core_text_translate_lines(const json_t *answer);

/*
 * A hint: what a strong bot would choose in a player's place, and which points it expects of each
 * move. It is made in the session from the player's own view, so it reveals nothing that this
 * player may not know.
 */
struct hint {
    uint8_t move;      /* the bot's choice */
    bool is_only_move; /* there is no other legal move */
    uint8_t count; /* number of moves in `choices`; 0: the bot has expected no points, because there
                      is only one move or because it could not search */
    struct search_choice choices[MOVES_MAX]; /* the bot's choice first; then from most to fewest
                                                points, or, if few points win the game, as the bot
                                                likes them */
};

/* Makes the hint for the view's seat, whose turn it is, in a few milliseconds. The same view,
 * config and number of the game always give the same hint. */
void hint_make(struct hint *hint, const struct game_view *view, const struct game_config *config,
               int64_t game_id);

/* Returns what the bot found about the move; NULL if it expected no points of it. */
const struct search_choice *hint_find_choice(const struct hint *hint, uint8_t move);

/* The lines of all chat channels. */

/* Adds a line that the house writes to a channel, such as the output of a command. */
void model_add_house_line(struct model *model, enum chat_channel channel, const char *text,
                          int64_t unix_ms);

/* model_find_channel finds a joined channel by its name; CHAT_LOBBY if there is none.
 * model_channel_name returns a channel's name, such as "#lobby". */
int model_find_channel(const struct model *model, const char *name);
const char *model_channel_name(const struct model *model, int channel);

/* The entered table: its view, score sheet and result. */

/* Forgets the entered table, because the person has left it. */
void model_leave_table(struct model *model);

/* True from the moment when a claim is accepted until the house has played the round to its end:
 * nobody is asked for a move, although the views say whose turn it is. */
bool model_claim_is_played_out(const struct model_entered *entered);

/* True if the house waits for a move of the viewer. False for NULL: no table is entered. */
bool model_viewer_is_asked_to_move(const struct model_entered *entered);

/* False while no clock of the table runs: in a halt, and from when the house is away until it has
 * sent the next view. */
bool model_clocks_run(const struct model_entered *entered);

/* Returns the time to which the clocks of the table are shown: now_ms, or when they stopped. */
int64_t model_clock_ms(const struct model_entered *entered, int64_t now_ms);

/* Returns how much of a seat's time is left now, in milliseconds; -1 if the seat has no such time.
 * left_at_view_ms is what was left when the view arrived. */
int64_t model_time_left(const struct model_entered *entered, int64_t left_at_view_ms,
                        int64_t now_ms);

/*
 * The log of the entered table's game: its story (games/face.h) from the first round on, with the
 * points of each round and the result. Whoever enters in the middle of a game gets the points of
 * the finished rounds and the story of the present one. Each line names those who held the seats
 * when it was added.
 */
#define LOG_LINES_MAX 1200 /* maximum number of lines kept; then the oldest ones go */
#define LOG_HOLDERS_MAX 64 /* maximum number of changes of the seats' holders that are kept */

/* Reads values of messages and makes them safe to draw. */

/* Returns the value as a number; `fallback` if the value is not a number. */
int64_t model_read_number(const json_t *value, int64_t fallback);

/* Copies the string at a key of the object, as drawable_copy_text does. */
void model_get_text(const json_t *object, const char *key, char *out, size_t cap);
