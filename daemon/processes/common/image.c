#include "daemon/processes/common/common.h"

#include "daemon/base/base.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
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
