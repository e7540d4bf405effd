#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/processes.h"
#include "daemon/processes/workers/workers.h"
#include "daemon/session/session.h"
#include "storage/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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
    const struct core_timeline timeline = core_timeline_read(path);
    const struct cluster_options options = {
        .url = config->storage_url,
        .node = (int)config->cluster_node,
        .owner = "",
        .address = "",
        .key = "",
        .version = TRICKHOUSE_VERSION,
        .timeline = timeline.timeline,
        .steps = timeline.steps,
        .lease_ms = config->cluster_lease_s * 1000,
    };
    struct cluster *cluster = cluster_new(&options);
    bool is_good = cluster != NULL && cluster_connect(cluster) == STORAGE_OK;
    if (!is_good) {
        log_event(LOG_LEVEL_ERROR, 0, "%s",
                  cluster != NULL ? cluster_failure(cluster) : "out of memory");
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

bool serve_check_open_house(const struct supervisor_setup *setup)
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
