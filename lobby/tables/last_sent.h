#pragma once

#include <jansson.h>
#include <stdbool.h>

/* True when the message differs from the text that was last sent, *last_text (NULL: none);
 * *last_text then becomes the new text. Takes ownership of the message. */
bool last_sent_replace_if_changed(char **last_text, json_t *message);
