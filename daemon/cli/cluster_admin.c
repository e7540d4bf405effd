#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "storage/cluster/cluster.h"
#include "storage/sql/sql.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Waits for a database with a slow standby: ten seconds. */
#define PATIENT_LEASE_MS (4 * CLUSTER_LEASE_MS)

/* Prints why a call failed, and frees the cluster. Returns the exit status. A URL is not printed:
 * it may contain a password. */
static int fail(struct cluster *cluster)
{
    (void)subcommand_fail(&cluster_subcommand, _("the database"), cluster_failure(cluster));
    cluster_free(cluster);
    return 1;
}

/* Connects to the database of a data folder or of a URL. Returns NULL after printing why not. */
static struct cluster *connect_to(const char *place)
{
    char url[CONFIG_TEXT_SIZE] = "";
    if (!database_url_is(place) && !data_in_file_find_url(place, url)) {
        (void)subcommand_fail(&cluster_subcommand, place,
                              _("no house with its data in PostgreSQL was opened with this folder: "
                                "name its database, postgresql://..."));
        return NULL;
    }
    const struct cluster_options options = {.url = url[0] != '\0' ? url : place,
                                            .owner = "",
                                            .address = "",
                                            .key = "",
                                            .version = TRICKHOUSE_VERSION,
                                            .lease_ms = PATIENT_LEASE_MS};
    struct cluster *cluster = must_not_be_null(cluster_new(&options));
    if (cluster_connect(cluster) != STORAGE_OK) {
        (void)fail(cluster);
        return NULL;
    }
    return cluster;
}

static void print_node(const struct cluster_list *list, const struct cluster_node *node)
{
    const char *state = node->node == list->holder ? _("holds the house")
                        : !node->is_alive          ? _("gone")
                        : node->has_failed_to_open ? _("cannot open the data")
                                                   : _("waits");
    printf("%-5d %-20s %-10s %s\n", node->node, state, node->version, node->address);
}

static void print_nodes(const struct cluster_list *list)
{
    printf("%-5s %-20s %-10s %s\n", _("node"), _("state"), _("version"), _("address"));
    for (size_t i = 0; i < list->count; i++) {
        print_node(list, &list->nodes[i]);
    }
}

/* Prints {"holder": N or null, "nodes": [{"node": N, "is_alive": B, "cannot_open": B, "version": T,
 * "address": T}]}. */
static void print_nodes_json(const struct cluster_list *list)
{
    json_t *nodes = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct cluster_node *node = &list->nodes[i];
        (void)json_array_append_new(
            nodes, json_pack("{s:i, s:b, s:b, s:s, s:s}", "node", node->node, "is_alive",
                             node->is_alive, "cannot_open", node->has_failed_to_open, "version",
                             node->version, "address", node->address));
    }
    char *text = must_format_json(json_pack(
        "{s:o, s:o}", "holder",
        list->holder == CLUSTER_NOBODY ? json_null() : json_integer(list->holder), "nodes", nodes));
    puts(text);
    free(text);
}

int cluster_admin_show_nodes(char **words)
{
    bool is_json = words[0] != NULL && strcmp(words[0], "--json") == 0;
    words += is_json;
    if (words[0] == NULL || words[1] != NULL) {
        return subcommand_report_wrong_usage(&cluster_subcommand, _("status needs a DIR or a URL"));
    }
    struct cluster *cluster = connect_to(words[0]);
    if (cluster == NULL) {
        return 1;
    }
    if (cluster_nodes_read(cluster) != STORAGE_OK) {
        return fail(cluster);
    }
    (is_json ? print_nodes_json : print_nodes)(cluster_nodes(cluster));
    cluster_free(cluster);
    return 0;
}

/* Prints which node holds the house instead of the one of this folder, and frees the cluster.
 * Returns the exit status. */
