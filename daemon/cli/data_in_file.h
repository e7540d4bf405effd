#pragma once

#include "daemon/config/config.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

struct subcommand;

/* Finds the URL of the PostgreSQL database that has the data of this folder: the one that
 * house.conf in the folder names, otherwise that of the house that was opened last with the folder,
 * whatever file its settings were in. Returns false if there is none. */
bool data_in_file_find_url(const char *data_dir, char url[CONFIG_TEXT_SIZE]) MUST_CHECK;

/* True if the data of this folder are in a file there. Otherwise prints that PostgreSQL's programs
 * are to be used instead. For subcommands that only know files; `self` is the one that asks. */
bool data_in_file_check(const struct subcommand *self, const char *data_dir) MUST_CHECK;

/* The same, but only for what house.conf in the folder says: for data that the house finds when it
 * is opened the next time. */
bool data_in_file_check_setting(const struct subcommand *self, const char *data_dir) MUST_CHECK;

/* Makes an empty folder for a copy of data that are in PostgreSQL, in the one that TMPDIR names or
 * in /tmp. Otherwise prints why not, and leaves `folder` empty. */
bool data_in_file_make_folder(const struct subcommand *self, char *folder, size_t size) MUST_CHECK;
