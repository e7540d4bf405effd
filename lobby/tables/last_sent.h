#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Compares a message (its reference is taken over) with the text that was last sent (NULL: none),
 * and keeps the new text. True when they differ. */
bool last_sent_replace(char **kept, json_t *message);
