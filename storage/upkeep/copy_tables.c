#include "storage/upkeep/upkeep.h"

#include "storage/sql/sql.h"

#include <stdlib.h>

static void report_rows(void *context, int64_t rows)
{
    const struct copy_tables *copy = context;

    if (copy->report != NULL) {
        copy->report(copy->context,
                     &(const struct storage_copy_progress){copy->stage, copy->table->name, rows});
    }
}

enum storage_result copy_tables_find(struct copy_tables *copy)
{
    RETURN_FAILURE(copy_schema_read(copy->sqlite, &copy->postgres, &copy->schema));
    copy->counts = calloc(copy->schema.table_count + 1, sizeof *copy->counts);
    if (copy->counts == NULL) {
        abort(); /* out of memory */
    }
    return STORAGE_OK;
}

static struct copy_rows begin_table(struct copy_tables *copy, size_t i,
                                    enum storage_copy_stage stage)
{
    copy->table = &copy->schema.tables[i];
    copy->stage = stage;
    return (struct copy_rows){copy->sqlite, &copy->postgres, copy->table, report_rows, copy};
}

enum storage_result copy_tables_send(struct copy_tables *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->schema.table_count; i++) {
        const struct copy_rows rows = begin_table(copy, i, STORAGE_COPY_SENDING);
        result = copy_rows_send(&rows, &copy->counts[i]);
    }
    return result;
}

enum storage_result copy_tables_receive(struct copy_tables *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->schema.table_count; i++) {
        const struct copy_rows rows = begin_table(copy, i, STORAGE_COPY_SENDING);
        result = copy_rows_receive(&rows, &copy->counts[i]);
    }
    return result;
}

enum storage_result copy_tables_compare(struct copy_tables *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->schema.table_count; i++) {
        const struct copy_rows rows = begin_table(copy, i, STORAGE_COPY_COMPARING);
        result = copy_rows_compare(&rows);
        if (result == STORAGE_OK) {
            copy->stage = STORAGE_COPY_EQUAL;
            report_rows(copy, copy->counts[i]);
        }
    }
    return result;
}

void copy_tables_clear(struct copy_tables *copy)
{
    free(copy->counts);
    copy_schema_clear(&copy->schema);
    copy_postgres_close(&copy->postgres);
}
