#pragma once

#include "storage/sql/columns.h"
#include "storage/sql/statement.h"

#include <string.h>

/*
 * Inside storage/ only: makes the SQL statements of a stored row, and the functions that run them,
 * from the row's list of columns (columns.h).
 *
 *     ROWS(visit, struct storage_visit, STORAGE_VISIT_COLUMNS);
 *
 *     return run_visit(sql_write(storage, ROW_INSERT("visits", STORAGE_VISIT_COLUMNS)), visit);
 *
 *     #define SELECT_VISIT ROW_SELECT("visits", STORAGE_VISIT_COLUMNS)
 *     return read_visit(SQL_READ(storage, SELECT_VISIT " WHERE id = ?", SQL_INT(id)), visit);
 */

/* SQL statements for a row. ROW_INSERT_NEW: the row's first column is a new number. ROW_UPSERT:
 * changes the row with the same key, if any; ROW_SET_ALL is the part of it that changes. */
#define ROW_SELECT(table, LIST) "SELECT " ROW_NAMES(LIST) " FROM " table
#define ROW_INSERT(table, LIST)                                                                    \
    "INSERT INTO " table " (" ROW_NAMES(LIST) ") VALUES (" ROW_PLACES(LIST) ")"
#define ROW_INSERT_NEW(table, LIST)                                                                \
    "INSERT INTO " table " (" ROW_NAMES(LIST) ") VALUES (" ROW_PLACES_NEW(LIST) ")"
#define ROW_UPSERT(table, key, LIST)                                                               \
    ROW_INSERT(table, LIST) " ON CONFLICT (" key ") DO UPDATE SET " ROW_SET_ALL(LIST)
#define ROW_SET_ALL(LIST) LIST(ROW_SET_EXCLUDED, ", " ROW_SET_EXCLUDED)

/* Parts of SQL statements: "id, name, table_id", "?, ?, ?", "NULL, ?, ?", "id = ?, name = ?,
 * table_id = ?". */
#define ROW_NAMES(LIST) LIST(ROW_NAME, ", " ROW_NAME)
#define ROW_PLACES(LIST) LIST(ROW_PLACE, ", " ROW_PLACE)
#define ROW_PLACES_NEW(LIST) LIST("NULL" ROW_SKIP, ", " ROW_PLACE)
#define ROW_SETS(LIST) LIST(ROW_SET, ", " ROW_SET)

#define ROW_SKIP(...)
#define ROW_NAME(...) STORAGE_COLUMN(ROW_NAME_OF, __VA_ARGS__)
#define ROW_PLACE(...) "?"
#define ROW_SET(...) STORAGE_COLUMN(ROW_NAME_OF, __VA_ARGS__) " = ?"
#define ROW_SET_EXCLUDED(...) STORAGE_COLUMN(ROW_SET_EXCLUDED_OF, __VA_ARGS__)
#define ROW_NAME_OF(how, type, after, last, member, column) #column
#define ROW_SET_EXCLUDED_OF(how, type, after, last, member, column) #column " = excluded." #column

/*
 * The functions of a row, static in the file that uses ROWS:
 *   bind_NAME      binds all columns;
 *   bind_new_NAME  binds all columns but the first, for ROW_INSERT_NEW;
 *   run_NAME       binds all columns and runs the statement;
 *   defer_NAME     like run_NAME, with sql_run_deferred;
 *   run_new_NAME   binds all columns but the first, runs the insertion and sets *id;
 *   take_NAME      reads the columns of the current row; members without a column become 0;
 *   read_NAME      reads the first row and ends the statement (STORAGE_NOT_FOUND: there is none);
 *   each_NAME      calls `each` for every row until it returns false, and ends the statement.
 * ROWS_COMPARING makes is_same_NAME: whether two rows have the same values in all columns.
 */
#define ROWS(name, type, LIST)                                                                     \
    ROWS_BINDING(name, type, LIST);                                                                \
    ROWS_TAKING(name, type, LIST);                                                                 \
    ROWS_READING(name, type)

/* Stands at the end of a macro that defines functions, so that a semicolon may follow the macro. */
#define ROWS_END _Static_assert(true, "a declaration")
#define ROW_UNUSED __attribute__((unused))

