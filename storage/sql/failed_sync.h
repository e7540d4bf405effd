#pragma once

#include "storage/sql/sql.h"

/*
 * Inside storage/ only. When a sync fails, the operating system may treat the unwritten pages as if
 * they were on disk (Linux since 4.13 reports such a failure once, then marks the pages clean). The
 * next process would read these pages from the cache and add to them, and a power cut would lose
 * all of it. So a failed sync leaves a mark beside the file. The next process that opens the file
 * rewrites those pages of the log that no successful sync has covered. The mark need not survive a
 * power cut: after a power cut, reads return what the disk has.
 */

/* Creates the mark file of a failed sync. Does not report a failure: a failing disk may have no
 * room for the file. */
void failed_sync_write_mark(struct storage *storage);

/* Call it after opening the database, once SQLite has read the log. If there is a mark of a failed
 * sync, writes the uncertain pages at the end of the log again and removes the mark. Returns an
 * SQLite result code, SQLITE_OK on success. */
int failed_sync_repair(struct storage *storage) MUST_CHECK;
