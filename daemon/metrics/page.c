#include "daemon/metrics/metrics.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

/* FNV-1a, of the text with its final NUL */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (uint8_t)*text) * HASH_PRIME;
    } while (*text++ != '\0');
    return hash;
}

static uint64_t hash_label(uint64_t hash, const struct metric_label *label)
{
    hash = hash_text(hash, label->name);
    for (size_t i = 0; i < label->count; i++) {
        hash = hash_text(hash, metric_label_value(label, i));
    }
    return hash;
}

static uint64_t hash_layout(void)
{
    uint64_t hash = HASH_START ^ sizeof(struct metrics_page);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric_def *def = metric_at((enum metric)i);
        hash = hash_text(hash, def->name) + (uint64_t)def->kind;
        hash = hash_label(hash, def->labels[0]);
        hash = hash_label(hash, def->labels[1]);
    }
    return hash;
}

static char *make_path(const char *data_dir, const char *ending)
{
    char *path;
    if (asprintf(&path, "%s/" METRICS_PAGE_FILE "%s", data_dir, ending) < 0) {
        abort(); /* out of memory */
    }
    return path;
}

static struct metrics_page *map_file(int file)
{
    void *page =
        mmap(NULL, sizeof(struct metrics_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return page != MAP_FAILED ? page : NULL;
}

/* Makes the file under this name. Takes the room on the disk at once: a write to a mapped page that
 * the disk has no room for ends a process. */
static struct metrics_page *create_file(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct metrics_page *page = NULL;
    int error = file < 0 ? errno : posix_fallocate(file, 0, sizeof *page);
    if (error == 0) {
        page = map_file(file);
        error = errno;
    }
    fd_close(file);
    errno = error;
    return page;
}

struct metrics_page *metrics_page_create(const char *data_dir)
{
    char *path = make_path(data_dir, "");
    char *new_path = make_path(data_dir, ".new");
    struct metrics_page *page = create_file(new_path);
    if (page != NULL) {
        page->layout = hash_layout();
        if (rename(new_path, path) != 0) {
            metrics_page_close(page);
            page = NULL;
        }
    }
    free(new_path);
    free(path);
    return page;
}

/* Opens the file if it holds a page of this program's layout. Returns -1 with errno. */
static int open_fitting_file(const char *data_dir)
{
    char *path = make_path(data_dir, "");
    int file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    free(path);
    uint64_t layout = 0;
    if (file < 0) {
        return -1;
    }
    if (pread(file, &layout, sizeof layout, 0) != (ssize_t)sizeof layout ||
        layout != hash_layout() || lseek(file, 0, SEEK_END) != (off_t)sizeof(struct metrics_page)) {
        fd_close(file);
        errno = ESTALE;
        return -1;
    }
    return file;
}

struct metrics_page *metrics_page_open(const char *data_dir)
{
    int file = open_fitting_file(data_dir);
    struct metrics_page *page = file >= 0 ? map_file(file) : NULL;
    fd_close(file);
    return page;
}

bool metrics_page_hide_from_children(struct metrics_page *page)
{
    return page == NULL || madvise(page, sizeof *page, MADV_DONTFORK) == 0;
}

void metrics_page_close(struct metrics_page *page)
{
    if (page != NULL) {
        int error = errno;
        munmap(page, sizeof *page);
        errno = error;
    }
}

bool metrics_page_read(const char *data_dir, int64_t supervisor, struct metrics_page *copy)
{
    int file = open_fitting_file(data_dir);
    if (file < 0) {
        return false;
    }
    ssize_t got = pread(file, copy, sizeof *copy, 0);
    fd_close(file);
    if (got != (ssize_t)sizeof *copy || copy->lives[LIFE_SUPERVISOR].pid != supervisor) {
        errno = ESTALE;
        return false;
    }
    return true;
}
