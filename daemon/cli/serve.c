#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/processes.h"
#include "daemon/processes/workers/workers.h"
#include "daemon/session/session.h"
#include "storage/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A reload makes no new key: nobody would know the house again. */
static bool can_use_keys(const struct data_dir *dir, const struct config *config)
{
    struct node_key node_key = {.private_text = NULL};
    struct sshd_host *host = sshd_host_new(dir->host_key, config);
    bool is_good = host != NULL;
    sshd_host_free(host);
    is_good = (config->cluster_node == 0 || node_key_load(&node_key, dir->node_key)) && is_good;
    node_key_clear(&node_key);
    return is_good;
}

/* The log may be missing, because another program has renamed it: then it is made anew. */
static bool can_write_log(const struct data_dir *dir)
{
    int file = files_open_regular(dir->log, O_WRONLY | O_APPEND);
    if (file >= 0) {
        close(file);
        return true;
    }
    return (errno == ENOENT && access(dir->path, W_OK) == 0) || log_failure("%s", dir->log);
}

static bool can_use_certificates(const struct config *config)
{
    size_t len;
    char *text = config->webhook_enabled && config->webhook_ca_file[0] != '\0'
                     ? hook_read_authorities(config->webhook_ca_file, &len)
                     : NULL;
    bool is_good = text != NULL || !config->webhook_enabled || config->webhook_ca_file[0] == '\0';
    free(text);
    return is_good;
}

static bool can_reach_postgres(const struct data_dir *dir, const struct config *config)
{
    char *path = core_timeline_make_path(dir->database);
    const struct cluster_seen seen = core_timeline_read(path);
    const struct cluster_options options = {
        .url = config->storage_url,
        .node = (int)config->cluster_node,
        .owner = "",
        .address = "",
        .key = "",
        .version = TRICKHOUSE_VERSION,
        .seen = seen,
        .lease_ms = config->cluster_lease_s * 1000,
    };
    struct cluster *cluster = cluster_new(&options);
    bool is_good = cluster_connect(cluster) == STORAGE_OK;
    if (!is_good) {
        log_event(LOG_LEVEL_ERROR, 0, "%s", cluster->why);
    }
    cluster_free(cluster);
    free(path);
    return is_good;
}

static bool can_use_data(const struct data_dir *dir, const struct config *config)
{
    char why[STORAGE_WHY_SIZE];
    if (config->storage_url[0] != '\0') {
        return can_reach_postgres(dir, config);
    }
    if (storage_try(dir->database, why) == STORAGE_OK) {
        return true;
    }
    log_event(LOG_LEVEL_ERROR, 0, "%s", why);
    return false;
}

/*
 * Tries what an open house needs at a reload: reads its keys and the file of certificates, opens
 * its log for writing, and tries to reach its data. If no house is open with the data folder, tries
 * nothing: a house that opens makes what is missing, and says itself what it cannot use. Returns
 * false with a line on the log for each thing that cannot be used.
 */
static bool serve_check_open_house(const struct supervisor_setup *setup)
{
    struct data_dir dir;
    pid_t supervisor;
    if (data_dir_find_supervisor(setup->data_dir, &supervisor) != DATA_DIR_OK) {
        return true;
    }
    if (data_dir_reopen_after_exec(&dir, setup->data_dir, -1) != DATA_DIR_OK) {
        return log_failure("%s", setup->data_dir);
    }
    bool is_good = can_use_keys(&dir, setup->config);
    is_good = (!setup->is_logged_to_file || can_write_log(&dir)) && is_good;
    is_good = can_use_certificates(setup->config) && is_good;
    is_good = can_use_data(&dir, setup->config) && is_good;
    data_dir_close(&dir);
    return is_good;
}

/* Finds the user that the house runs as: the named user; without a name, the owner of the folder,
 * unless the owner is root. */
static bool find_user(const char *user_name, const char *data_dir, struct rights *rights)
{
    struct stat folder;
    if (user_name != NULL && user_name[0] != '\0') {
        return rights_find_user(user_name, rights) ||
               report_failure(user_name,
                              errno != 0 ? strerror(errno)
                                         : _("the house cannot run as this user: there is no such "
                                             "account, or it is root's"));
    }
    if (stat(data_dir, &folder) == 0 && folder.st_uid != 0) {
        /* root that makes a folder for a user often leaves it to root's group */
        const struct passwd *owner = folder.st_gid == 0 ? getpwuid(folder.st_uid) : NULL;
        *rights = (struct rights){folder.st_uid, owner == NULL ? folder.st_gid : owner->pw_gid};
        return rights->group != 0 ||
               report_failure(data_dir,
                              _("the house does not run in root's group, and the owner of "
                                "this folder has no other: give the folder to another "
                                "group with chgrp"));
    }
    return rights_find_user(HOUSE_USER, rights) || rights_find_user(HOUSE_USER_LAST, rights) ||
           report_failure(HOUSE_USER, _("the house cannot run as this user, who does not exist: "
                                        "choose another with --user"));
}

