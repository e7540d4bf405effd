#include "daemon/processes/core/core_bridge.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Makes a house of which several nodes can be started without a database that they share: each core
 * reads the nodes of the house, at its start, from the file that TRICKHOUSE_NODES names. Its lines
 * are "NODE ADDRESS ssh-ed25519 KEY"; the node of the first line holds the house. This function
 * replaces core_bridge_tell_nodes at link time.
 */
#define NODES_MAX 8

struct line {
    unsigned node;
    char address[64];
    char key[128];
};

/* NOLINTBEGIN(readability-identifier-naming): the linker's option --wrap requires these names */

void __real_core_bridge_tell_nodes(struct core_bridge *bridge,
                                   const struct core_bridge_nodes *nodes);
void __wrap_core_bridge_tell_nodes(struct core_bridge *bridge,
                                   const struct core_bridge_nodes *nodes);

void __wrap_core_bridge_tell_nodes(struct core_bridge *bridge,
                                   const struct core_bridge_nodes *nodes)
{
    struct line lines[NODES_MAX];
    struct core_bridge_node list[NODES_MAX];
    size_t count = 0;
    const char *path = getenv("TRICKHOUSE_NODES");
    FILE *file = path == NULL ? NULL : fopen(path, "re");
    while (file != NULL && count < NODES_MAX &&
           fscanf(file, "%u %63s %127[^\n]", &lines[count].node, lines[count].address,
                  lines[count].key) == 3) {
        list[count] =
            (struct core_bridge_node){lines[count].node, lines[count].address, lines[count].key};
        count++;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    __real_core_bridge_tell_nodes(
        bridge, &(struct core_bridge_nodes){.self = nodes->self,
                                            .holder = count > 0 ? lines[0].node : nodes->holder,
                                            .count = count,
                                            .list = list});
}

/* NOLINTEND(readability-identifier-naming) */
