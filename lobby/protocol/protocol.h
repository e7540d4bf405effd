#pragma once

#include "games/game.h"
#include "games/history.h"
#include "games/macros.h"
#include "games/text.h"
#include "storage/stored_words.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The core's sentences at a table that only tell who sits down, stands up, loses the connection and
 * comes back. Clients that have no room for them recognise them by their format, which is the first
 * item of `say`.
 */
#define ARRIVAL_SAT_DOWN N_("%s sat down.")
#define ARRIVAL_BOT_SAT_DOWN N_("%s, a bot (%p), sat down.")
#define ARRIVAL_STOOD_UP N_("%s stood up.")
#define ARRIVAL_LOST_CONNECTION N_("%s lost the connection; the seat waits.")
#define ARRIVAL_CAME_BACK N_("%s is back.")

/*
 * The client's end of the protocol (PROTOCOL.md). It numbers requests, matches each answer with its
 * request, and repeats unanswered requests after a resync. It uses no socket.
 */
struct client;

enum client_result {
    CLIENT_OK = 0,
    CLIENT_BAD_MESSAGE, /* the core sent a malformed message: close the connection */
};

/* Called once with the answer: the whole `ok` or `no` message, which is borrowed for the call. */
typedef void client_answer(void *context, bool is_ok, const json_t *answer);

/* Called for every message that is not an answer, except `resync`, which the client handles
 * itself. */
typedef void client_push(void *context, const char *type, const json_t *message);

/* Makes a client. It passes the bytes of each packet to `send`, which borrows them for the call and
 * queues what cannot be sent at once. */
struct client *client_new(void (*send)(void *context, const char *json, size_t len), void *context);
void client_free(struct client *client);

/* Sets the function that is called for every push: a message from the core that answers no
 * request. */
void client_set_push_receiver(struct client *client, client_push *push, void *context);

/* Makes the client ask for the whole lobby from the next hello on: every person and table, and all
 * changes. */
void client_follow_lobby(struct client *client);

/* Sends `hello`; the core's `welcome` arrives as a push. */
void client_send_hello(struct client *client, const char *software);

/* Sends the request {"t": type, "id": next, …fields}. `fields` is an object or NULL; the function
 * takes over its reference. `answer` may be NULL. Returns false, with nothing sent, if 64 requests
 * are unanswered. */
bool client_send_request(struct client *client, const char *type, json_t *fields,
                         client_answer *answer, void *context);

/* Returns the highest request id used so far. */
int64_t client_last_request_id(const struct client *client);

/* Returns the id of the oldest unanswered request; 0: all are answered. If the result stays the
 * same for a second, the caller may tell the user that the house is slow to answer. */
int64_t client_oldest_unanswered_id(const struct client *client);

/* Parses one packet and handles its message. */
enum client_result client_receive_packet(struct client *client, const char *bytes,
                                         size_t len) MUST_CHECK;

/* Converts a table's clock between struct clock_rule, the text that people write, and the JSON
 * object `clock` of PROTOCOL.md. clock_rule.c describes each kind of clock. */

/* These numbers are stored in the database, so they never change. */
enum clock_kind {
    STORED_VALUES(STORED_CLOCK_KINDS, CLOCK_) CLOCK_KIND_LAST = STORED_LAST(STORED_CLOCK_KINDS),
};

#define CLOCK_DAY_S 86400U
#define CLOCK_LONGEST_S 1209600U /* 14 days: the longest time for a move, or in a time bank */
#define CLOCK_TURN_LEAST_S 5U    /* the least time for a turn, even if the time bank is empty */

struct clock_rule {
    enum clock_kind kind;
    uint32_t time_s; /* seconds for each move or, with a time bank, for all moves of a seat; 0 with
                        CLOCK_NONE */
    uint32_t increment_s; /* the increment in seconds; 0 for kinds of clock without one */
};

/* Returns true if every number of the rule is in the range that its kind of clock allows. */
bool clock_rule_is_valid(const struct clock_rule *rule);

/* Returns true if the game is played in one sitting: with any kind of clock but CLOCK_DAYS. */
bool clock_rule_is_for_one_sitting(const struct clock_rule *rule);

/* Returns true if the clock has a time bank: one amount of time for all moves of a seat. */
bool clock_rule_has_time_bank(const struct clock_rule *rule);

bool clock_rule_equals(const struct clock_rule *left, const struct clock_rule *right);

