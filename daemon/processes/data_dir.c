#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libssh/libssh.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_TEXT_MAX 40
#define NUMBER_TEXT_MAX 24

static char *join_path(const char *path, const char *name)
{
    char *joined;
    if (asprintf(&joined, "%s/%s", path, name) < 0) {
        abort(); /* out of memory */
    }
    return joined;
}

char *data_dir_join_path(const struct data_dir *dir, const char *name)
{
    return join_path(dir->path, name);
}

/* Makes a lock on the whole file for F_OFD_SETLK. Its owner is the open file description, so the
 * lock survives a fork, ends when the last copy of the descriptor is closed, and can be queried
 * without being taken. */
static struct flock make_whole_file_lock(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

bool data_dir_note_supervisor(const struct data_dir *dir, const struct ports *ports)
{
    char text[LOCK_TEXT_MAX];
    int len = snprintf(text, sizeof text, "%ld %u %u\n", (long)getpid(), ports->ssh, ports->telnet);
    return pwrite(dir->lock, text, (size_t)len, 0) == len && ftruncate(dir->lock, len) == 0;
}

static void set_paths_of_files(struct data_dir *dir)
{
    dir->database = data_dir_join_path(dir, "house.db");
    dir->backups = data_dir_join_path(dir, "backups");
    dir->host_key = data_dir_join_path(dir, "ssh_host_ed25519_key");
    dir->node_key = data_dir_join_path(dir, "node_key");
    dir->log = data_dir_join_path(dir, "house.log");
}

enum data_dir_result data_dir_open(struct data_dir *dir, const char *path)
{
    *dir = (struct data_dir){.lock = -1};
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        return DATA_DIR_FAILED;
    }
    dir->path = realpath(path, NULL);
    if (dir->path == NULL) {
        return DATA_DIR_FAILED;
    }
    set_paths_of_files(dir);
    char *file = data_dir_join_path(dir, "lock");
    dir->lock = files_open_regular(file, O_RDWR | O_CREAT);
    free(file);
    struct flock lock = make_whole_file_lock(F_WRLCK);
    enum data_dir_result result = DATA_DIR_FAILED;
    if (dir->lock >= 0 && fcntl(dir->lock, F_OFD_SETLK, &lock) == 0) {
        const bool is_noted =
            ftruncate(dir->lock, 0) == 0 && data_dir_note_supervisor(dir, &(struct ports){0});
        result = is_noted ? DATA_DIR_OK : DATA_DIR_FAILED;
    } else if (dir->lock >= 0 && (errno == EAGAIN || errno == EACCES)) {
        result = DATA_DIR_LOCKED;
    }
    if (result != DATA_DIR_OK) {
        int error = errno;
        data_dir_close(dir);
        errno = error;
    }
    return result;
}

enum data_dir_result data_dir_reopen_after_exec(struct data_dir *dir, const char *path,
                                                int lock_file)
{
    *dir = (struct data_dir){.path = realpath(path, NULL), .lock = lock_file};
    if (dir->path == NULL) {
        return DATA_DIR_FAILED;
    }
    set_paths_of_files(dir);
    return DATA_DIR_OK;
}

/* True if the house itself makes files of this name. Files of other names keep their owner. */
static bool is_house_file(const char *name)
{
    static const char *const begins[] = {"lock",     "control",  "connections", "counters",
                                         "house.",   "house-",   "backups",     "ssh_host_",
                                         "node_key", "timeline", "database_url"};
    for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return false;
}

bool data_dir_is_empty_or_house(const char *path)
{
    DIR *list = opendir(path);
    const struct dirent *entry;
    bool is_empty = list != NULL;
    bool is_house = false;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        bool is_entry = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        is_empty = is_empty && !is_entry;
        is_house = is_house || (is_entry && is_house_file(entry->d_name));
    }
    if (list != NULL) {
        closedir(list);
    }
    return is_empty || is_house;
}

/* Makes the user the owner of a file. Changes the owner through a descriptor, so that nobody can
 * replace the file between the check and the change. */
static bool give_file_to_user(int folder, const char *name, uid_t user, gid_t group)
{
    struct stat status;
    int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT; /* the file was removed in the meantime */
    }
    bool is_given = fstat(file, &status) == 0;
    bool is_theirs = status.st_uid == user && status.st_gid == group;
    bool is_plain = S_ISDIR(status.st_mode) || S_ISSOCK(status.st_mode) ||
                    (S_ISREG(status.st_mode) && status.st_nlink == 1);
    if (is_given && is_plain && !is_theirs) {
        is_given = fchownat(file, "", user, group, AT_EMPTY_PATH) == 0;
    }
    fd_close(file);
    return is_given;
}

/* Makes the user the owner of the folder and of the house's files in it. With O_NOFOLLOW in
 * `open_flags`, skips a path that does not exist or is not a folder. */
static bool give_folder_to_user(const char *path, int open_flags, uid_t user, gid_t group)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | open_flags);
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    const struct dirent *entry;
    if (list == NULL) {
        return open_flags != 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP);
    }
    bool is_given = fchown(folder, user, group) == 0;
    while (is_given && (entry = readdir(list)) != NULL) {
        if (is_house_file(entry->d_name)) {
            is_given = give_file_to_user(folder, entry->d_name, user, group);
        }
    }
    int error = errno;
    closedir(list);
    errno = error;
    return is_given;
}

bool data_dir_give_to_user(const char *path, uid_t user, gid_t group)
{
    char *backups = join_path(path, "backups");
    bool is_given =
        give_folder_to_user(path, 0, user, group) &&
        give_folder_to_user(backups, O_NOFOLLOW, user, group); /* a symbolic link is skipped */
    free(backups);
    return is_given;
}

