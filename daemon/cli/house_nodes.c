#include "daemon/cli/house_nodes.h"

#include "daemon/base/must.h"
#include "daemon/metrics/metrics.h"
#include "daemon/metrics/page.h"

#include <errno.h>
#include <stdlib.h>

struct house_nodes house_nodes_get(struct metrics_page *page)
{
    const struct metrics metrics = {.page = page};
    return (struct house_nodes){
        .alive = metrics_get(&metrics, METRIC_cluster_nodes, NULL, NULL),
        .holder = metrics_get(&metrics, METRIC_cluster_holder, NULL, NULL),
        .connected = metrics_get(&metrics, METRIC_cluster_connected, NULL, NULL),
        .is_holder = metrics_get(&metrics, METRIC_cluster_holds, NULL, NULL) != 0,
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