/* Reads a clock as people write it: "none", "30s", "5m", "1h", "10m+5s" or "2d". Returns false,
 * with *rule unchanged, for any other text and for numbers out of range. */
bool clock_rule_parse(const char *text, struct clock_rule *rule) MUST_CHECK;

/* Writes a clock as people write it, in the largest unit that is exact. The text fits
 * CLOCK_RULE_SIZE. */
#define CLOCK_RULE_SIZE 24
void clock_rule_write(const struct clock_rule *rule, struct text *out);

/* Makes the clock that a message's `clock_s` stands for: no clock, seconds for each move, or whole
 * days. The clock may be invalid. */
struct clock_rule clock_rule_from_seconds(uint32_t seconds);

/* Makes the JSON object of a clock, which the caller releases: {"kind":"none"},
 * {"kind":"move","move_s":30}, {"kind":"bank","bank_s":600,"increment_s":5} or
 * {"kind":"days","days":2}. */
json_t *clock_rule_to_json(const struct clock_rule *rule) MUST_CHECK;

/* Reads a clock from the JSON object that clock_rule_to_json makes. Returns false, with *rule
 * unchanged, if the clock is invalid. */
bool clock_rule_from_json(const json_t *object, struct clock_rule *rule) MUST_CHECK;

/*
 * Each type of clock as data: one entry of clock_rule.c for each kind of STORED_CLOCK_KINDS.
 * Reading, writing, bounds, the list on screens and the running of time all use that entry.
 */

struct clock_type {
    const char *time_key; /* key of the time in JSON; NULL: the clock has no time limit */
    uint32_t unit_s; /* unit of the time in JSON: 1 or CLOCK_DAY_S; time_s is a multiple of it */
    uint32_t time_min_s, time_max_s;

    const char *increment_key; /* key of the increment in JSON; NULL: there is no increment */
    char increment_mark; /* the sign between time and increment as people write them; 0: there is
                            only one number */
    uint32_t increment_max_s;

    bool is_live;  /* true if the game is played in one sitting */
    bool has_bank; /* the time is for all moves of a seat, and grows by the increment after each; a
                      turn may last as long as the bank has time, and takes no more from it.
                      Otherwise the time is for each move */

    /* clocks that screens offer; people may type any other valid clock */
    const struct clock_rule *offers;
    size_t offer_count;
    const char *sentence; /* a sentence that describes a clock; its arguments are the time and the
                             increment */
};

/* Returns the entry of clock_rule.c for this kind of clock. */
const struct clock_type *clock_type_of(enum clock_kind kind);

/* Converts a game's options between struct game_config and the JSON object of HISTORY.md. */

/* Makes the JSON object of the options, which the caller releases. */
json_t *config_to_json(const struct game_def *game, const struct game_config *config) MUST_CHECK;

/* Sets the options that the JSON object names. Other options stay; one that no longer applies
 * returns to its default. Returns false, with *config unspecified, if `options` is not an object or
 * has an option or value that the game does not have. */
bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config) MUST_CHECK;

/* Copies a JSON string into an array of `cap` bytes. Removes characters that move the cursor, are
 * invisible or reverse the text, and truncates the text between characters. A value that is not a
 * string becomes "". */
void drawable_copy_text(const json_t *value, char *out, size_t cap);

/* Who may sit down at a table: PROTOCOL.md's `fit`. A rule whose members are all 0 admits
 * everybody. */

#define ELIGIBILITY_RATING_MOST 9999

struct eligibility {
    int32_t rating_min,
        rating_max; /* bounds of a player's rating in the table's game, in points; 0: no bound */
    uint8_t finished_min; /* the least percentage of their rated games that a player must have
                             played to the end; 0: any */
};

bool eligibility_has_conditions(const struct eligibility *rule);

/* Reads a rule: "all", "rating 1400-1700", "rating 1400-", "finished 80%", or a rating and a
 * percentage. Returns false, with *rule unchanged, for any other text. */
bool eligibility_parse(const char *text, struct eligibility *rule) MUST_CHECK;

/* Writes a rule as people write it: "rating 1400-1700 finished 80%" or "all". */
#define ELIGIBILITY_SIZE 64
void eligibility_write(const struct eligibility *rule, struct text *out);

/* Makes the JSON object {"rating_min":1400,"rating_max":1700,"finished_min":80}, where 0 stands for
 * no condition. The caller releases it. */
json_t *eligibility_to_json(const struct eligibility *rule) MUST_CHECK;

/* Reads a rule from the JSON object that eligibility_to_json makes; null and absent keys stand for
 * no condition. Returns false, with *rule unchanged, for an invalid value. */
