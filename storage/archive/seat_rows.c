#include "storage/archive/seat_rows.h"

void seat_rows_bind(struct sql *q, const struct storage_seat *seat)
{
    sql_bind_int(q, seat->holder);
    sql_bind_id(q, seat->account);
    sql_bind_text(q, seat->name, sizeof seat->name);
    sql_bind_text(q, seat->policy, sizeof seat->policy);
}

void seat_rows_take(struct sql *q, struct storage_seat *seat)
{
    *seat =
        (struct storage_seat){.holder = (enum storage_holder)sql_choice(q, STORAGE_HOLDER_LAST)};
    seat->account = sql_int(q);
    sql_text(q, seat->name, sizeof seat->name);
    sql_text(q, seat->policy, sizeof seat->policy);
}