/* Checks whether the user can reach the folder. A child process changes to that user and tries to
 * reach it. */
static bool can_user_reach(const struct rights *rights, const char *data_dir)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        _exit(rights_change_user(rights) && access(data_dir, R_OK | W_OK | X_OK) == 0 ? 0 : 1);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool report_unreachable_folder(const struct rights *rights, const char *data_dir)
{
    const struct passwd *account = getpwuid(rights->user);
    fprintf(stderr,
            _("trickhouse serve: %s: the house does not run as root, and the user %s cannot get "
              "there: name another folder, say --data /var/lib/trickhouse\n"),
            data_dir, account == NULL ? "?" : account->pw_name);
    return false;
}

/*
 * Does nothing unless the caller is root. Makes the folder if it is missing, gives it to the user,
 * and becomes that user, without root's rights; with `needs_low_port` the process keeps the right
 * to listen on ports below 1024. `user_name` may be NULL or "". Returns false, after printing an
 * error, if there is no such user or the user cannot reach the folder.
 */
static bool house_user_switch_to(const char *user_name, const char *data_dir, bool needs_low_port)
{
    struct rights rights;
    if (geteuid() != 0 || IS_SANITIZED) {
        return true;
    }
    if (!find_user(user_name, data_dir, &rights)) {
        return false;
    }
    if (mkdir(data_dir, 0700) != 0 && errno != EEXIST) {
        return report_failure(data_dir, strerror(errno));
    }
    if (!data_dir_is_empty_or_house(data_dir)) {
        return report_failure(
            data_dir, _("this folder contains other files and no house: give a new folder"));
    }
    if (!data_dir_give_to_user(data_dir, rights.user, rights.group)) {
        return report_failure(data_dir, strerror(errno));
    }
    if (!can_user_reach(&rights, data_dir)) {
        return report_unreachable_folder(&rights, data_dir);
    }
    /* programs that the house starts cannot gain privileges either */
    bool has_become = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    has_become = has_become && (needs_low_port ? rights_change_user_keep_low_ports(&rights)
                                               : rights_change_user(&rights));
    return has_become || report_failure(_("cannot give up root's rights"), strerror(errno));
}

#define FIRST_FD 3 /* systemd passes descriptors from this number on */

static bool report_error(const char *why)
{
    return report_failure(_("a socket from systemd"), why);
}

