#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/row_fields.h"
#include "lobby/protocol/row_parts.h"
#include "lobby/protocol/watch_rule.h"
#include "storage/stored_words.h"

/*
 * The rows of rows.def as structs. For each ROW(x) there are
 *
 *     struct x_row
 *     json_t *x_row_write(const struct x_row *row)               the caller's to release
 *     void x_row_put(const struct x_row *row, json_t *object)    sets the row's keys in the object
 *     bool x_row_read(const json_t *object, struct x_row *row)   false: the row is refused
 *
 * and for each WORDS(x) enum x and x_words. row_fields.h says how a reader treats bad values.
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

/* Returns the definition of the row at this index of rows.def; NULL after the last. */
const struct row_def *row_def_at(size_t index);
