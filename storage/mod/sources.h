#ifndef STORAGE_MOD_SOURCES_H
#define STORAGE_MOD_SOURCES_H

#include "storage/mod/sanctions.h"

/* What leads from a sanction in force to the person behind it: a network they came from
 * ("192.0.2.7", "2001:db8:0:1::/64") or a key they showed ("SHA256:…"). They go with its end. */

#define STORAGE_SOURCE_SIZE 65
#define STORAGE_SOURCES_MAX 64 /* of one sanction */

/* STORAGE_TAKEN: it has that one. More than STORAGE_SOURCES_MAX the caller does not add. */
enum storage_result storage_source_add(struct storage *storage, int64_t sanction,
                                       const char *source) MUST_CHECK;
enum storage_result storage_sources_end(struct storage *storage, int64_t sanction) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_source_row(void *context, const char *source);

enum storage_result storage_sources_of(struct storage *storage, int64_t sanction,
                                       storage_source_row *row, void *context) MUST_CHECK;

#endif
