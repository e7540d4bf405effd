#pragma once

#include "daemon/config/config.h"
#include "games/macros.h"

#include <stdbool.h>

struct subcommand;

/* Finds the URL of the PostgreSQL database that house.conf in the data folder names. Returns false
 * if it names none. */
bool data_in_file_find_url(const char *data_dir, char url[CONFIG_TEXT_SIZE]) MUST_CHECK;

/* True if a house with this data folder keeps its data in a file there. Otherwise, if house.conf in
 * that folder names a PostgreSQL database, prints that its programs are to be used instead. For
 * subcommands that only know files; `self` is the one that asks. */
bool data_in_file_check(const struct subcommand *self, const char *data_dir) MUST_CHECK;
