#include "daemon/screens/drawing/display_files.h"

#include "daemon/base/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int make_memory_file(void)
{
    return memfd_create("screen", MFD_CLOEXEC);
}

static bool make_pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0;
}

/* Gives a descriptor the lowest free number from `lowest` on, and opens a stream on it. Closes the
 * descriptor if that fails. */
static FILE *open_stream(int fd, int lowest, const char *mode)
{
    int moved = fd < 0 || fd >= lowest ? fd : fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (moved != fd) {
        close(fd);
    }
    FILE *stream = moved < 0 ? NULL : fdopen(moved, mode);
    if (stream == NULL) {
        fd_close(moved);
    }
    return stream;
}

bool display_files_open(struct display_files *files, int lowest)
{
    int ends[2];
    *files = (struct display_files){.feed = -1};
    files->out = open_stream(make_memory_file(), lowest, "w");
    if (files->out == NULL || !make_pair(ends)) {
        return false;
    }
    files->feed = ends[1];
    files->in = open_stream(ends[0], lowest, "r");
    return files->in != NULL;
}

/* Gives a descriptor this number. */
static bool renumber(int fd, int number)
{
    if (fd == number) {
        return true;
    }
    bool is_done = fd >= 0 && dup3(fd, number, O_CLOEXEC) == number;
    fd_close(fd);
    return is_done;
}

bool display_files_reopen(struct display_files *files)
{
    int out = fileno(files->out), in = fileno(files->in);
    int ends[2];
    if (!renumber(make_memory_file(), out) || !make_pair(ends)) {
        return false;
    }
    bool is_swapped = ends[1] == in; /* the ends of the pair are alike */
    files->feed = ends[is_swapped ? 0 : 1];
    return renumber(ends[is_swapped ? 1 : 0], in);
}

void display_files_close(struct display_files *files)
{
    if (files->out != NULL) {
        fclose(files->out);
    }
    if (files->in != NULL) {
        fclose(files->in);
    }
    fd_close(files->feed);
    *files = (struct display_files){.feed = -1};
}
