#ifndef LOBBY_ACCOUNTS_CODES_H
#define LOBBY_ACCOUNTS_CODES_H

#include "lobby/house/house_state.h"
#include "storage/accounts/codes.h"

/*
 * Codes that people carry from one machine to another or keep on paper, as "BCDF-GHJK": letters of
 * twenty (no vowels, so that no words come about, and none that look alike). A code for a key has
 * eight, 34 bits for ten minutes; one for recovery sixteen, 69 bits for as long as it takes. Only a
 * hash is kept.
 */
#define CODE_LETTERS_MAX 16
#define CODE_TEXT_SIZE 20 /* with dashes and the NUL */

/* A new code for that account, in place of the one before; for a key good for code_s. */
void code_make(struct house *house, int64_t account, enum storage_code_purpose purpose,
               char text[CODE_TEXT_SIZE]);

/* True when the text, however its letters are grouped and written, is a code that is good now;
 * *account is whose. It stays good until code_end. */
bool code_find(struct house *house, const char *text, enum storage_code_purpose purpose,
               int64_t *account) MUST_CHECK;

void code_end(struct house *house, int64_t account, enum storage_code_purpose purpose);

#endif
