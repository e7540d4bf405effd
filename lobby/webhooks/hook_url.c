#include "lobby/webhooks/webhooks.h"

#include "storage/webhooks/hooks.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#define PORT_DIGITS 5

static bool url_has_scheme(const char *url, const char *scheme)
{
    return strncasecmp(url, scheme, strlen(scheme)) == 0;
}

/* True for a host with an optional port from 1 to 65535: "example.org", "192.0.2.1:8443",
 * "[2001:db8::1]:443". */
static bool host_and_port_are_valid(const char *text, size_t len)
{
    const char *end = text + len;
    const char *bracket = text[0] == '[' ? memchr(text, ']', len) : NULL;
    const char *colon = memchr(text, ':', len);
    if (text[0] == '[') {
        colon = bracket;
        if (bracket == NULL || bracket == text + 1) {
            return false;
        }
        colon++;
    }
    if (colon == NULL || colon == end) {
        return len > 0;
    }
    uint32_t port = 0;
    for (const char *digit = colon + 1; digit < end; digit++) {
        if (*digit < '0' || *digit > '9' || digit - colon > PORT_DIGITS) {
            return false;
        }
        port = port * 10 + (uint32_t)(*digit - '0');
    }
    return *colon == ':' && colon != text && port > 0 && port <= UINT16_MAX;
}

bool hook_url_is_valid(const char *url, bool is_http_allowed)
{
    static const char https[] = "https://";
    static const char http[] = "http://";
    bool is_http = is_http_allowed && url_has_scheme(url, http);
    if (!is_http && !url_has_scheme(url, https)) {
        return false;
    }
    const char *host = url + strlen(is_http ? http : https);
    size_t host_len = strcspn(host, "/?#");
    size_t len = strlen(url);
    for (size_t i = 0; i < len; i++) {
        if (url[i] < '!' || url[i] > '~') {
            return false;
        }
    }
    return len < STORAGE_HOOK_URL_SIZE && host_and_port_are_valid(host, host_len) &&
           memchr(host, '@', host_len) == NULL && memchr(host, '\\', host_len) == NULL;
}
