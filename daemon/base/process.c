#include "daemon/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STAT_MAX 2048

/* Field numbers of /proc/self/stat, counted from 1 (proc(5)). The second field ends at the last
 * parenthesis. */
#define FIELD_AFTER_NAME 3
#define FIELD_ARG_START 48

struct command_line process_find_command_line(void)
{
    const struct command_line nowhere = {NULL, 0};
    char text[STAT_MAX];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return nowhere;
    }
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    char *at = strrchr(text, ')');
    for (int field = FIELD_AFTER_NAME; at != NULL && field <= FIELD_ARG_START; field++) {
        at = strchr(at + 1, ' ');
    }
    if (at == NULL) {
        return nowhere;
    }
    char *end;
    uintptr_t arg_start = strtoull(at, &end, 10);
    uintptr_t arg_end = strtoull(end, NULL, 10);
    if (arg_start == 0 || arg_end <= arg_start) {
        return nowhere;
    }
    return (struct command_line){(char *)arg_start, arg_end - arg_start};
}

void process_set_name_in(const struct command_line *line, const char *name)
{
    prctl(PR_SET_NAME, name);
    if (line->at != NULL) {
        memset(line->at, 0, line->len);
        snprintf(line->at, line->len, "trickhouse: %s", name);
    }
}

void process_set_name(const char *name)
{
    const struct command_line line = process_find_command_line();
    process_set_name_in(&line, name);
}

bool rights_find_user(const char *name, struct rights *rights)
{
    errno = 0;
    const struct passwd *account = getpwnam(name);
    if (account == NULL || account->pw_uid == 0 || account->pw_gid == 0) {
        return false;
    }
    *rights = (struct rights){account->pw_uid, account->pw_gid};
    return true;
}

/* Limits this process, and the programs that it starts, to these capabilities. Bits are numbered as
 * in capabilities(7). */
static bool set_capabilities(uint32_t bits)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {
        {.effective = bits, .permitted = bits, .inheritable = bits},
    };
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
           syscall(SYS_capset, &header, sets) == 0;
}

bool rights_give_up_capabilities(void)
{
    return geteuid() == 0 || set_capabilities(0);
}

/* Restores the parent-death signal, which the kernel clears when a process changes its user. */
static bool change_user(const struct rights *rights)
{
    int signal_number = 0;
    return prctl(PR_GET_PDEATHSIG, &signal_number) == 0 && setgroups(0, NULL) == 0 &&
           setresgid(rights->group, rights->group, rights->group) == 0 &&
           setresuid(rights->user, rights->user, rights->user) == 0 &&
           prctl(PR_SET_PDEATHSIG, signal_number) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

bool rights_change_user(const struct rights *rights)
{
    return change_user(rights) && set_capabilities(0);
}

bool rights_change_user_keep_low_ports(const struct rights *rights)
{
    return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && change_user(rights) &&
           set_capabilities(UINT32_C(1) << CAP_NET_BIND_SERVICE) &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_BIND_SERVICE, 0, 0) == 0;
}

enum {
    PAGE = 4096,
    RELEASED = 512 << 10, /* most bytes that our deepest calls use; below them nothing is mapped,
                             for the kernel leaves a gap of a mebibyte below each stack */
    KEPT = 2 * PAGE       /* for the call of madvise itself, and for signal handlers */
};

void spare_stack_release(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    uintptr_t end = (here - KEPT) / PAGE * PAGE;
    if (!IS_SANITIZED) {
        /* fails with ENOMEM where the stack has never reached, but releases the rest */
        (void)madvise((void *)(end - RELEASED), RELEASED, MADV_DONTNEED);
    }
}

void *unforked_allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, size, MADV_DONTFORK) != 0) {
        abort();
    }
    return memory;
}

void unforked_free(void *memory, size_t size)
{
    if (memory != NULL) {
        munmap(memory, size);
    }
}

#ifdef __GLIBC__

#include <malloc.h>
#include <unistd.h>

void heap_release_free_memory(void)
{
    malloc_trim(0);
}

uintptr_t heap_find_end(void)
{
    return (uintptr_t)sbrk(0) - mallinfo2().keepcost;
}

#else

void heap_release_free_memory(void)
{
}

uintptr_t heap_find_end(void)
{
    return 0;
}

#endif

void *must_not_be_null(void *allocated)
{
    if (allocated == NULL) {
        abort();
    }
    return allocated;
}

void *must_allocate(size_t size)
{
    return must_not_be_null(calloc(1, size));
}

char *must_copy_text(const char *text)
{
    return text == NULL ? NULL : must_not_be_null(strdup(text));
}

char *must_format_json(json_t *message)
{
    char *text = must_not_be_null(json_dumps(must_not_be_null(message), JSON_COMPACT));
    json_decref(message);
    return text;
}

size_t edit_distance(const char *a, const char *b)
{
    size_t row[EDIT_WORD_MAX + 1];
    size_t len = strnlen(b, EDIT_WORD_MAX);
    for (size_t j = 0; j <= len; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < EDIT_WORD_MAX && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < len; j++) {
            size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            size_t shifted = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = changed < shifted ? changed : shifted;
        }
    }
    return row[len];
}

static int64_t read_clock_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_unix_ms(void)
{
    return read_clock_us(CLOCK_REALTIME) / 1000;
}

int64_t clock_steady_ms(void)
{
    return read_clock_us(CLOCK_MONOTONIC) / 1000;
}

int64_t clock_boot_ms(void)
{
    return read_clock_us(CLOCK_BOOTTIME) / 1000;
}

int64_t clock_steady_us(void)
{
    return read_clock_us(CLOCK_MONOTONIC);
}
