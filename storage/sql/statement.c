#include "storage/sql/sql.h"

struct sql statement_bind(struct sql q, const struct statement_argument *arguments)
{
    for (; arguments->kind != STATEMENT_END; arguments++) {
        switch (arguments->kind) {
        case STATEMENT_INT:
            sql_bind_int(&q, arguments->number);
            break;
        case STATEMENT_ID:
            sql_bind_id(&q, arguments->number);
            break;
        case STATEMENT_REAL:
            sql_bind_real(&q, arguments->real);
            break;
        case STATEMENT_TEXT:
            sql_bind_text(&q, arguments->text, arguments->size);
            break;
        case STATEMENT_END:
            break;
        }
    }
    return q;
}

enum storage_result statement_read_number(struct sql *q, int64_t *number)
{
    if (sql_first_row(q)) {
        *number = sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result statement_read_count(struct sql *q, uint32_t *number)
{
    if (sql_first_row(q)) {
        *number = (uint32_t)sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result statement_read_real(struct sql *q, double *number)
{
    if (sql_first_row(q)) {
        *number = sql_read_real(q);
    }
    return sql_end(q);
}

enum storage_result statement_read_number_or(struct sql *q, int64_t fallback, int64_t *number)
{
    *number = fallback;
    const enum storage_result result = statement_read_number(q, number);

    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

enum storage_result statement_has_row(struct sql *q, bool *is_there)
{
    *is_there = sql_next_row(q);
    return sql_end(q);
}
