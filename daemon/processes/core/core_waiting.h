#pragma once

struct core;
struct core_setup;
struct core_waiting;

/*
 * Answers operators (the socket `control` in the data folder) while another node holds the house,
 * or none does: the core greets them, says which node holds the house, and refuses all commands
 * except `reload`.
 */

/* Begins to accept operators, if the setup has a socket for them. Aborts if memory runs out. */
struct core_waiting *core_waiting_new(struct core *core, const struct core_setup *setup);

/* Stops it, and disconnects the operators. The socket stays open. */
void core_waiting_free(struct core_waiting *waiting);

/* Sets the node that holds the house; CLUSTER_NOBODY: none. Until the first call, it is not known.
 */
void core_waiting_set_holder(struct core_waiting *waiting, int holder);
