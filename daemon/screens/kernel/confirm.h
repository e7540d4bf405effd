#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Confirming by password or authenticator code that it is really the account's owner. */
struct ui;
struct ui_request;

/* What authenticators show: six digits, often typed in two groups. */
#define CONFIRM_CODE_SIZE 7

/* Asks for the password or a code now, ahead of requests that will want it. */
void screen_confirm(struct ui *ui);

/* True, and the digits alone, when the text is such a code; no password is that short. */
bool confirm_is_code(const char *text, char code[CONFIRM_CODE_SIZE]);

/* For the kernel: a request was refused because it must be confirmed first. Asks for the password
 * or code, then makes the request again. Takes over its fields. */
void ui_confirm_first(struct ui *ui, const struct ui_request *refused, const json_t *answer);

/* Forgets the request that was to be made again. */
void ui_confirm_forget(struct ui *ui);
