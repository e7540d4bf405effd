#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Confirmation of one's identity by password or authenticator code. */
struct ui;
struct ui_request;

/* bytes of an authenticator's code with its NUL: six digits, which people often type in two
 * groups */
#define CONFIRM_CODE_SIZE 7

/* Asks the person to confirm their identity now, before a request requires it. */
void screen_ask_to_confirm_identity(struct ui *ui);

/* Reads an authenticator's code: true if the text is six digits, which are copied without blanks.
 * No password is that short. */
bool confirm_parse_authenticator_code(const char *text, char code[CONFIRM_CODE_SIZE]);

/* Only for files in kernel/: handles a request that was refused because the person must confirm
 * their identity first. Asks for the password or code, then sends the request again. Takes over the
 * request's fields. */
void ui_retry_when_confirmed(struct ui *ui, const struct ui_request *refused_request,
                             const json_t *answer);

/* Drops the request that waits for a confirmation. */
void ui_forget_unconfirmed_request(struct ui *ui);
