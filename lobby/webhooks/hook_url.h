#pragma once

#include <stdbool.h>

/* True when the text has the form of a webhook URL: https (or http, with is_http_allowed), a host,
 * optionally a port (1 to 65535) and a path. It must have no user or password, contain only visible
 * ASCII, and be shorter than STORAGE_HOOK_URL_SIZE. The host's address is checked when the webhook
 * is called. */
bool hook_url_is_valid(const char *url, bool is_http_allowed);
