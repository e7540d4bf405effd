#ifndef STORAGE_DOUBT_H
#define STORAGE_DOUBT_H

#include "storage/sql.h"

/*
 * Inside storage/ only. When making data durable fails, the system may hold them for written
 * although the disk has not got them (Linux since 4.13 reports such a failure once, then calls the
 * pages clean): the next process reads them from the cache, builds upon them, and a power cut takes
 * all of it. So a failure leaves a mark beside the file, and whoever opens it next writes anew the
 * end of the log that no commit vouches for. The mark need not outlive a power cut: after one, what
 * is read is what the disk has.
 */

/* Leaves the mark; as well as it can, the disk being what it is. */
void doubt_leave(struct storage *storage);

/* After opening, once the log is read: when there is a mark, settles the doubt and removes it. */
enum storage_result doubt_settle(struct storage *storage) MUST_CHECK;

#endif
