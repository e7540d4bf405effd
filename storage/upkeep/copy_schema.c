#include "storage/upkeep/upkeep.h"

#include "storage/sql/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The types of columns, as both databases call them. */
static const struct type {
    const char *sqlite, *postgres;
    enum copy_type type;
} types[] = {
    {"INTEGER", "bigint", COPY_INT},
    {"REAL", "double precision", COPY_REAL},
    {"TEXT", "text", COPY_TEXT},
    {"BLOB", "bytea", COPY_BYTES},
};

/* Returns NULL if the two names are not those of the same type. */
static const struct type *find_type(const char *sqlite_name, const char *postgres_name)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (strcmp(types[i].sqlite, sqlite_name) == 0 &&
            strcmp(types[i].postgres, postgres_name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

static void *grow(void *list, size_t count, size_t size)
{
    void *grown = reallocarray(list, count, size);

    if (grown == NULL) {
        abort(); /* out of memory */
    }
    return grown;
}

static struct copy_table *add_table(struct copy_schema *schema, const char *name)
{
    schema->tables = grow(schema->tables, schema->table_count + 1, sizeof *schema->tables);
    struct copy_table *table = &schema->tables[schema->table_count++];
    *table = (struct copy_table){.columns = NULL};
    (void)snprintf(table->name, sizeof table->name, "%s", name);
    return table;
}

static struct copy_column *add_column(struct copy_table *table, const char *name)
{
    table->columns = grow(table->columns, table->column_count + 1, sizeof *table->columns);
    struct copy_column *column = &table->columns[table->column_count++];
    *column = (struct copy_column){.key_place = 0};
    (void)snprintf(column->name, sizeof column->name, "%s", name);
    return column;
}

static enum storage_result refuse(struct copy_postgres *postgres, const struct copy_table *table,
                                  const char *column, const char *what)
{
    (void)snprintf(postgres->why, STORAGE_WHY_SIZE, "table %s%s%s: %s", table->name,
                   column == NULL ? "" : ", column ", column == NULL ? "" : column, what);
    return STORAGE_REFUSED;
}

/* Reads the columns that PostgreSQL has of a table into *found: their names and types. */
static enum storage_result query_columns(struct copy_postgres *postgres,
                                         const struct copy_table *table, PGresult **found)
{
    return copy_postgres_query(postgres, found,
                               "SELECT a.attname, format_type(a.atttypid, a.atttypmod)"
                               " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
                               " WHERE c.relname = '%s' AND c.relkind = 'r' AND a.attnum > 0"
                               " AND NOT a.attisdropped"
                               " AND c.relnamespace = current_schema()::regnamespace",
                               table->name);
}

/* Returns PostgreSQL's type of a column; NULL if the table has no such column there. */
static const char *find_column(const struct copy_postgres *postgres, const PGresult *columns,
                               const char *name)
{
    for (int i = 0; i < postgres->pq->PQntuples(columns); i++) {
        if (strcmp(postgres->pq->PQgetvalue(columns, i, 0), name) == 0) {
            return postgres->pq->PQgetvalue(columns, i, 1);
        }
    }
    return NULL;
}

/* Reads SQLite's columns of a table, which must be the columns that PostgreSQL has. */
static enum storage_result match_columns(struct storage *sqlite, struct copy_postgres *postgres,
                                         struct copy_table *table, const PGresult *columns)
{
    enum storage_result result = STORAGE_OK;
    struct sql *q = SQL_READ(sqlite, "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
                             SQL_TEXT(table->name, sizeof table->name));

    while (result == STORAGE_OK && sql_next_row(q)) {
        struct copy_column *column = add_column(table, sql_borrow_text(q));
        const char *there = find_column(postgres, columns, column->name);
        const struct type *type = there == NULL ? NULL : find_type(sql_borrow_text(q), there);
        if (there == NULL) {
            result = refuse(postgres, table, column->name, "PostgreSQL does not have it");
        } else if (type == NULL) {
            result = refuse(postgres, table, column->name, "PostgreSQL has it with another type");
        } else {
            column->type = type->type;
            column->key_place = (unsigned)sql_read_int(q);
        }
    }
    const enum storage_result ended = sql_end(q);
    if (result == STORAGE_OK && ended == STORAGE_OK &&
        (size_t)postgres->pq->PQntuples(columns) != table->column_count) {
        result = refuse(postgres, table, NULL, "PostgreSQL has more columns");
    }
    return ended == STORAGE_OK ? result : ended;
}

static enum storage_result require_no_rows(struct storage *sqlite, struct copy_postgres *postgres,
                                           const struct copy_table *table)
{
    char text[COPY_NAME_SIZE + 64];
    int64_t has_rows = 0;

    (void)snprintf(text, sizeof text, "SELECT EXISTS (SELECT 1 FROM \"%s\")", table->name);
    RETURN_FAILURE(sql_read_number(sqlite, text, &has_rows));
    return has_rows == 0
               ? STORAGE_OK
               : refuse(postgres, table, NULL, "it has rows, but PostgreSQL does not have it");
}

/* Reads a table's columns, or forgets the table if PostgreSQL does not have it. */
static enum storage_result match_table(struct storage *sqlite, struct copy_postgres *postgres,
                                       struct copy_schema *schema, const char *name)
{
    PGresult *columns = NULL;
    struct copy_table *table = add_table(schema, name);
    enum storage_result result = query_columns(postgres, table, &columns);

    if (result == STORAGE_OK && postgres->pq->PQntuples(columns) == 0) {
        result = require_no_rows(sqlite, postgres, table);
        schema->table_count--;
    } else if (result == STORAGE_OK) {
        result = match_columns(sqlite, postgres, table, columns);
    }
    postgres->pq->PQclear(columns);
    return result;
}

enum storage_result copy_schema_read(struct storage *sqlite, struct copy_postgres *postgres,
                                     struct copy_schema *schema)
{
    enum storage_result result = STORAGE_OK;
    struct sql q = sql_read(sqlite, "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                    " AND name NOT LIKE 'sqlite%' ORDER BY name");

    *schema = (struct copy_schema){.tables = NULL};
    while (result == STORAGE_OK && sql_next_row(&q)) {
        result = match_table(sqlite, postgres, schema, sql_borrow_text(&q));
    }
    const enum storage_result ended = sql_end(&q);
    return ended == STORAGE_OK ? result : ended;
}

void copy_schema_clear(struct copy_schema *schema)
{
    for (size_t i = 0; i < schema->table_count; i++) {
        free(schema->tables[i].columns);
    }
    free(schema->tables);
    *schema = (struct copy_schema){.tables = NULL};
}

/* Returns the name of the column at this place of the primary key; NULL: the key is shorter. */
static const char *find_key_column(const struct copy_table *table, unsigned place)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].key_place == place) {
            return table->columns[i].name;
        }
    }
    return NULL;
}

/* Writes the columns of the primary key in their order; all columns if there is no key. */
static void write_order(FILE *out, const struct copy_table *table)
{
    const char *name = find_key_column(table, 1);
    const bool has_key = name != NULL;

    for (unsigned place = 2; name != NULL; place++) {
        fprintf(out, "%s\"%s\"", place == 2 ? "" : ", ", name);
        name = find_key_column(table, place);
    }
    for (size_t i = 0; !has_key && i < table->column_count; i++) {
        fprintf(out, "%s%zu", i == 0 ? "" : ", ", i + 1);
    }
}

char *copy_schema_make_query(const struct copy_table *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        abort(); /* out of memory */
    }
    fprintf(out, "SELECT ");
    for (size_t i = 0; i < table->column_count; i++) {
        fprintf(out, "%s\"%s\"", i == 0 ? "" : ", ", table->columns[i].name);
    }
    fprintf(out, " FROM \"%s\" ORDER BY ", table->name);
    write_order(out, table);
    if (fclose(out) != 0) {
        abort(); /* out of memory */
    }
    return text;
}
