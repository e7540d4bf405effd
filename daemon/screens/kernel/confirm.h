#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Confirmation of one's identity by password or authenticator code. */
struct ui;
struct ui_request;

/* The form of an authenticator's code: six digits, often typed in two groups. */
#define CONFIRM_CODE_SIZE 7

/* Asks for the password or a code now, before a request needs it. */
void screen_ask_confirmation(struct ui *ui);

/* True, with only the digits, if the text is such a code; no password is that short. */
bool confirm_read_code(const char *text, char code[CONFIRM_CODE_SIZE]);

/* For the kernel: handles a request that was refused because it must be confirmed first. Asks for
 * the password or code, then sends the request again. Takes over its fields. */
void ui_confirm_request(struct ui *ui, const struct ui_request *refused, const json_t *answer);

/* Forgets the request that was to be sent again. */
void ui_forget_unconfirmed(struct ui *ui);
