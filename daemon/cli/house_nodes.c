#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Only a node with a number has a bridge. */
static bool has_bridge(const struct metrics_page *page)
{
    for (size_t i = 0; i < LIFE_PROCESSES; i++) {
        char name[LIFE_NAME_SIZE + 1];
        life_copy_name(&page->lives[i], name);
        if (strcmp(name, "bridge") == 0) {
            return true;
        }
    }
    return false;
}

struct house_nodes house_nodes_get(struct metrics_page *page)
{
    const struct metrics metrics = {.page = page};
    return (struct house_nodes){
        .alive = metrics_get(&metrics, METRIC_cluster_nodes, NULL, NULL),
        .holder = metrics_get(&metrics, METRIC_cluster_holder, NULL, NULL),
        .connected = metrics_get(&metrics, METRIC_cluster_connected, NULL, NULL),
        .commit_s = metrics_get(&metrics, METRIC_cluster_commit_seconds, NULL, NULL),
        .is_holder = metrics_get(&metrics, METRIC_cluster_holds, NULL, NULL) != 0,
        .is_one_of_several = has_bridge(page),
    };
}

bool house_nodes_read(const char *data_dir, pid_t house_pid, struct house_nodes *nodes)
{
    struct metrics_page *page = must_allocate(sizeof *page);
    bool is_read = metrics_page_read(data_dir, house_pid, page);
    int error = errno;
    if (is_read) {
        *nodes = house_nodes_get(page);
    }
    free(page);
    errno = error;
    return is_read;
}
