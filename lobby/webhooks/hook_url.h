#ifndef LOBBY_WEBHOOKS_HOOK_URL_H
#define LOBBY_WEBHOOKS_HOOK_URL_H

#include <stdbool.h>

/* True when the text has the form of an address webhooks may have: http (with is_http_allowed) or
 * https, a host, maybe a port (1 to 65535) and a path; no user or password, nothing but visible
 * ASCII, shorter than STORAGE_HOOK_URL_SIZE. Where it leads is looked at when it is called. */
bool hook_url_is_good(const char *url, bool is_http_allowed);

#endif
