#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Requests to the core, and which screen gets the answer. */
struct ui;
struct ui_layer;
struct ui_request;

/* Gets the answer: the whole `ok` or `no` message, borrowed for the call. */
typedef void screen_answer(struct ui *ui, void *state, int64_t tag, bool is_ok,
                           const json_t *answer);

/* Sends a request; steals `fields` (may be NULL). The answer is given while the asking screen is
 * on the stack and dropped otherwise. A refusal becomes a warning by itself when `answer` is NULL
 * and when the screen is gone. `tag` is the caller's; `type` is a constant. When the core wants it
 * confirmed first (`step_up`), the person is asked and the request is sent again: the caller sees
 * only the last answer, or the refusal if the person gives up. */
void screen_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                    int64_t tag);

/* The same for requests that belong to no screen: the answer is always given, `state` is NULL. */
void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                int64_t tag);

/*
 * For the kernel.
 */

/* Sends a request again; takes over its reference to the fields. */
void ui_request_send(struct ui *ui, const struct ui_request *wanted);

/* Gives the answer to whoever made the request; takes over its fields. */
void ui_answer_give(struct ui *ui, const struct ui_request *request, bool is_ok,
                    const json_t *answer);

/* When the oldest unanswered request was sent, INT64_MAX when there is none. */
int64_t ui_waiting_since(const struct ui *ui);

/* True when the layer's screen has made a request that is not answered yet. */
bool ui_layer_is_waiting(const struct ui *ui, const struct ui_layer *layer);
