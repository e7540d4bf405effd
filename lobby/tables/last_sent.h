#pragma once

#include <jansson.h>
#include <stdbool.h>

/* True when the message differs from the text that was last sent, *kept (NULL: none); *kept then
 * becomes the new text. Takes ownership of the message. */
bool last_sent_replace(char **kept, json_t *message);