bool eligibility_from_json(const json_t *object, struct eligibility *rule) MUST_CHECK;

/*
 * Limits on a JSON text, which are checked before a tree is built from it: otherwise most of the
 * work would be done before the text is refused. The check reads every byte once and stores
 * nothing. Invalid JSON may pass the check; the parser refuses it later.
 */
struct json_bounds {
    size_t bytes;
    size_t values; /* how many members of objects and elements of lists are allowed, counted
                      together */
    size_t depth;  /* how deep objects and lists may be nested; 1: not at all */
    size_t scalar; /* how many bytes a number, or a word such as `true`, may have */
};

/* Returns true if the text is within all limits. */
bool json_bounds_allow(const struct json_bounds *bounds, const char *text, size_t len) MUST_CHECK;

/*
 * Reads values from messages that are not trusted. A missing key, a wrong type and a value out of
 * range are treated alike. `object` may be NULL or a JSON value that is not an object.
 */

/* The longest name that is accepted in a message, in bytes. Every valid name is shorter. */
#define JSON_NAME_MAX 32

/* Parses a packet into a JSON object, which the caller releases. Returns NULL if the packet is not
 * an object. This function does not limit the size or depth, so it is only for messages of our own
 * processes. */
json_t *json_read_object(const char *bytes, size_t len) MUST_CHECK;

/* Limits of a message to the core. The largest message, which opens a table with
 * all its options, uses a tenth of them. */
enum {
    REQUEST_BYTES_MAX = 8192, /* the largest message, in bytes, that a session may send; other
                                 processes of the house may fill a whole packet */
    REQUEST_VALUES_MAX = 256,
    REQUEST_DEPTH_MAX = 8,
    REQUEST_SCALAR_MAX = 32,
};

/* Parses a message to the core into a JSON object. Returns NULL if the message is not an object or
 * exceeds the limits, which are checked before the JSON tree is built. */
json_t *json_read_request(const char *bytes, size_t len) MUST_CHECK;

/* Returns the text of a key, borrowed from the object; NULL if the key is absent, not a string, or
 * longer than max_bytes. */
const char *json_read_text(const json_t *object, const char *key, size_t max_bytes);

/* Returns the type of a message, borrowed; "" if it has none, or one longer than JSON_NAME_MAX. */
const char *json_read_type(const json_t *message);

/* Converts the capital letters of a name to small ones in place, since people may write a name
 * either way. */
void name_to_lower(char *name);

/* Returns a person's name with capital letters converted to small ones. The object owns this text.
 * Returns NULL if the key is absent, not a string, or longer than JSON_NAME_MAX bytes. */
const char *json_read_name(json_t *object, const char *key);

/* Returns true, with *number set, if the key holds an integer from min to max. */
bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number) MUST_CHECK;

/* Like json_read_number, but a key that is absent or null is valid, too, and leaves *number
 * unchanged. */
bool json_read_optional_number(const json_t *object, const char *key, int64_t min, int64_t max,
                               int64_t *number) MUST_CHECK;

/* Returns true, with *number set, if the value is an integer from min to max. `value` may be
 * NULL. */
bool json_to_number(const json_t *value, int64_t min, int64_t max, int64_t *number) MUST_CHECK;

/* Returns the index in a NULL-ended list of the word that a key holds: `absent` if the key is
 * absent or null, -1 for any other value that is not in the list. */
int json_read_word(const json_t *object, const char *key, const char *const *words, int absent);

/* Returns the boolean of a key, or `fallback` if it is absent or not a boolean. */
bool json_read_bool(const json_t *object, const char *key, bool fallback);

/* Returns true if the key is absent or null. */
bool json_read_key_is_absent(const json_t *object, const char *key);

/* The list of moderation commands, for help, completion and permissions. lobby/mod/mod_line.c
 * executes them. */

enum rank {
    RANK_PLAYER,
    RANK_HOST, /* the host of the table where the sender is */
    RANK_MOD,
    RANK_ADMIN,
    RANK_OWNER, /* the owner, who has a shell on the server */
};

/* Returns the rank of a person with this role: enum person_role, or the same enum storage_role. */
enum rank rank_of_role(unsigned role);

struct mod_command_info {
    const char *name;
    enum rank rank;
    const char *args; /* N_() */
    const char *help; /* one sentence, marked with N_() */
};

/* Returns the command at this index of mod_commands.def; NULL after the last. */
const struct mod_command_info *mod_command_info_at(size_t index);

