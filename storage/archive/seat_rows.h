#ifndef STORAGE_ARCHIVE_SEAT_ROWS_H
#define STORAGE_ARCHIVE_SEAT_ROWS_H

#include "storage/archive/seats.h"
#include "storage/sql/sql.h"

/* Inside storage/ only: a seat's holder as the columns holder, account, name, policy, in this
 * order, which every table with a holder has. */
void seat_rows_bind(struct sql *q, const struct storage_seat *seat);
void seat_rows_take(struct sql *q, struct storage_seat *seat);

#endif
