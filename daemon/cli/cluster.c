#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/processes.h"
#include "storage/cluster/cluster.h"
#include "storage/copies.h"
#include "storage/sql/sql.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Waits for a database with a slow standby: ten seconds. */
#define PATIENT_LEASE_MS (4 * CLUSTER_LEASE_MS)

/* Prints why a call failed. Returns the exit status. A URL is not printed: it may contain a
 * password. */
static int fail_with_cluster(const struct cluster *cluster)
{
    return subcommand_fail(_("the database"), cluster->why);
}

/* Connects to the database of a data folder or of a URL. Returns NULL after printing why not. */
static struct cluster *connect_to(const char *place)
{
    static char url[CONFIG_TEXT_SIZE]; /* borrowed by what is returned */
    if (!database_url_is(place) && !data_in_file_find_url(place, url)) {
        (void)subcommand_fail(place,
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
    struct cluster *cluster = cluster_new(&options);
    if (cluster_connect(cluster) != STORAGE_OK) {
        (void)fail_with_cluster(cluster);
        cluster_free(cluster);
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

/* `trickhouse cluster status`, `handover`, `forget` and `accept`: what operators see and do about
 * the nodes of a house. `place` is the data folder of a node, or the URL of the database; `option`
 * is the word before it, or NULL. Each function returns the exit status. */

static int show_nodes(struct cluster *cluster, UNUSED const char *place, const char *option)
{
    if (cluster_nodes_read(cluster) != STORAGE_OK) {
        return fail_with_cluster(cluster);
    }
    (option != NULL ? print_nodes_json : print_nodes)(&cluster->list);
    return 0;
}

/* Prints which node holds the house instead of the one of this folder. Returns the exit status. */
static int refuse_to_hand_over(struct cluster *cluster, const char *data_dir, bool is_open)
{
    char why[128];
    if (cluster_nodes_read(cluster) != STORAGE_OK) {
        return fail_with_cluster(cluster);
    }
    const int holder = cluster->list.holder;
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
    return subcommand_fail(data_dir, why);
}

/* With a data folder, hands the house over only if the node of this folder holds it. */
static int hand_over(struct cluster *cluster, const char *place, UNUSED const char *option)
{
    const bool is_any_node = database_url_is(place);
    struct house_nodes nodes = {.is_holder = false};
    const pid_t house_pid = is_any_node ? 0 : open_house_find(place);
    if (house_pid < 0) {
        return 1;
    }
    if (house_pid > 0 && !house_nodes_read(place, house_pid, &nodes)) {
        return subcommand_fail(place, strerror(errno));
    }
    enum storage_result result = STORAGE_NOT_FOUND;
    if (is_any_node || nodes.is_holder) {
        result = cluster_nodes_hand_over(cluster, is_any_node ? CLUSTER_NOBODY : (int)nodes.holder);
    }
    if (result == STORAGE_NOT_FOUND && !is_any_node) {
        return refuse_to_hand_over(cluster, place, house_pid > 0);
    }
    if (result != STORAGE_OK) {
        return fail_with_cluster(cluster);
    }
    puts(_("The house is handed over: the next node takes it in a moment."));
    return 0;
}

static int forget_node(struct cluster *cluster, UNUSED const char *place, const char *option)
{
    const long node = strtol(option, NULL, 10);
    if (cluster_nodes_forget(cluster, (int)node) != STORAGE_OK) {
        return fail_with_cluster(cluster);
    }
    printf(_("Node %ld is forgotten.\n"), node);
    return 0;
}

static int accept_older_database(struct cluster *cluster, UNUSED const char *place,
                                 UNUSED const char *option)
{
    if (cluster_nodes_accept(cluster) != STORAGE_OK) {
        return fail_with_cluster(cluster);
    }
    puts(_("The nodes take the house from this database again in a moment."));
    return 0;
}

static bool is_json_option(const char *word)
{
    return strcmp(word, "--json") == 0;
}

static bool is_node_number(const char *word)
{
    char *end = NULL;
    const long node = strtol(word, &end, 10);
    return *end == '\0' && node >= 0 && node <= CLUSTER_NODE_MAX;
}

static const struct node_command {
    const char *word, *usage;
    bool (*is_option)(const char *word); /* whether the word is an option of the command, which
                                            stands before the place; NULL: it has none */
    bool needs_option;
    int (*run)(struct cluster *cluster, const char *place, const char *option);
} node_commands[] = {
    {"accept", N_("accept needs a DIR or a URL"), NULL, false, accept_older_database},
    {"forget", N_("forget needs the number of a node, and a DIR or a URL"), is_node_number, true,
     forget_node},
    {"handover", N_("handover needs a DIR or a URL"), NULL, false, hand_over},
    {"status", N_("status needs a DIR or a URL"), is_json_option, false, show_nodes},
};

static int run_node_command(const struct node_command *command, char **words)
{
    const char *option = NULL;
    if (words[0] != NULL && command->is_option != NULL && command->is_option(words[0])) {
        option = *words++;
    }
    if (words[0] == NULL || words[1] != NULL || (command->needs_option && option == NULL)) {
        return subcommand_report_wrong_usage("%s", _(command->usage));
    }
    struct cluster *cluster = connect_to(words[0]);
    int status = cluster == NULL ? 1 : command->run(cluster, words[0], option);
    cluster_free(cluster);
    return status;
}

/* The subcommand `cluster`: what operators do with a house on PostgreSQL. Its first word says
 * what. */

#define DATABASE_NAME "house.db"

struct cluster_copy {
    const char *path;    /* a backup, or the database of a closed house */
    struct data_dir dir; /* locked while the copy runs, if the database is that of a house */
    bool has_dir;
    const char *url;
    char shown_url[DATABASE_URL_SHOWN_SIZE];
    bool shows_progress;
    int64_t tables, rows;
};

static void report_copy(void *context, const struct storage_copy_progress *progress)
{
    struct cluster_copy *copy = context;
    const char *stage = progress->stage == STORAGE_COPY_SENDING ? _("copying") : _("comparing");
    if (progress->stage == STORAGE_COPY_EQUAL) {
        printf(_("%s%s: %" PRId64 " rows, all equal\n"), copy->shows_progress ? "\r\033[K" : "",
               progress->table, progress->rows);
        copy->tables++;
        copy->rows += progress->rows;
    } else if (copy->shows_progress) {
        printf("\r\033[K%s: %s %" PRId64, progress->table, stage, progress->rows);
    }
    (void)fflush(stdout);
}

static void print_end(const struct cluster_copy *copy, int64_t passed_ms,
                      const struct storage_summary *summary)
{
    printf(_("Copied %" PRId64 " tables with %" PRId64 " rows in %.1f s; every row was compared.\n"
             "Accounts: %" PRId64 ", finished games: %" PRId64 ".\n"),
           copy->tables, copy->rows, (double)passed_ms / 1000, summary->accounts, summary->games);
}

static int copy_data(struct cluster_copy *copy)
{
    char why[STORAGE_WHY_SIZE];
    struct storage_summary summary;
    struct storage *from = NULL;
    if (storage_check_file(copy->path, &summary, why) != STORAGE_OK ||
        storage_open_temporary_copy(copy->path, &from, why) != STORAGE_OK) {
        return subcommand_fail(copy->path, why);
    }
    const int64_t begun_ms = clock_unix_ms();
    const enum storage_result result =
        storage_copy_to_postgres(from, copy->url, report_copy, copy, why);
    const int64_t passed_ms = clock_unix_ms() - begun_ms;
    storage_close(from);
    if (result != STORAGE_OK) {
        return subcommand_fail(copy->shown_url, why);
    }
    print_end(copy, passed_ms, &summary);
    return 0;
}

/* Returns the data folder of the house whose data are at the path, written into `folder` unless it
 * is the path itself; NULL if the path is that of a backup. */
static const char *find_data_dir(const char *path, char folder[PATH_MAX])
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return path;
    }
    if (strcmp(slash == NULL ? path : slash + 1, DATABASE_NAME) != 0) {
        return NULL;
    }
    (void)snprintf(folder, PATH_MAX, "%.*s", slash == NULL ? 1 : (int)(slash - path + 1),
                   slash == NULL ? "." : path);
    return folder;
}

/* If the path is that of a house, locks the house, so that nobody can open it until the copy is
 * complete, and sets the path to that of its database. */
static bool lock_house(struct cluster_copy *copy)
{
    char folder[PATH_MAX];
    if (access(copy->path, F_OK) != 0) {
        return subcommand_fail(copy->path, strerror(errno)) == 0;
    }
    const char *data_dir = find_data_dir(copy->path, folder);
    if (data_dir == NULL) {
        return true;
    }
    enum data_dir_result opened = data_dir_open(&copy->dir, data_dir);
    if (opened != DATA_DIR_OK) {
        return subcommand_fail(data_dir,
                               opened == DATA_DIR_LOCKED
                                   ? _("the house is open: close it first (trickhouse stop)")
                                   : strerror(errno)) == 0;
    }
    copy->has_dir = true;
    copy->path = copy->dir.database;
    return true;
}

/* Copies the database to a new file. */
static int copy_back(struct cluster_copy *copy, const char *path)
{
    char why[STORAGE_WHY_SIZE];
    struct storage_summary summary;
    const int64_t begun_ms = clock_unix_ms();
    if (storage_copy_from_postgres(copy->url, path, report_copy, copy, why) != STORAGE_OK) {
        return subcommand_fail(copy->shown_url, why);
    }
    const int64_t passed_ms = clock_unix_ms() - begun_ms;
    if (storage_check_file(path, &summary, why) != STORAGE_OK) {
        return subcommand_fail(path, why);
    }
    print_end(copy, passed_ms, &summary);
    return 0;
}

/* Copies the file of a house to the database. */
static int copy_file(struct cluster_copy *copy, const char *path)
{
    copy->path = path;
    int status = lock_house(copy) ? copy_data(copy) : 1;
    if (copy->has_dir) {
        data_dir_close(&copy->dir);
    }
    return status;
}

static int run_copy(char **words)
{
    struct cluster_copy copy = {.shows_progress = isatty(STDOUT_FILENO) == 1};
    if (words[0] == NULL || words[1] == NULL || words[2] != NULL ||
        database_url_is(words[0]) == database_url_is(words[1])) {
        return subcommand_report_wrong_usage(
            _("copy needs a file and a URL, postgresql://…, or the reverse"));
    }
    const bool is_back = database_url_is(words[0]);
    copy.url = words[is_back ? 0 : 1];
    (void)database_url_show(copy.url, copy.shown_url);
    return is_back ? copy_back(&copy, words[1]) : copy_file(&copy, words[0]);
}

int subcommand_run_cluster(char **argv)
{
    char *no_words[] = {NULL};
    char **words = no_words;
    const struct argument options[] = {{.rest = &words}};
    if (!arguments_read(options, argv)) {
        return 2;
    }
    const char *word = words[0] == NULL ? "" : words[0];
    if (strcmp(word, "copy") == 0) {
        return run_copy(words + 1);
    }
    for (size_t i = 0; i < ARRAY_LEN(node_commands); i++) {
        if (strcmp(word, node_commands[i].word) == 0) {
            return run_node_command(&node_commands[i], words + 1);
        }
    }
    return subcommand_report_wrong_usage(
        _("the first word must be copy, status, handover, forget or accept"));
}
