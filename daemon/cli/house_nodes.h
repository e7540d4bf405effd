#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct metrics_page;

/*
 * What an open house whose data are in PostgreSQL knows of its nodes, as its page of metrics shows
 * it: neither the house nor the database need answer.
 */
struct house_nodes {
    uint64_t alive;     /* nodes that are alive, this one included; 0: the data are in a file, or
                           the house has not reached the database yet */
    uint64_t holder;    /* the node that holds the house; 0: none, or the only node */
    uint64_t connected; /* other nodes that are connected to this one, if it holds the house */
    uint64_t commit_s;  /* how long the last durable commit took */
    bool is_holder;     /* this node holds the house */
    bool is_one_of_several; /* the setting `[cluster] node` gives this node a number */
};

struct house_nodes house_nodes_get(struct metrics_page *page);

/* Reads them for the house that is open with this data folder, whose supervisor has this process
 * id. Returns false with errno if the house has no page of metrics. */
bool house_nodes_read(const char *data_dir, pid_t house_pid, struct house_nodes *nodes) MUST_CHECK;
