#pragma once

/* The data of a house whose core does not run: its file, or a PostgreSQL database in the place of
 * the file. A failure of these functions fails the test. */

/* Copies a closed house's file. */
void house_data_copy_file(const char *from, const char *to);

/* Removes all tables of the database. */
void house_data_empty_database(const char *url);

/* Copies the closed file of a house into the empty database. */
void house_data_fill_database(const char *url, const char *path);
