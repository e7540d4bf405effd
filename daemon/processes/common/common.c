#include "daemon/processes/common/common.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int image_save_to_memory_file(json_t *state)
{
    int image_fd = state == NULL ? -1 : memfd_create("image", MFD_CLOEXEC);
    bool is_saved = image_fd >= 0 && json_dumpfd(state, image_fd, JSON_COMPACT) == 0 &&
                    lseek(image_fd, 0, SEEK_SET) == 0;
    json_decref(state);
    if (is_saved) {
        image_set_kept_across_exec(image_fd, true);
        return image_fd;
    }
    fd_close(image_fd);
    return -1;
}

json_t *image_load_and_close(int image_fd)
{
    FILE *file = fdopen(image_fd, "r"); /* json_loadfd would read each byte by itself */
    if (file == NULL) {
        fd_close(image_fd);
        return NULL;
    }
    json_t *root = json_loadf(file, 0, NULL);
    (void)fclose(file);
    return root;
}

void image_set_kept_across_exec(int fd, bool is_kept)
{
    /* close-on-exec is the only flag of a descriptor (fcntl(2)) */
    if (fd >= 0 && fcntl(fd, F_SETFD, is_kept ? 0 : FD_CLOEXEC) != 0) {
        log_failure("descriptor %d", fd);
    }
}

int image_read_descriptor(const json_t *state, const char *name)
{
    const json_t *number = json_object_get(state, name);
    return json_is_integer(number) ? (int)json_integer_value(number) : -1;
}

json_t *image_bytes_to_json(const void *bytes, size_t len)
{
    char *hex = must_not_be_null(malloc(2 * len + 1));
    json_t *string = json_string(sodium_bin2hex(hex, 2 * len + 1, bytes, len));
    free(hex);
    return string;
}

bool image_bytes_from_json(const json_t *string, void *bytes, size_t len)
{
    size_t hex_len = json_string_length(string);
    size_t taken = 0;
    return hex_len == 2 * len &&
           sodium_hex2bin(bytes, len, json_string_value(string), hex_len, NULL, &taken, NULL) ==
               0 &&
           taken == len;
}

int find_ip_net(const struct ip_net *nets, size_t count, const uint8_t bytes[16])
{
    for (size_t i = 0; i < count; i++) {
        if (ip_net_contains(&nets[i], bytes)) {
            return (int)i;
        }
    }
    return -1;
}

void lower_priority(int by, const char *failure)
{
    errno = 0;
    if (nice(by) == -1 && errno != 0) {
        log_failure("%s", failure);
    }
}

int listen_at(const struct sockaddr *address, socklen_t len, int backlog)
{
    const int on = 1;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool is_listening = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                        (address->sa_family != AF_INET6 ||
                         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
                        bind(fd, address, len) == 0 && listen(fd, backlog) == 0;
    if (fd >= 0 && !is_listening) {
        fd_close_and_reset(&fd);
    }
    return fd;
}

bool listeners_add(struct listeners *listeners, struct listener listener)
{
    if (listeners->count == LISTENERS_MAX) {
        return false;
    }
    listeners->list[listeners->count++] = listener;
    return true;
}

bool listeners_include(const struct listeners *listeners, bool is_telnet)
{
    for (size_t i = 0; i < listeners->count; i++) {
        if (listeners->list[i].is_telnet == is_telnet && !listeners->list[i].is_proxied) {
            return true;
        }
    }
    return false;
}

void listeners_close(struct listeners *listeners)
{
    for (size_t i = 0; i < listeners->count; i++) {
        close(listeners->list[i].socket);
    }
    listeners->count = 0;
}

void listeners_set_kept_across_exec(const struct listeners *listeners, bool is_kept)
{
    for (size_t i = 0; i < listeners->count; i++) {
        image_set_kept_across_exec(listeners->list[i].socket, is_kept);
    }
}

json_t *listeners_to_json(const struct listeners *listeners)
{
    json_t *array = json_array();
    for (size_t i = 0; i < listeners->count; i++) {
        const struct listener *listener = &listeners->list[i];
        (void)json_array_append_new(array, json_pack("{s:i, s:b, s:b}", "socket", listener->socket,
                                                     "is_telnet", listener->is_telnet, "is_proxied",
                                                     listener->is_proxied));
    }
    return array;
}

bool listeners_from_json(const json_t *array, struct listeners *listeners)
{
    size_t i;
    json_t *json;
    listeners->count = 0;
    json_array_foreach(array, i, json)
    {
        int socket;
        int is_telnet;
        if (json_unpack(json, "{s:i, s:b}", "socket", &socket, "is_telnet", &is_telnet) != 0 ||
            !listeners_add(listeners,
                           (struct listener){
                               .socket = socket,
                               .is_telnet = is_telnet != 0,
                               .is_proxied = json_is_true(json_object_get(json, "is_proxied")),
                           })) {
            return false;
        }
    }
    return true;
}

char **command_line_make(const char *const *args, const char *extra1, const char *extra2)
{
    size_t count = 0;
    while (args[count] != NULL) {
        count++;
    }
    const char **line = must_not_be_null(calloc(count + 4, sizeof *line));
    line[0] = "trickhouse";
    memcpy(&line[1], args, count * sizeof *line);
    line[count + 1] = extra1;
    line[count + 2] = extra2;
    /* execv and posix_spawn take pointers to non-const text, but do not change the text */
    char **command;
    memcpy(&command, &line, sizeof command);
    return command;
}

bool ports_write(int fd, const struct ports *ports)
{
    int written = ports->telnet != 0 ? dprintf(fd, "%u %u\n", ports->ssh, ports->telnet)
                                     : dprintf(fd, "%u\n", ports->ssh);
    return written > 0;
}

struct ports ports_parse(const char *text)
{
    struct ports ports = {0};
    char *end;
    ports.ssh = (uint16_t)strtoul(text, &end, 10);
    ports.telnet = (uint16_t)strtoul(end, NULL, 10);
    return ports;
}

static void add_event(struct event *event, const struct timeval *wait)
{
    if (event_add(event, wait) != 0) {
        abort(); /* out of memory */
    }
}

struct event *loop_make_event(struct event_base *base, int fd, short events,
                              event_callback_fn callback, void *context)
{
    return must_not_be_null(event_new(base, fd, events, callback, context));
}

struct event *loop_watch(struct event_base *base, int fd, short events, event_callback_fn callback,
                         void *context)
{
    struct event *event = loop_make_event(base, fd, events, callback, context);
    add_event(event, NULL);
    return event;
}

void loop_begin(struct event *event)
{
    add_event(event, NULL);
}

void loop_begin_ms(struct event *event, int64_t wait_ms)
{
    add_event(event,
              &(const struct timeval){.tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000});
}

void house_away_tell(int socket, const char *news)
{
    enum packet_result result = packet_send(socket, news, strlen(news), -1);
    (void)result; /* a process that has ended, or does not read, need not know */
}
