#pragma once

#include "games/macros.h"

#include <curl/curl.h>
#include <stdbool.h>

/*
 * The functions of libcurl that the hook uses. libcurl is loaded when the hook starts: it needs
 * twenty other libraries, and if the program were linked with it, each session would have their
 * mappings, which made fork and exit of a session a fifth slower.
 */
struct hook_curl {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *transfer, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *transfer, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *transfer);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *transfer);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *transfer);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd fds[], unsigned fd_count,
                            int timeout_ms, int *ready);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
};

/* Loads libcurl. Returns false, with a line on the log, if it is missing or too old. */
bool hook_curl_load(struct hook_curl *curl) MUST_CHECK;