/* Returns true if help lists the command to people of this rank. Commands of hosts are listed to
 * everybody, since every player may host a table. */
bool mod_command_is_listed_for(const struct mod_command_info *command, enum rank rank);

/* Returns the command with this name; NULL if there is none. */
const struct mod_command_info *mod_command_info_find(const char *name);

/*
 * Writes a struct as a JSON object and reads it back, as a list of fields says. The lists come from
 * rows.def; most callers use the typed functions below. The reader trusts nothing: a value
 * of a wrong type counts as absent, a number out of range becomes the nearest allowed number,
 * characters that cannot be drawn are removed from a text, a text that is too long is truncated,
 * and an unknown word becomes the first word of its list.
 */

/* The words that messages use for the values of an enum, which count up from 0. */
struct row_words {
    const char *name;         /* the enum's name */
    const char *const *texts; /* the word in messages for each value */
    size_t count;
};

enum row_type {
    ROW_IS_TEXT,   /* an array of `size` chars */
    ROW_IS_WORD,   /* a uint8_t: the number of a word in `words` */
    ROW_IS_NUMBER, /* an integer of 1, 2, 4 or 8 bytes */
    ROW_IS_TIME,   /* an int64_t: Unix time in ms */
    ROW_IS_TENTHS, /* an int32_t: ten times the number in messages */
    ROW_IS_FLAG, /* a bool; or a uint8_t: 0, 1, or a third value `none`, which stands for an absent
                    flag */
    ROW_IS_GAME, /* a const struct game_def *: the message contains the game's id */
    ROW_IS_OBJECT, /* a json_t *, an object: borrowed when written and when read; NULL: none */
    ROW_IS_LIST,   /* a json_t *, a list: borrowed when written and when read; NULL: none */
    ROW_IS_PART,   /* a value that the functions in `part` read and write */
};

enum row_when {
    ROW_ALWAYS,    /* the field is never left out */
    ROW_NULL_IF,   /* the field is null if the member equals `none` (struct row_field) */
    ROW_ABSENT_IF, /* the field is absent if the member equals `none` */
    ROW_REQUIRED,  /* always present; a row without a valid value is refused */
};

/* How a field of a special type is written and read. */
struct row_part {
    const char *form; /* the type in PROTOCOL.md: "object" or "list" */
    /* Makes the field's value, which the caller releases. NULL: the field is left out. */
    json_t *(*write)(const void *member);
    /* Reads the field's value into the member, which is always filled. `value` is NULL if the field
     * is absent. */
    void (*read)(const json_t *value, void *member);
};

struct row_field {
    const char *key;
    uint8_t type; /* one of enum row_type */
    uint8_t when; /* one of enum row_when */
    size_t offset, size;
    int64_t min, max; /* bounds of ROW_IS_NUMBER and ROW_IS_TENTHS */
    int64_t none;     /* the value of the member while the field is null or absent; for a text, the
                         empty text */
    const struct row_words *words;
    const struct row_part *part;
};

struct row_def {
    const char *name;
    const struct row_field *fields;
    size_t count;
    size_t size; /* size of the row's struct in bytes */
};

/* Returns the word of a value; the list's first word if the value is unknown. */
const char *row_word_of_value(const struct row_words *words, unsigned value);

/* Returns the value of a word; the length of the list if the word is unknown or NULL. */
size_t row_value_of_word(const struct row_words *words, const char *text);

/* Copies a text into a member of `size` bytes, truncated to fit. */
void row_copy_text(char *member, size_t size, const char *text);

/* Writes all fields of the row into the JSON object. */
void row_write_fields(const struct row_def *def, const void *row, json_t *object);

/* Fills all members of the row; members that no field describes become 0. Returns false if a
 * required field has no valid value. `object` may be NULL. */
bool row_read(const struct row_def *def, const json_t *object, void *row);

/* For each field of rows.def whose type is PART(NAME), row_part_NAME contains the functions that
 * write and read it. */

#define ROW_CHART_MAX 60

/* A player's ratings: before each of the latest games, oldest first, and finally the current
 * one. */
struct row_chart {
    uint8_t count;
    int32_t values[ROW_CHART_MAX];
};

extern const struct row_part row_part_chart;

/* uint8_t, where bit s stands for seat s; in messages, a list of the numbers of the seats. */
extern const struct row_part row_part_seats;

/* A struct asks_row, which messages contain as an object. */
extern const struct row_part row_part_asks;