/* Reads a whole number from the environment; 0 if there is none. */
static long read_number(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

static int read_socket_option(int fd, int option)
{
    int value = -1;
    socklen_t len = sizeof value;
    return getsockopt(fd, SOL_SOCKET, option, &value, &len) == 0 ? value : -1;
}

static bool is_listening_tcp_socket(int fd)
{
    int family = read_socket_option(fd, SO_DOMAIN);
    return (family == AF_INET || family == AF_INET6) &&
           read_socket_option(fd, SO_TYPE) == SOCK_STREAM &&
           read_socket_option(fd, SO_ACCEPTCONN) == 1;
}

/* Makes the descriptor non-blocking, and lets no program that this process starts inherit it. */
static bool set_flags(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool take_socket(struct listeners *listeners, int fd, const char *name)
{
    bool is_telnet = name != NULL && strcmp(name, "telnet") == 0;
    if (!is_telnet && (name == NULL || strcmp(name, "ssh") != 0)) {
        return report_error(_("its name (FileDescriptorName) must be ssh or telnet"));
    }
    if (!is_listening_tcp_socket(fd)) {
        return report_error(_("not a listening TCP socket"));
    }
    if (!set_flags(fd)) {
        return report_error(strerror(errno));
    }
    return listeners_add(listeners, (struct listener){.socket = fd, .is_telnet = is_telnet}) ||
           report_error(_("too many of them"));
}

bool passed_sockets_take(struct listeners *listeners)
{
    long count = read_number("LISTEN_PID") == getpid() ? read_number("LISTEN_FDS") : 0;
    const char *variable = getenv("LISTEN_FDNAMES");
    char *names = strdup(variable != NULL ? variable : "");
    char *rest = names;
    bool is_taken = names != NULL;
    for (int i = 0; i < count && is_taken; i++) {
        is_taken = take_socket(listeners, FIRST_FD + i, strsep(&rest, ":"));
    }
    free(names);
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    return is_taken;
}

#define CONFIG_FILE                                                                                \
    "house.conf" /* name of the configuration file in the data folder, used if no file is given */
#define READY_FD_LIMIT 1023
#define RESUME_LIMIT (1 << 20)
#define CHECK_S 6
#define LOOK_MS 500   /* how often a house that opens is asked whether it waits */
#define OWN_OPTIONS 7 /* number of options in read_options that override no setting */

/* The options that override a setting of the configuration file. */
static const struct {
    const char *option, *section, *key;
} overrides[] = {
    {"ssh-port", "listen", "ssh_port"},
    {"telnet-port", "listen", "telnet_port"},
    {"bind", "listen", "address"},
    {"name", "house", "name"},
    {"user", "house", "user"},
    {"sessions", "limits", "sessions"},
    {"bot-delay", "play", "bot_delay_ms"},
    {"grace", "play", "absent_grace_s"},
};

struct serve {
    struct supervisor_setup setup;
    struct config config;
    const char *config_file; /* path of the configuration file; NULL: CONFIG_FILE in the data
                                folder, if it exists */
    bool has_own_file;       /* CONFIG_FILE was read, so the next reload must find it too */
    bool is_detached;
    bool is_check; /* only check the options and settings, and open nothing */
    /* values of the options that override settings; NULL: not given */
    const char *overrides[ARRAY_LEN(overrides)];
};

/* Reads the command line. Values of settings stay in serve->overrides until the configuration file
 * is read. */
static bool read_options(struct serve *serve, char **argv)
{
    struct supervisor_setup *setup = &serve->setup;
    uint32_t ready_fd = 0;
    uint32_t image = 0;
    struct argument options[OWN_OPTIONS + ARRAY_LEN(overrides) + 1] = {
        {.name = "data", .text = &setup->data_dir, .called = "--data DIR", .is_needed = true},
        {.name = "config", .text = &serve->config_file},
        {.name = "log", .flag = &setup->is_logged_to_file},
        {.name = "detach", .flag = &serve->is_detached},
        {.name = "ready-fd", .number = &ready_fd, .min = 3, .max = READY_FD_LIMIT},
        {.name = "check", .flag = &serve->is_check},
        {.name = "resume", .number = &image, .min = 3, .max = RESUME_LIMIT},
    };
    for (size_t i = 0; i < ARRAY_LEN(overrides); i++) {
        options[OWN_OPTIONS + i] =
            (struct argument){.name = overrides[i].option, .text = &serve->overrides[i]};
    }
    if (!arguments_read(options, argv)) {
        return false;
    }
    if (serve->is_detached && ready_fd != 0) {
        subcommand_report_wrong_usage("--detach and --ready-fd exclude each other");
        return false;
    }
    setup->is_logged_to_file = setup->is_logged_to_file || serve->is_detached;
    setup->ready_fd = ready_fd != 0 ? (int)ready_fd : -1;
    setup->image = image != 0 ? (int)image : -1;
    return true;
}

static bool override_settings(struct serve *serve)
{
    char why[CONFIG_WHY_SIZE];
    for (size_t i = 0; i < ARRAY_LEN(overrides); i++) {
        const char *value = serve->overrides[i];
        if (value != NULL && !config_set(&serve->config, overrides[i].section, overrides[i].key,
                                         value, CONFIG_FROM_COMMAND, why)) {
            subcommand_report_wrong_usage("--%s: %s", overrides[i].option, why);
            return false;
        }
        if (value != NULL && strcmp(overrides[i].option, "telnet-port") == 0) {
            serve->config.listen_telnet = true;
        }
    }
    return true;
}

/* Reads the configuration file; returns false after printing a line for each error. */
static bool read_config(struct serve *serve)
{
    const char *path = serve->config_file;
    char own[PATH_MAX];
    if (path == NULL) {
        int len = snprintf(own, sizeof own, "%s/" CONFIG_FILE, serve->setup.data_dir);
        if (len >= (int)sizeof own || access(own, F_OK) != 0) {
            return true;
        }
        path = own;
        serve->has_own_file = true;
    }
    return config_faults_read_and_print(&serve->config, path) == 0;
}

/* Runs the supervisor without the terminal. The parent process stays to print that the house is
 * open. */
static int run_supervisor_in_background(struct supervisor_setup *setup, int ready_fd)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || setsid() < 0 || dup2(nowhere, STDIN_FILENO) < 0 ||
        dup2(nowhere, STDOUT_FILENO) < 0) {
        fprintf(stderr, "trickhouse serve: %s\n", strerror(errno));
        return 1;
    }
    if (nowhere > STDERR_FILENO) {
        close(nowhere);
    }
    setup->ready_fd = ready_fd;
    return supervisor_run(setup);
}

