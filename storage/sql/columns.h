#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One list of columns describes a stored row. The list gives the row's struct its members
 * (STORAGE_MEMBERS, below). It also gives SQL statements their column names and placeholders, and
 * makes the functions that bind and read the columns (storage/sql/rows.h).
 *
 *     #define STORAGE_VISIT_COLUMNS(FIRST, NEXT)
 *         FIRST(NUMBER, id)
 *         NEXT(TEXT(STORAGE_NAME_SIZE), name)
 *         NEXT(LINK, table, table_id)
 *
 *     struct storage_visit {
 *         STORAGE_MEMBERS(STORAGE_VISIT_COLUMNS)
 *     };
 *
 * FIRST stands before the first column, NEXT before every other column, because SQL wants commas
 * between columns. Both take the column's kind, its member of the struct, and the column's name if
 * that differs from the member's.
 */

/* For each kind of column: how its value is bound and read; the member's type; the array
 * brackets after the member's name, if any; the highest number of an enum, or the size of a
 * borrowed text. */
#define STORAGE_KIND_NUMBER INTEGER, int64_t, , 0
#define STORAGE_KIND_INT32 INTEGER, int32_t, , 0
#define STORAGE_KIND_UINT32 INTEGER, uint32_t, , 0
#define STORAGE_KIND_UINT16 INTEGER, uint16_t, , 0
#define STORAGE_KIND_UINT8 INTEGER, uint8_t, , 0
#define STORAGE_KIND_FLAG FLAG, bool, , 0
#define STORAGE_KIND_REAL REAL, double, , 0
/* The number of another row; 0 for no row, which is stored as NULL. */
#define STORAGE_KIND_LINK LINK, int64_t, , 0
/* An enum, or a small number. A stored number above `last` is read as 0. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): the name of an enum cannot be in parentheses */
#define STORAGE_KIND_CHOICE(name, last) CHOICE, enum name, , last
#define STORAGE_KIND_CHOICE8(last) CHOICE, uint8_t, , last
/* An array of `size` bytes: a text with its NUL, or bytes that are stored in full. */
#define STORAGE_KIND_TEXT(size) TEXT, char, [size], 0
#define STORAGE_KIND_BYTES(size) BYTES, uint8_t, [size], 0
/* A text of less than `size` bytes that is not copied: once read, it is valid until the next
 * row. */
#define STORAGE_KIND_BORROWED(size) BORROWED, const char *, , size

/* Calls the macro DO for a column: DO(how, type, after, last, member, column). The first four
 * arguments come from the column's kind. A column without a name has the member's name. */
#define STORAGE_COLUMN(DO, kind, ...)                                                              \
    STORAGE_COLUMN_OF(DO, STORAGE_KIND_##kind, STORAGE_COLUMN_NAMES(__VA_ARGS__, __VA_ARGS__, ))
#define STORAGE_COLUMN_OF(DO, ...) DO(__VA_ARGS__)
#define STORAGE_COLUMN_NAMES(member, column, ...) member, column

#define STORAGE_MEMBERS(LIST) LIST(STORAGE_MEMBER, STORAGE_MEMBER)
#define STORAGE_MEMBER(...) STORAGE_COLUMN(STORAGE_MEMBER_OF, __VA_ARGS__)
#define STORAGE_MEMBER_OF(how, type, after, last, member, column) type member after;
