#include "lobby/protocol/protocol.h"

#define WORDS(name) static const char *const name##_texts[] = {
#define WORD(value, text) [value] = (text),
#define WORDS_END(name)                                                                            \
    }                                                                                              \
    ;                                                                                              \
    const struct row_words name##_words = {#name, name##_texts, ARRAY_LEN(name##_texts)};
#include "lobby/protocol/rows.def"

#define LIST(name, row, most)                                                                      \
    static json_t *name##_write(const void *member)                                                \
    {                                                                                              \
        const struct row_##name *list = member;                                                    \
        return row_list_write(&row##_row_def, list->at, list->count);                              \
    }                                                                                              \
    static void name##_read(const json_t *value, void *member)                                     \
    {                                                                                              \
        struct row_##name *list = member;                                                          \
        list->count = (uint8_t)row_list_read(&row##_row_def, value, list->at, (most));             \
    }                                                                                              \
    static const struct row_part row_part_##name = {"list", name##_write, name##_read};
#define PLACES(name, row, is_there, most)                                                          \
    static json_t *name##_write(const void *member)                                                \
    {                                                                                              \
        const struct row_##name *list = member;                                                    \
        json_t *json = json_array();                                                               \
        for (const struct row##_row *at = list->at; at < list->at + list->count; at++) {           \
            (void)json_array_append_new(json, at->is_there ? row##_row_write(at) : json_null());   \
        }                                                                                          \
        return json;                                                                               \
    }                                                                                              \
    static void name##_read(const json_t *value, void *member)                                     \
    {                                                                                              \
        struct row_##name *list = member;                                                          \
        for (; list->count < json_array_size(value) && list->count < (most); list->count++) {      \
            struct row##_row *at = &list->at[list->count];                                         \
            const json_t *object = json_array_get(value, list->count);                             \
            at->is_there = row##_row_read(object, at) && json_is_object(object);                   \
        }                                                                                          \
    }                                                                                              \
    static const struct row_part row_part_##name = {"list", name##_write, name##_read};
#include "lobby/protocol/rows.def"

/* The following macros turn the words after the member's name, in each line of rows.def, into
 * initialisers of a struct row_field. */
#define ALWAYS .when = ROW_ALWAYS
#define REQUIRED .when = ROW_REQUIRED
#define NULL_IF(value) .when = ROW_NULL_IF, .none = (value)
#define ABSENT_IF(value) .when = ROW_ABSENT_IF, .none = (value)
#define NUMBER(least, most) .type = ROW_IS_NUMBER, .min = (least), .max = (most)
#define TIME .type = ROW_IS_TIME, .max = INT64_MAX
#define TENTHS(least, most) .type = ROW_IS_TENTHS, .min = (least), .max = (most)
#define FLAG .type = ROW_IS_FLAG
#define WORD_OF(name) .type = ROW_IS_WORD, .words = &name##_words
#define GAME .type = ROW_IS_GAME
#define OBJECT .type = ROW_IS_OBJECT
#define JSON_LIST .type = ROW_IS_LIST
#define PART(name) .type = ROW_IS_PART, .part = &row_part_##name

#define PLACE(row, member)                                                                         \
    .offset = offsetof(struct row##_row, member), .size = sizeof(((struct row##_row *)0)->member)
#define ROW(row) static const struct row_field row##_fields[] = {
#define ROW_END(name)                                                                              \
    }                                                                                              \
    ;                                                                                              \
    const struct row_def name##_row_def = {#name, name##_fields, ARRAY_LEN(name##_fields),         \
                                           sizeof(struct name##_row)};                             \
    json_t *name##_row_write(const struct name##_row *row)                                         \
    {                                                                                              \
        json_t *object = json_object();                                                            \
        row_write_fields(&name##_row_def, row, object);                                            \
        return object;                                                                             \
    }                                                                                              \
    void name##_row_put(const struct name##_row *row, json_t *object)                              \
    {                                                                                              \
        row_write_fields(&name##_row_def, row, object);                                            \
    }                                                                                              \
    bool name##_row_read(const json_t *object, struct name##_row *row)                             \
    {                                                                                              \
        return row_read(&name##_row_def, object, row);                                             \
    }
#define TEXT(row, key, member, bytes, when) {#key, .type = ROW_IS_TEXT, PLACE(row, member), when},
#define FIELD(row, key, member, ctype, when, ...) {#key, PLACE(row, member), when, __VA_ARGS__},
#define INSIDE(row, key, member, when, ...) {#key, PLACE(row, member), when, __VA_ARGS__},
#define LOCAL(row, ctype, member)
#include "lobby/protocol/rows.def"

static const struct row_def *const row_defs[] = {
#define ROW(row) &row##_row_def,
#include "lobby/protocol/rows.def"
};

const struct row_def *row_def_at(size_t index)
{
    return index < ARRAY_LEN(row_defs) ? row_defs[index] : NULL;
}
