#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Requests to the core. The kernel remembers which screen receives each answer. */
struct ui;
struct ui_layer;
struct ui_request;

/* Receives the answer to a request: the whole `ok` or `no` message, valid only during the call. */
typedef void screen_answer(struct ui *ui, void *state, int64_t tag, bool is_ok,
                           const json_t *answer);

/* Receives the `ok` message of a request that succeeded, valid only during the call. */
typedef void screen_result(struct ui *ui, void *state, int64_t tag, const json_t *answer);

/* Sends a request; steals `fields` (may be NULL). The answer goes to the screen that asked if it is
 * still on the stack, and is dropped otherwise. A refusal is shown as a warning if `answer` is NULL
 * or the screen is gone. `tag` is passed on to `answer`; `type` must be a string constant. If the
 * core requires confirmation (`step_up`), the person is asked and the request is sent again: the
 * caller sees only the last answer, or the refusal if the person cancels. */
void screen_send_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                         int64_t tag);

/* Sends a request. `result` is called only if the request succeeds; a refusal is shown as a
 * warning. */
void screen_send_and_handle_success(struct ui *ui, const char *type, json_t *fields,
                                    screen_result *result, int64_t tag);

/* Sends a request without a handler. Success is shown as `notice` (N_(); NULL: not shown), a
 * refusal as a warning. */
void screen_send_and_show_notice(struct ui *ui, const char *type, json_t *fields,
                                 const char *notice);

/* Sends a request that belongs to no screen: the answer always arrives, with `state` NULL. */
void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                int64_t tag);

/*
 * The functions below are for the kernel.
 */

/* Sends the request that `wanted` describes. Takes over the caller's reference to
 * wanted->fields. */
void ui_send_request(struct ui *ui, const struct ui_request *wanted);

/* Passes an answer to the screen that sent the request, and releases the reference to
 * request->fields. */
void ui_deliver_answer(struct ui *ui, const struct ui_request *request, bool is_ok,
                       const json_t *answer);

/* Returns the time at which the oldest unanswered request was sent; INT64_MAX if all are
 * answered. */
int64_t ui_get_oldest_request_sent_at_ms(const struct ui *ui);

/* True if the layer's screen waits for an answer from the core. */
bool ui_layer_awaits_answer(const struct ui *ui, const struct ui_layer *layer);
