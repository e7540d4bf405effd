#pragma once

#include <stdbool.h>

/* True when the text has the form of a webhook URL: https (or http, with is_http_allowed), a host,
 * optionally a port (1 to 65535) and a path; no user or password, only visible ASCII, shorter than
 * STORAGE_HOOK_URL_SIZE. Where the host leads is checked when it is called. */
bool hook_url_is_good(const char *url, bool is_http_allowed);
