#ifndef DAEMON_SCREENS_MODEL_MODEL_PARTS_H
#define DAEMON_SCREENS_MODEL_MODEL_PARTS_H

#include "daemon/screens/model/model.h"

/* What the files of the model share; nobody else includes it. */

/* The string at a key, made drawable (see model_text). */
void model_key_text(const json_t *object, const char *key, char *out, size_t cap);

/* The number at a key, clamped to min…max; `min` when it is none. */
int64_t model_key_number(const json_t *object, const char *key, int64_t min, int64_t max);
bool model_key_true(const json_t *object, const char *key);

/* A table's row; false when its game is unknown or its number is none. */
bool model_table_read(const json_t *object, struct table_row *table);

/* The pushes by type. */
void model_chat_push(struct model *model, const json_t *message);
void model_rooms_push(struct model *model, const json_t *message);

/* Lines that staff took away: their words go. */
void model_chat_hide(struct model *model, const json_t *message);
void model_entered_push(struct model *model, const json_t *message);
void model_view_push(struct model *model, const json_t *message, int64_t now_ms);
void model_sheet_push(struct model *model, const json_t *message);
void model_result_push(struct model *model, const json_t *message);

void model_chat_clear(struct chat_log *log);

#endif