/* NOLINTBEGIN(bugprone-macro-parentheses): these macros make functions and statements */
#define ROWS_BINDING(name, type, LIST)                                                             \
    ROW_UNUSED static void bind_##name(struct sql *q, const type *row){                            \
        LIST(ROW_BIND, ROW_BIND)} ROW_UNUSED static void bind_new_##name(struct sql *q,            \
                                                                         const type *row){LIST(    \
        ROW_SKIP, ROW_BIND)} ROW_UNUSED static enum storage_result run_##name(struct sql q,        \
                                                                              const type *row)     \
    {                                                                                              \
        bind_##name(&q, row);                                                                      \
        return sql_run(&q);                                                                        \
    }                                                                                              \
    ROW_UNUSED static enum storage_result defer_##name(struct sql q, const type *row)              \
    {                                                                                              \
        bind_##name(&q, row);                                                                      \
        return sql_run_deferred(&q);                                                               \
    }                                                                                              \
    ROW_UNUSED static enum storage_result run_new_##name(struct sql q, const type *row,            \
                                                         int64_t *id)                              \
    {                                                                                              \
        bind_new_##name(&q, row);                                                                  \
        return sql_run_insertion(&q, id);                                                          \
    }                                                                                              \
    ROWS_END

#define ROWS_TAKING(name, type, LIST)                                                              \
    ROW_UNUSED static void take_##name(struct sql *q, type *row)                                   \
    {                                                                                              \
        *row = (type){0};                                                                          \
        LIST(ROW_TAKE, ROW_TAKE)                                                                   \
    }                                                                                              \
    ROWS_END

#define ROWS_READING(name, type)                                                                   \
    ROW_UNUSED static enum storage_result read_##name(struct sql *q, type *row)                    \
    {                                                                                              \
        if (sql_first_row(q)) {                                                                    \
            take_##name(q, row);                                                                   \
        }                                                                                          \
        return sql_end(q);                                                                         \
    }                                                                                              \
    ROW_UNUSED static enum storage_result each_##name(                                             \
        struct sql *q, bool (*each)(void *context, const type *row), void *context)                \
    {                                                                                              \
        type row;                                                                                  \
        bool goes_on = true;                                                                       \
        while (goes_on && sql_next_row(q)) {                                                       \
            take_##name(q, &row);                                                                  \
            goes_on = each(context, &row);                                                         \
        }                                                                                          \
        return sql_end(q);                                                                         \
    }                                                                                              \
    ROWS_END

#define ROWS_COMPARING(name, type, LIST)                                                           \
    static bool is_same_##name(const type *a, const type *b)                                       \
    {                                                                                              \
        return true LIST(ROW_SAME, ROW_SAME);                                                      \
    }                                                                                              \
    ROWS_END

#define ROW_SAME(...) STORAGE_COLUMN(ROW_SAME_OF, __VA_ARGS__)
#define ROW_SAME_OF(how, type, after, last, member, column) ROW_SAME_##how(a->member, b->member)
#define ROW_SAME_INTEGER(a, b) &&a == b
#define ROW_SAME_FLAG(a, b) &&a == b
#define ROW_SAME_CHOICE(a, b) &&a == b
#define ROW_SAME_LINK(a, b) &&a == b
#define ROW_SAME_TEXT(a, b) &&strcmp(a, b) == 0

#define ROW_BIND(...) STORAGE_COLUMN(ROW_BIND_OF, __VA_ARGS__)
#define ROW_BIND_OF(how, type, after, last, member, column) ROW_BIND_##how(row->member, last)
#define ROW_BIND_INTEGER(place, last) sql_bind_int(q, place);
#define ROW_BIND_FLAG(place, last) sql_bind_int(q, place);
#define ROW_BIND_CHOICE(place, last) sql_bind_int(q, place);
#define ROW_BIND_LINK(place, last) sql_bind_id(q, place);
#define ROW_BIND_REAL(place, last) sql_bind_real(q, place);
#define ROW_BIND_TEXT(place, last) sql_bind_text(q, place, sizeof place);
#define ROW_BIND_BYTES(place, last) sql_bind_bytes(q, place, sizeof place);
#define ROW_BIND_BORROWED(place, last) sql_bind_text(q, place == NULL ? "" : place, last);

#define ROW_TAKE(...) STORAGE_COLUMN(ROW_TAKE_OF, __VA_ARGS__)
#define ROW_TAKE_OF(how, type, after, last, member, column) ROW_TAKE_##how(type, last, row->member)
#define ROW_TAKE_INTEGER(type, last, place) place = (type)sql_read_int(q);
#define ROW_TAKE_FLAG(type, last, place) place = sql_read_int(q) != 0;
#define ROW_TAKE_CHOICE(type, last, place) place = (type)sql_read_enum(q, last);
#define ROW_TAKE_LINK(type, last, place) place = sql_read_int(q);
#define ROW_TAKE_REAL(type, last, place) place = sql_read_real(q);
#define ROW_TAKE_TEXT(type, last, place) sql_read_text(q, place, sizeof place);
#define ROW_TAKE_BYTES(type, last, place) sql_read_bytes(q, place, sizeof place);
#define ROW_TAKE_BORROWED(type, last, place) place = sql_borrow_text(q);
/* NOLINTEND(bugprone-macro-parentheses) */
