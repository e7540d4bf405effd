#include "lobby/hook_url.h"

#include "storage/hooks.h"

#include <string.h>
#include <strings.h>

static bool url_begins(const char *url, const char *scheme)
{
    return strncasecmp(url, scheme, strlen(scheme)) == 0;
}

bool hook_url_is_good(const char *url, bool is_http_allowed)
{
    static const char https[] = "https://";
    static const char http[] = "http://";
    bool is_http = is_http_allowed && url_begins(url, http);
    if (!is_http && !url_begins(url, https)) {
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
    return len < STORAGE_HOOK_URL_SIZE && host_len > 0 && host[0] != ':' &&
           memchr(host, '@', host_len) == NULL && memchr(host, '\\', host_len) == NULL;
}