/* A struct claim_row, which messages contain as an object; absent when no tricks are claimed. */
extern const struct row_part row_part_claim;

/* struct clock_rule, struct watch_rule and struct eligibility. An invalid clock is read as no
 * clock, an invalid watch rule as public, and invalid eligibility as no condition. */
extern const struct row_part row_part_clock;
extern const struct row_part row_part_watch;
extern const struct row_part row_part_fit;

/* json_t *, borrowed when written and when read: a sentence with its arguments; NULL:
 * none. */
extern const struct row_part row_part_say;

/* Makes a JSON list of `count` rows. The caller releases the list. */
json_t *row_list_write(const struct row_def *def, const void *rows, size_t count) MUST_CHECK;

/* Fills `rows` with at most `max_rows` rows of the list and returns their number. Invalid rows are
 * left out. */
size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t max_rows);

/* Who may watch a game, and whether spectators may talk during it: PROTOCOL.md's `watch`. */

/* These numbers are stored in the database and never change. */
enum watch_policy {
    STORED_VALUES(STORED_WATCH_POLICIES, WATCH_)
    WATCH_POLICY_LAST = STORED_LAST(STORED_WATCH_POLICIES),
};

/* Who hears spectators during a game. These numbers are stored and never change. */
enum watch_talk {
    STORED_VALUES(STORED_WATCH_TALKS, WATCH_TALK_)
    WATCH_TALK_LAST = STORED_LAST(STORED_WATCH_TALKS),
};

#define WATCH_MOVES_MAX 100U

struct watch_rule {
    enum watch_policy policy;
    uint8_t moves; /* only with WATCH_DELAY: spectators see the game this many moves late; 0: one
                      round late */
    enum watch_talk talk;
};

/* Reads the policy as people write it: "public", "friends", "none", "delay" (one round) or "delay
 * 10" (moves). `talk` stays unchanged. Returns false, with *rule unchanged, for any other text. */
bool watch_rule_parse(const char *text, struct watch_rule *rule) MUST_CHECK;

/* Reads who hears spectators: "all", "apart" or "off". Returns false, with *rule unchanged, for any
 * other text. */
bool watch_rule_parse_spectator_talk(const char *text, struct watch_rule *rule) MUST_CHECK;

/* Makes {"policy":"delay","moves":10,"talk":"apart"}, with `moves` only if the policy is delay. The
 * caller releases it. */
json_t *watch_rule_to_json(const struct watch_rule *rule) MUST_CHECK;

/* Reads a rule from the JSON object that watch_rule_to_json makes. Absent keys keep the values of
 * *rule, except `moves`, which becomes 0. Returns false, with *rule unchanged, if the object or a
 * value is invalid. */
bool watch_rule_from_json(const json_t *object, struct watch_rule *rule) MUST_CHECK;

/*
 * The rows of rows.def as structs. For each ROW(x) there are
 *
 *     struct x_row
 *     json_t *x_row_write(const struct x_row *row)               the caller's to release
 *     void x_row_put(const struct x_row *row, json_t *object)    sets the row's keys in the object
 *     bool x_row_read(const json_t *object, struct x_row *row)   false: the row is refused
 *
 * and for each WORDS(x) enum x and x_words. the reader of fields (above) says how a reader treats
 * bad values.
 */

#define ROW_NAME_SIZE 33
#define ROW_PLAYERS_MAX 32 /* maximum number of players of one game, including those who left */
#define ROW_PRESENCE_SIZE 81
#define ROW_COMMITMENT_SIZE 65
#define ROW_CLAIM_SIZE 192
#define ROW_CHAT_SIZE 513
#define ROW_NONE INT32_MIN
#define ROW_UNSET 2 /* value of a flag that was never set to true or false */

/* A rating in points, as people see it beside a name. */
struct row_rating {
    int32_t value; /* ROW_NONE: the rating is unknown */
    bool is_provisional;
};

/* NOLINTBEGIN(bugprone-macro-parentheses): names in declarations cannot be in parentheses */
#define WORDS(name) enum name {
#define WORD(value, text) value,
#define WORDS_END(name)                                                                            \
    }                                                                                              \
    ;                                                                                              \
    extern const struct row_words name##_words;
#include "lobby/protocol/rows.def"

#define ROW(row) struct row##_row {
#define ROW_END(row)                                                                               \
    }                                                                                              \
    ;                                                                                              \
    extern const struct row_def row##_row_def;                                                     \
    json_t *row##_row_write(const struct row##_row *row) MUST_CHECK;                               \
    void row##_row_put(const struct row##_row *row, json_t *object);                               \
    bool row##_row_read(const json_t *object, struct row##_row *row);
