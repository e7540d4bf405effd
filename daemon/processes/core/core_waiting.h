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

/* Gives the operators who are connected to the house, which this node has just opened: they send it
 * their unanswered requests again. */
void core_waiting_hand_over_operators(struct core_waiting *waiting);

/* Stops it, and disconnects the operators who are left. The socket stays open. Accepts NULL. */
void core_waiting_free(struct core_waiting *waiting);

/* Sets the node that holds the house; CLUSTER_NOBODY: none. Until the first call, it is not known.
 */
void core_waiting_set_holder(struct core_waiting *waiting, int holder);
