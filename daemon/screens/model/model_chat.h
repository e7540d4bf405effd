#pragma once

#include "daemon/screens/model/model.h"

/* The lines of the chat channels. */

/* Adds a line of the house to the channel: the output of a command. */
void model_add_house_line(struct model *model, enum chat_channel channel, const char *text,
                          int64_t unix_ms);

/* The place of one's channel of that name, CHAT_LOBBY if there is none; and a channel's name
 * ("#lobby"). */
int model_find_channel(const struct model *model, const char *name);
const char *model_channel_name(const struct model *model, int channel);

/* The line at index 0 (oldest) … count - 1. */
const struct chat_line *model_chat_line(const struct chat_log *log, int index);

/* For the model: takes the pushes `chat` and `channels`. */
void model_take_chat(struct model *model, const json_t *message);
void model_take_channels(struct model *model, const json_t *message);

/* Hides lines that staff removed. */
void model_hide_chat_lines(struct model *model, const json_t *message);

/* For the model: frees the lines. */
void model_chat_clear(struct chat_log *log);
