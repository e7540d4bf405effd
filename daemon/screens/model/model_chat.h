#pragma once

#include "daemon/screens/model/model.h"

/* The lines of all chat channels. */

/* Adds a line that the house writes to a channel, such as the output of a command. */
void model_add_house_line(struct model *model, enum chat_channel channel, const char *text,
                          int64_t unix_ms);

/* model_find_channel finds a joined channel by its name; CHAT_LOBBY if there is none.
 * model_channel_name returns a channel's name, such as "#lobby". */
int model_find_channel(const struct model *model, const char *name);
const char *model_channel_name(const struct model *model, int channel);

/* Returns the line at that index, from 0 for the oldest to log->count - 1. */
const struct chat_line *model_chat_get_line(const struct chat_log *log, int index);

/* Called by model_apply_pushed_message for the messages `chat` and `channels`. */
void model_apply_chat_message(struct model *model, const json_t *message);
void model_apply_channels_message(struct model *model, const json_t *message);

/* Called by model_apply_pushed_message: hides lines that staff have removed. */
void model_hide_chat_lines(struct model *model, const json_t *message);

/* Frees all lines of a channel. */
void model_chat_clear(struct chat_log *log);
