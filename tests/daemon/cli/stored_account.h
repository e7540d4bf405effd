#pragma once

/* Adds an account to the data of a closed house, or to a backup. */
void stored_account_add(const char *database, const char *name);