void data_dir_close(struct data_dir *dir)
{
    struct stat folder;
    if (geteuid() == 0 && dir->lock >= 0 && stat(dir->path, &folder) == 0 && folder.st_uid != 0 &&
        !data_dir_give_to_user(dir->path, folder.st_uid, folder.st_gid)) {
        log_event(LOG_LEVEL_WARN, 0, "%s: some files still belong to root: %s", dir->path,
                  strerror(errno));
    }
    fd_close(dir->lock);
    free(dir->log);
    free(dir->node_key);
    free(dir->host_key);
    free(dir->backups);
    free(dir->database);
    free(dir->path);
    *dir = (struct data_dir){.lock = -1};
}

bool data_dir_reserve_conn_numbers(const struct data_dir *dir, int64_t min_conn,
                                   int64_t *first_conn)
{
    char *path = data_dir_join_path(dir, "connections");
    int file = files_open_regular(path, O_RDWR | O_CREAT);
    free(path);
    if (file < 0) {
        return false;
    }
    char text[NUMBER_TEXT_MAX] = "";
    ssize_t got = pread(file, text, sizeof text - 1, 0);
    int64_t below = got > 0 ? strtoll(text, NULL, 10) : 0;
    *first_conn = below > min_conn ? below : min_conn;
    int len = snprintf(text, sizeof text, "%" PRId64 "\n", *first_conn + DATA_DIR_CONN_COUNT);
    bool is_kept = got >= 0 && pwrite(file, text, (size_t)len, 0) == len && fdatasync(file) == 0;
    fd_close(file);
    return is_kept;
}

static const char note_of_database[] = "database_url";

bool data_dir_note_database(const struct data_dir *dir, const char *url)
{
    char *path = data_dir_join_path(dir, note_of_database);
    char *next = data_dir_join_path(dir, "database_url.new");
    bool is_noted = false;
    if (url[0] == '\0') {
        is_noted = unlink(path) == 0 || errno == ENOENT;
    } else {
        int file = files_open_regular(next, O_WRONLY | O_CREAT | O_TRUNC);
        is_noted = file >= 0 && dprintf(file, "%s\n", url) > 0 && rename(next, path) == 0;
        fd_close(file);
    }
    free(next);
    free(path);
    return is_noted;
}

bool data_dir_read_noted_database(const char *path, char *url, size_t size)
{
    char *name = join_path(path, note_of_database);
    int file = files_open_regular(name, O_RDONLY);
    free(name);
    ssize_t got = file >= 0 ? read(file, url, size) : 0;
    fd_close(file);
    if (got <= 1 || url[got - 1] != '\n') {
        url[0] = '\0';
        return false;
    }
    url[got - 1] = '\0';
    return true;
}

static enum data_dir_result read_supervisor_pid(int file, pid_t *pid)
{
    struct flock lock = make_whole_file_lock(F_RDLCK);
    if (fcntl(file, F_OFD_GETLK, &lock) != 0) {
        return DATA_DIR_FAILED;
    }
    if (lock.l_type == F_UNLCK) {
        return DATA_DIR_CLOSED;
    }
    char text[LOCK_TEXT_MAX];
    ssize_t len = pread(file, text, sizeof text - 1, 0);
    text[len > 0 ? len : 0] = '\0';
    long number = strtol(text, NULL, 10);
    if (number < 1 || number > INT_MAX) {
        errno = EAGAIN; /* the file is locked but still empty: a supervisor is just starting */
        return DATA_DIR_FAILED;
    }
    *pid = (pid_t)number;
    return DATA_DIR_OK;
}

enum data_dir_result data_dir_find_supervisor(const char *path, pid_t *pid)
{
    char *name = join_path(path, "lock");
    int file = files_open_regular(name, O_RDONLY);
    free(name);
    if (file < 0) {
        return errno == ENOENT ? DATA_DIR_CLOSED : DATA_DIR_FAILED;
    }
    enum data_dir_result result = read_supervisor_pid(file, pid);
    fd_close(file);
    return result;
}

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

#define FILE_MAX 4096 /* such a file has some 400 bytes */

static char *make_public_text(const char *private_text)
{
    ssh_key key = NULL;
    char *base64 = NULL;
    char *text = NULL;
    if (ssh_pki_import_privkey_base64(private_text, NULL, NULL, NULL, &key) == SSH_OK &&
        ssh_key_type(key) == SSH_KEYTYPE_ED25519 &&
        ssh_pki_export_pubkey_base64(key, &base64) == SSH_OK &&
        asprintf(&text, "ssh-ed25519 %s", base64) < 0) {
        text = NULL;
    }
    ssh_string_free_char(base64);
    ssh_key_free(key);
    return text;
}

bool node_key_load(struct node_key *key, const char *path)
{
    *key = (struct node_key){.private_text = NULL};
    if (!host_key_make_if_missing(path)) {
        return false;
    }
    size_t len;
    key->private_text = files_read(path, FILE_MAX, &len);
    key->public_text = key->private_text == NULL ? NULL : make_public_text(key->private_text);
    if (key->public_text == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "%s is no ed25519 key", path);
        node_key_clear(key);
        return false;
    }
    return true;
}

void node_key_clear(struct node_key *key)
{
    if (key->private_text != NULL) {
        explicit_bzero(key->private_text, strlen(key->private_text));
    }
    free(key->private_text);
    free(key->public_text);
    *key = (struct node_key){.private_text = NULL};
}
