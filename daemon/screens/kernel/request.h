#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Requests to the core, and which screen receives the answer. */
struct ui;
struct ui_layer;
struct ui_request;

/* Receives the answer: the whole `ok` or `no` message, borrowed for the call. */
typedef void screen_answer(struct ui *ui, void *state, int64_t tag, bool is_ok,
                           const json_t *answer);

/* Receives the `ok` message of a request that succeeded, borrowed for the call. */
typedef void screen_result(struct ui *ui, void *state, int64_t tag, const json_t *answer);

/* Sends a request; steals `fields` (may be NULL). The answer goes to the screen that asked while it
 * is on the stack, and is dropped otherwise. A refusal is shown as a warning if `answer` is NULL or
 * the screen is gone. `tag` is for the caller; `type` is a constant. If the core requires
 * confirmation (`step_up`), the person is asked and the request is sent again: the caller sees only
 * the last answer, or the refusal if the person cancels. */
void screen_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                    int64_t tag);

/* The same for a screen that needs only answers that report success: a refusal is shown as a
 * warning. */
void screen_request_result(struct ui *ui, const char *type, json_t *fields, screen_result *result,
                           int64_t tag);

/* The same without a handler: success is shown as `notice` (N_(); NULL: not shown). */
void screen_request_notice(struct ui *ui, const char *type, json_t *fields, const char *notice);

/* Like screen_request, for requests that belong to no screen: the answer always arrives, `state` is
 * NULL. */
void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                int64_t tag);

/*
 * For the kernel.
 */

/* Sends a request again; takes over its reference to the fields. */
void ui_send_request(struct ui *ui, const struct ui_request *wanted);

/* Passes the answer to the sender of the request; takes over its fields. */
void ui_deliver_answer(struct ui *ui, const struct ui_request *request, bool is_ok,
                       const json_t *answer);

/* When the oldest unanswered request was sent; INT64_MAX if there is none. */
int64_t ui_oldest_request_ms(const struct ui *ui);

/* True if the layer's screen has an unanswered request. */
bool ui_layer_is_waiting(const struct ui *ui, const struct ui_layer *layer);
