#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Replaces a message kept as it was last sent (NULL: none) by its new form, whose reference is
 * taken over. True when they differ. */
bool last_sent_replace(char **kept, json_t *message);