#define LIST(name, row, most)                                                                      \
    struct row_##name {                                                                            \
        uint8_t count;                                                                             \
        struct row##_row at[most];                                                                 \
    };
#define TEXT(row, key, member, size, when) char member[size];
#define FIELD(row, key, member, ctype, when, ...) ctype member;
#define INSIDE(row, key, member, when, ...)
/* NOLINTEND(bugprone-macro-parentheses) */
#define LOCAL(row, ctype, member) ctype member;
#include "lobby/protocol/rows.def"

/* The pace of a table: how long bots think, and how long the stop at the end of a round lasts. A
 * person has a pace too: how long their screen shows a finished trick. rows.def makes enum pace. */

/* The longest time that a `think` message leaves for the answer, in ms. */
#define PACE_BOT_WITHIN_MS_MAX 600000

/* Reads a pace from its word. Returns false, with *pace unchanged, for any other text or NULL. */
bool pace_from_word(const char *word, enum pace *pace) MUST_CHECK;

/* Returns how long the stop at the end of a round lasts at most, in ms. */
int64_t pace_round_stop_ms(enum pace pace);

/* Returns the bots' delay at this pace; `delay_ms` is their delay at the normal pace. */
int64_t pace_bot_delay_ms(enum pace pace, int64_t delay_ms);

/* Returns how long the screen of a person with this pace shows a finished trick, in ms. */
int64_t pace_trick_ms(enum pace pace);

/*
 * Unicode has several forms of the same text: a letter and its accent are one character or two, by
 * the system on which somebody types them. So passwords are hashed in the composed form (NFC).
 */

/* Writes the composed form of a password. Returns false, and writes "", if there is none (NULL) or
 * it does not fit `size` bytes. */
bool password_compose(const char *typed, char *composed, size_t size) MUST_CHECK;

/* The same for the text of this key. */
bool password_read(const json_t *object, const char *key, char *composed, size_t size) MUST_CHECK;

/* The number of the protocol that the house speaks (PROTOCOL.md, "The number"). */
#define PROTOCOL_NUMBER 3

/*
 * The protocol's `record`: a finished game with everything needed to replay it. It is converted
 * between JSON and history_source, so that its reader can write the game's history or show any step
 * of the game.
 */

/* Makes the JSON of a game that finished at finished_at_ms; the caller releases it. */
json_t *record_to_json(const struct history_source *source, int64_t finished_at_ms) MUST_CHECK;

/* A record that was read from JSON. The pointers in `source` point into the record and into its
 * JSON. */
struct record {
    struct history_source source;
    int64_t at_ms;
    bool is_void; /* staff declared the game void after its end */
    json_t *json;
    struct history_seat seats[SEATS_MAX];
    struct history_move *moves;
    struct history_change *changes;
};

/* Fills *record and keeps a reference to the object, both to be released by record_clear. Returns
 * false, with nothing to release, if the object is not a record of a known game. The text of each
 * move has a form that the game accepts, but the move may be illegal. */
bool record_from_json(json_t *object, struct record *record) MUST_CHECK;
void record_clear(struct record *record);

/*
 * The core sends a sentence as `say`: a list of a printf(3) format, which is also the key in the
 * catalogues, followed by the arguments of the format. PROTOCOL.md describes `say` under "Requests
 * and answers". With this file the core writes the English text, and a session writes the sentence
 * in its own language.
 */

#define SENTENCE_DEPTH_MAX 12 /* how deep sentences may be nested */

/* How a language translates sentences: one function for those with a single form, one for those
 * with a plural. The results outlive the call. */
struct sentence_language {
    const char *(*one)(const char *sentence);
    const char *(*some)(const char *one, const char *many, unsigned long count);
};

extern const struct sentence_language sentence_english;

/* Writes a sentence. Trusts nothing in `say`: if the arguments do not fit the format, returns false
 * after it has written a part of the sentence. */
bool sentence_write(const struct sentence_language *language, json_t *say, struct text *out);

/*
 * Reads the "View" of HISTORY.md from a `view` or `think` message into a struct, from which
 * view_write writes the same bytes again.
 */

/* Fills *view. Returns false, with *view unspecified, if the object is not a view of a known
 * game. */
bool view_read(const json_t *object, struct game_view *view) MUST_CHECK;
