#pragma once

#include "tests/lobby/evening.h"

/* Each message of messages.def, at least once, as it is sent in the evening's house so that it has
 * an effect. */
struct evening_message {
    const char *type;
    int64_t conn;
    const char *fields; /* "%s" is replaced by a code or number that `prepare` got */
    void (*prepare)(struct driver *driver); /* NULL: nothing to prepare */
    bool may_be_refused;
};

/* Returns NULL after the last one. */
const struct evening_message *evening_message_at(size_t index);

/* Prepares and sends a message. Returns whether the answer is the expected one; if not, prints it
 * after `title` (NULL: never). */
bool evening_message_send(struct driver *driver, const struct evening_message *message,
                          const char *title);
