#ifndef STORAGE_SQL_FAILED_SYNC_H
#define STORAGE_SQL_FAILED_SYNC_H

#include "storage/sql/sql.h"

/*
 * Inside storage/ only. When a sync fails, the operating system may keep the unwritten pages as if
 * they were on disk (Linux since 4.13 reports such a failure once, then marks the pages clean). The
 * next process would read them from the cache and build upon them, and a power cut would lose all
 * of it. So a failed sync leaves a mark beside the file, and the next process to open the file
 * writes the end of the log, which no commit vouches for, once more. The mark need not survive a
 * power cut: after one, reading shows what the disk has.
 */

/* Leaves the mark. Reports no failure: on a failing disk there may be no room for it. */
void failed_sync_mark(struct storage *storage);

/* After opening, once the log is read: if there is a mark, writes the end of the log again and
 * removes the mark. A result code of the engine, SQLITE_OK on success. */
int failed_sync_repair(struct storage *storage) MUST_CHECK;

#endif
