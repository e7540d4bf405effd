#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <libssh/libssh.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes the key to a file. The library opens the file itself, so only the umask keeps others from
 * reading the file while it is written. */
static bool write_key_to_file(ssh_key key, const char *path)
{
    mode_t mask = umask(077);
    int result = ssh_pki_export_privkey_file(key, NULL, NULL, NULL, path);
    umask(mask);
    return result == SSH_OK;
}

/* Makes the key in a temporary file, which gets its final name once it is complete. */
static bool make_key(const char *path)
{
    ssh_key key = NULL;
    char *unfinished = NULL;
    bool is_made = asprintf(&unfinished, "%s.new", path) >= 0 &&
                   ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key) == SSH_OK &&
                   write_key_to_file(key, unfinished) && rename(unfinished, path) == 0;
    ssh_key_free(key);
    free(unfinished);
    return is_made;
}

bool host_key_make_if_missing(const char *path)
{
    if (access(path, F_OK) == 0) {
        return true;
    }
    if (errno != ENOENT || ssh_init() != SSH_OK || !make_key(path)) {
        return log_failure("cannot make the key %s", path);
    }
    log_event(LOG_LEVEL_INFO, 0, "made the key %s", path);
    return true;
}