static int refuse_to_hand_over(struct cluster *cluster, const char *data_dir, bool is_open)
{
    char why[128];
    if (cluster_nodes_read(cluster) != STORAGE_OK) {
        return fail(cluster);
    }
    const int holder = cluster_nodes(cluster)->holder;
    if (holder == CLUSTER_NOBODY) {
        (void)snprintf(why, sizeof why, _("no node holds the house"));
    } else if (is_open) {
        (void)snprintf(why, sizeof why,
                       _("node %d holds the house, so there is nothing to hand over at this node"),
                       holder);
    } else {
        (void)snprintf(why, sizeof why,
                       _("node %d holds the house, and the node of this folder is closed"), holder);
    }
    cluster_free(cluster);
    return subcommand_fail(&cluster_subcommand, data_dir, why);
}

/* Prints how a handover ended, and frees the cluster. Returns the exit status. */
static int end_handover(struct cluster *cluster, enum storage_result result)
{
    if (result != STORAGE_OK) {
        return fail(cluster);
    }
    puts(_("The house is handed over: the next node takes it in a moment."));
    cluster_free(cluster);
    return 0;
}

/* Hands the house over if the node of this data folder holds it, and frees the cluster. Returns the
 * exit status. */
static int hand_over_at_node(struct cluster *cluster, const char *data_dir)
{
    struct house_nodes nodes = {.is_holder = false};
    const pid_t house_pid = open_house_find(&cluster_subcommand, data_dir);
    if (house_pid < 0) {
        cluster_free(cluster);
        return 1;
    }
    if (house_pid > 0 && !house_nodes_read(data_dir, house_pid, &nodes)) {
        (void)subcommand_fail(&cluster_subcommand, data_dir, strerror(errno));
        cluster_free(cluster);
        return 1;
    }
    const enum storage_result result =
        nodes.is_holder ? cluster_nodes_hand_over(cluster, (int)nodes.holder) : STORAGE_NOT_FOUND;
    return result == STORAGE_NOT_FOUND ? refuse_to_hand_over(cluster, data_dir, house_pid > 0)
                                       : end_handover(cluster, result);
}

int cluster_admin_hand_over(char **words)
{
    if (words[0] == NULL || words[1] != NULL) {
        return subcommand_report_wrong_usage(&cluster_subcommand,
                                             _("handover needs a DIR or a URL"));
    }
    struct cluster *cluster = connect_to(words[0]);
    if (cluster == NULL) {
        return 1;
    }
    return database_url_is(words[0])
               ? end_handover(cluster, cluster_nodes_hand_over(cluster, CLUSTER_NOBODY))
               : hand_over_at_node(cluster, words[0]);
}

int cluster_admin_forget_node(char **words)
{
    char *end = NULL;
    long node = words[0] == NULL ? -1 : strtol(words[0], &end, 10);
    if (words[0] == NULL || *end != '\0' || node < 0 || node > CLUSTER_NODE_MAX ||
        words[1] == NULL || words[2] != NULL) {
        return subcommand_report_wrong_usage(
            &cluster_subcommand, _("forget needs the number of a node, and a DIR or a URL"));
    }
    struct cluster *cluster = connect_to(words[1]);
    if (cluster == NULL) {
        return 1;
    }
    if (cluster_nodes_forget(cluster, (int)node) != STORAGE_OK) {
        return fail(cluster);
    }
    printf(_("Node %ld is forgotten.\n"), node);
    cluster_free(cluster);
    return 0;
}

int cluster_admin_accept_older_database(char **words)
{
    if (words[0] == NULL || words[1] != NULL) {
        return subcommand_report_wrong_usage(&cluster_subcommand, _("accept needs a DIR or a URL"));
    }
    struct cluster *cluster = connect_to(words[0]);
    if (cluster == NULL) {
        return 1;
    }
    if (cluster_nodes_accept(cluster) != STORAGE_OK) {
        return fail(cluster);
    }
    puts(_("The nodes take the house from this database again in a moment."));
    cluster_free(cluster);
    return 0;
}