/* True, with the reason, if the house of this supervisor waits for its data: people can enter once
 * it has them, and learn that until then. */
static bool is_waiting(const char *data_dir, pid_t supervisor, char reason[OPERATOR_SAID_MAX])
{
    pid_t house = 0;
    return data_dir_find_supervisor(data_dir, &house) == DATA_DIR_OK && house == supervisor &&
           operator_check_core_answers(data_dir, reason) == OPERATOR_WAITS &&
           strcmp(reason, CORE_WAITING_NOT_REACHED) != 0;
}

static int open_house_in_background(struct supervisor_setup *setup)
{
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) {
        fprintf(stderr, "trickhouse serve: %s\n", strerror(errno));
        return 1;
    }
    long log_from = house_log_length(setup->data_dir);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "trickhouse serve: %s\n", strerror(errno));
        return 1;
    }
    if (pid == 0) {
        close(ready[0]);
        exit(run_supervisor_in_background(setup, ready[1]));
    }
    close(ready[1]);
    char text[PORTS_TEXT_MAX];
    char reason[OPERATOR_SAID_MAX];
    ssize_t got;
    struct pollfd readable = {.fd = ready[0], .events = POLLIN};
    while (poll(&readable, 1, LOOK_MS) <= 0) {
        if (is_waiting(setup->data_dir, pid, reason)) {
            printf(_("The house (process %ld) waits: %s\n"), (long)pid, reason);
            return 0;
        }
    }
    while ((got = read(ready[0], text, sizeof text - 1)) < 0 && errno == EINTR) {
    }
    if (got > 0) {
        text[got] = '\0';
        struct ports ports = ports_parse(text);
        supervisor_announce_opening(setup, &ports);
        return 0;
    }
    fprintf(stderr, "trickhouse serve: the house did not open; %s/house.log says why\n",
            setup->data_dir);
    house_log_print_error(setup->data_dir, log_from);
    return 1;
}

/* Copies the arguments for reloads. Leaves out --resume, which the supervisor adds when it executes
 * itself. Adds the configuration file that was found: if the file were missing at a reload, all
 * settings would silently return to their defaults. */
static char **copy_arguments(const struct serve *serve, char **argv)
{
    size_t count = 0;
    while (argv[count] != NULL) {
        count++;
    }
    char **copy = must_not_be_null(calloc(count + 3, sizeof *copy));
    count = 0;
    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, "--resume") == 0) {
            argv++; /* also skip the value of --resume; --resume always has one */
        } else {
            copy[count++] = must_copy_text(*argv);
        }
    }
    if (serve->has_own_file) {
        char own[PATH_MAX];
        (void)snprintf(own, sizeof own, "%s/" CONFIG_FILE, serve->setup.data_dir);
        copy[count++] = must_copy_text("--config");
        copy[count++] = must_copy_text(own);
    }
    return copy;
}

static void free_arguments(char **arguments)
{
    for (size_t i = 0; arguments[i] != NULL; i++) {
        free(arguments[i]);
    }
    free(arguments);
}

/* Returns the path of this program's file. After an upgrade, a reload runs the newer program at
 * this path. */
static char *find_own_program_path(void)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    return must_copy_text(path);
}

/* Opens the house with copies of all texts, since processes overwrite the command line with their
 * names. */
static int open_house(struct serve *serve, char **argv)
{
    struct supervisor_setup *setup = &serve->setup;
    char *data_dir = must_copy_text(setup->data_dir);
    char *program = find_own_program_path();
    char **arguments = copy_arguments(serve, argv);
    const char **borrowed;
    memcpy(&borrowed, &arguments, sizeof borrowed);
    setup->data_dir = data_dir;
    setup->program = program;
    setup->args = borrowed;
    if (setup->image >= 0) {
        /* a house that continues after a reload has reported before the reload that it is open */
        setup->ready_fd = -1;
    }
    bool is_to_detach = serve->is_detached && setup->image < 0;
    int status = is_to_detach ? open_house_in_background(setup) : supervisor_run(setup);
    free_arguments(arguments);
    free(program);
    free(data_dir);
    return status;
}

static bool is_low_port(uint32_t port)
{
    return port > 0 && port < IPPORT_RESERVED;
}

/* True if the house itself opens a port below 1024. */
static bool has_low_port(const struct config *config, const struct listeners *passed)
{
    return (is_low_port(config->listen_ssh_port) && !listeners_include(passed, false)) ||
           (config->listen_telnet && is_low_port(config->listen_telnet_port) &&
            !listeners_include(passed, true)) ||
           is_low_port(config->proxy_ssh_port) || is_low_port(config->proxy_telnet_port);
}

