#include "daemon/processes/gate_image.h"

#include "daemon/base/log.h"
#include "daemon/processes/gate_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    TEXT_MAX = 4096 /* a path */
};

/* The file begins with this; the gate, the rates, the living sessions and the texts follow. The
 * gate's own pointers mean nothing to a reader. */
struct head {
    char version[16];
    size_t gate_size, rate_size, entry_size;
};

static const struct head expected = {
    .version = TRICKHOUSE_VERSION,
    .gate_size = sizeof(struct gate),
    .rate_size = sizeof(struct limits_rate),
    .entry_size = sizeof(struct sessions_entry),
};

static bool put(FILE *file, const void *from, size_t size)
{
    return fwrite(from, size, 1, file) == 1;
}

static bool get(FILE *file, void *to, size_t size)
{
    return fread(to, size, 1, file) == 1;
}

/* With its NUL; NULL as a length of 0. */
static bool put_text(FILE *file, const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text) + 1;
    return put(file, &size, sizeof(size)) && (size == 0 || put(file, text, size));
}

static bool get_text(FILE *file, char **text)
{
    size_t size;
    *text = NULL;
    if (!get(file, &size, sizeof(size)) || size > TEXT_MAX) {
        return false;
    }
    if (size == 0) {
        return true;
    }
    *text = calloc(1, size + 1);
    if (*text == NULL) {
        abort();
    }
    return get(file, *text, size);
}

static bool put_gate(FILE *file, const struct gate *gate)
{
    bool is_put = put(file, &expected, sizeof(expected)) && put(file, gate, sizeof(*gate)) &&
                  put(file, gate->rate, sizeof(*gate->rate));
    for (size_t i = 0; i < gate->sessions.max && is_put; i++) {
        const struct sessions_entry *entry = &gate->sessions.entries[i];
        is_put = entry->pid == 0 || put(file, entry, sizeof(*entry));
    }
    return is_put && put_text(file, gate->host_key) && put_text(file, gate->session_user);
}

/* Takes `count` sessions from the file into the empty table. */
static bool get_sessions(FILE *file, struct sessions *sessions, int count)
{
    for (int i = 0; i < count; i++) {
        struct sessions_entry entry;
        struct sessions_entry *place = sessions_free_place(sessions);
        if (place == NULL || !get(file, &entry, sizeof(entry))) {
            return false;
        }
        sessions_add(sessions, place, &entry);
    }
    return true;
}

static bool get_gate(FILE *file, struct gate *gate)
{
    struct head head;
    struct gate saved;
    if (!get(file, &head, sizeof(head)) || memcmp(&head, &expected, sizeof(head)) != 0 ||
        !get(file, &saved, sizeof(saved))) {
        return false;
    }
    *gate = saved;
    gate->host = NULL;
    gate->confinement = NULL;
    gate->host_key = NULL;
    gate->session_user = NULL;
    gate->epoll = -1;
    gate->signals = -1;
    gate->core.sessions = &gate->sessions;
    sessions_init(&gate->sessions, saved.sessions.max);
    gate->rate = calloc(1, sizeof(*gate->rate));
    if (gate->rate == NULL) {
        abort();
    }
    return get(file, gate->rate, sizeof(*gate->rate)) &&
           get_sessions(file, &gate->sessions, saved.sessions.count) &&
           get_text(file, &gate->host_key) && get_text(file, &gate->session_user);
}

/* fcntl(2): close-on-exec is the only flag there is. */
static void let_pass(int fd, bool is_passing)
{
    if (fd >= 0 && fcntl(fd, F_SETFD, is_passing ? 0 : FD_CLOEXEC) != 0) {
        log_event(LOG_LEVEL_ERROR, 0, "descriptor %d: %s", fd, strerror(errno));
    }
}

static void let_all_pass(const struct gate *gate, bool is_passing)
{
    let_pass(gate->core.socket, is_passing);
    let_pass(gate->ready_fd, is_passing);
    for (size_t i = 0; i < gate->listener_count; i++) {
        let_pass(gate->listeners[i].socket, is_passing);
    }
    for (size_t i = 0; i < gate->sessions.max; i++) {
        const struct sessions_entry *entry = &gate->sessions.entries[i];
        if (entry->pid != 0) {
            let_pass(entry->core_end, is_passing);
            let_pass(entry->signed_in_fd, is_passing);
        }
    }
}

int gate_image_save(const struct gate *gate)
{
    int image = memfd_create("gate", MFD_CLOEXEC);
    int copy = image < 0 ? -1 : fcntl(image, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
    bool is_saved = file != NULL && put_gate(file, gate);
    int error = errno;
    if (file != NULL) {
        is_saved = fclose(file) == 0 && is_saved;
    } else if (copy >= 0) {
        close(copy);
    }
    if (is_saved && lseek(image, 0, SEEK_SET) == 0) {
        let_all_pass(gate, true);
        let_pass(image, true);
        return image;
    }
    if (image >= 0) {
        close(image);
    }
    errno = error;
    return -1;
}

void gate_image_drop(const struct gate *gate, int image)
{
    let_all_pass(gate, false);
    close(image);
}

bool gate_image_load(struct gate *gate, int image)
{
    *gate = (struct gate){.epoll = -1, .signals = -1, .ready_fd = -1};
    FILE *file = fdopen(image, "r");
    bool is_loaded = file != NULL && get_gate(file, gate);
    if (file != NULL) {
        fclose(file);
    }
    if (!is_loaded) {
        log_event(LOG_LEVEL_ERROR, 0, "descriptor %d holds no gate of this program", image);
        return false;
    }
    let_all_pass(gate, false);
    return true;
}
