#pragma once

#include "storage/mod/sanctions.h"

/* The sources of a sanction: networks its person connected from ("192.0.2.7", "2001:db8:0:1::/64")
 * and keys the person showed ("SHA256:…"). The house recognises the person by these sources, and
 * deletes them when the sanction ends. */

#define STORAGE_SOURCE_SIZE 65
#define STORAGE_SOURCES_MAX 64 /* maximum number of sources of a sanction */

/* Adds a source to a sanction; the caller adds at most STORAGE_SOURCES_MAX. STORAGE_TAKEN when the
 * sanction has this source already. */
enum storage_result storage_sanction_source_add(struct storage *storage, int64_t sanction,
                                                const char *source) MUST_CHECK;
enum storage_result storage_sanction_sources_delete(struct storage *storage,
                                                    int64_t sanction) MUST_CHECK;

typedef bool storage_sanction_source_row(void *context, const char *source);

enum storage_result storage_sanction_sources_each(struct storage *storage, int64_t sanction,
                                                  storage_sanction_source_row *row,
                                                  void *context) MUST_CHECK;