enum {
    OTHER_PROCESSES = 64,  /* processes of the house that are not sessions, and some more */
    SYSTEM_PROCESSES = 512 /* processes of the machine that do not belong to the house */
};

static uint64_t read_hard_limit(unsigned resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY ? limit.rlim_max
                                                                               : UINT64_MAX;
}

/* Returns the number in the file's first line; UINT64_MAX if there is none ("max"). */
static uint64_t read_number_from_file(const char *path)
{
    char line[32] = "";
    char *end = line;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return UINT64_MAX;
    }
    bool has_line = fgets(line, sizeof(line), file) != NULL;
    (void)fclose(file);
    uint64_t number = has_line ? strtoull(line, &end, 10) : 0;
    return end != line ? number : UINT64_MAX;
}

/* Returns pids.max of this process's control group (cgroups(7), version 2). The limits of the
 * groups above it are not read. */
static uint64_t read_unit_limit(void)
{
    char line[PATH_MAX] = "";
    char path[PATH_MAX + 64];
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file == NULL) {
        return UINT64_MAX;
    }
    bool has_line = fgets(line, sizeof(line), file) != NULL;
    (void)fclose(file);
    if (!has_line || strncmp(line, "0::", 3) != 0) {
        return UINT64_MAX;
    }
    line[strcspn(line, "\n")] = '\0';
    (void)snprintf(path, sizeof(path), "/sys/fs/cgroup%s/pids.max", line + 3);
    return read_number_from_file(path);
}

struct capacity_limits capacity_read_limits(void)
{
    return (struct capacity_limits){
        .descriptors = read_hard_limit(RLIMIT_NOFILE),
        .user_processes = geteuid() == 0 ? UINT64_MAX : read_hard_limit(RLIMIT_NPROC),
        .unit_processes = read_unit_limit(),
        .process_ids = read_number_from_file("/proc/sys/kernel/pid_max"),
    };
}

void capacity_print_shortages(const struct capacity_limits *limits, uint32_t sessions, FILE *out)
{
    const uint64_t processes = (uint64_t)sessions + OTHER_PROCESSES;
    const struct {
        uint64_t allowed, needed;
        const char *what, *where;
    } rows[] = {
        {limits->descriptors, (uint64_t)sessions * GATE_DESCRIPTORS_EACH + GATE_DESCRIPTORS_SPARE,
         "open files in a process", "LimitNOFILE= of the unit or `ulimit -Hn`"},
        {limits->user_processes, processes, "processes of the house's user",
         "LimitNPROC= of the unit or `ulimit -Hu`"},
        {limits->unit_processes, processes, "processes in the house's control group",
         "TasksMax= of the unit"},
        {limits->process_ids, processes + SYSTEM_PROCESSES, "process ids on the machine",
         "the sysctl kernel.pid_max"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (rows[i].allowed < rows[i].needed) {
            fprintf(out,
                    "trickhouse serve: %" PRIu32 " sessions need %" PRIu64 " %s, but %" PRIu64
                    " are allowed: raise %s, or lower [limits] sessions\n",
                    sessions, rows[i].needed, rows[i].what, rows[i].allowed, rows[i].where);
        }
    }
}

int subcommand_run_serve(char **argv)
{
    struct serve serve = {.config = config_make_default()};
    serve.setup.config = &serve.config;
    if (!read_options(&serve, argv)) {
        return 2;
    }
    if (serve.is_check) {
        (void)alarm(CHECK_S); /* whoever waits for the result must not wait for a file for ever */
    }
    if (!read_config(&serve)) {
        return 1;
    }
    if (!override_settings(&serve)) {
        return 2;
    }
    if (serve.is_check) {
        return serve_check_open_house(&serve.setup) ? 0 : 1;
    }
    /* a house that continues after an exec has already changed its user */
    bool is_new = serve.setup.image < 0;
    struct listeners *passed = &serve.setup.listeners;
    if (is_new && !passed_sockets_take(passed)) {
        return 1;
    }
    if (is_new && !house_user_switch_to(serve.config.house_user, serve.setup.data_dir,
                                        has_low_port(&serve.config, passed))) {
        return 1;
    }
    if (is_new) { /* the house opens all the same, with room for fewer people than configured */
        const struct capacity_limits limits = capacity_read_limits();
        capacity_print_shortages(&limits, serve.config.limits_sessions, stderr);
    }
    return open_house(&serve, argv);
}
