#pragma once

#include <stdbool.h>

struct core;
struct core_setup;
struct core_waiting;

/*
 * Answers operators (the socket `control` in the data folder) while another node holds the house,
 * or none does, or the core cannot use its data: the core greets them, says which node holds the
 * house or why it waits, and refuses all commands except `reload`.
 */

/* Begins to accept operators, if the setup has a socket for them. Aborts if memory runs out. */
struct core_waiting *core_waiting_new(struct core *core, const struct core_setup *setup);

/* Stops it. If the house is open now, gives it the operators who are connected: they send it their
 * unanswered requests again. Otherwise disconnects them. The socket stays open. Accepts NULL. */
void core_waiting_end(struct core_waiting *waiting, bool is_open);

/* What it says before the first call of core_waiting_set_failure. */
#define CORE_WAITING_NOT_REACHED "the house has not reached its data yet"

/* Says why the core cannot use its data, borrowed for the call; "": it can. Tells the supervisor,
 * and if no other node serves the people of this one also the gate, which then sends away whoever
 * comes. Call it with every failure, since the gate may be a new one. Returns true if the reason is
 * not that of the last call. */
bool core_waiting_set_failure(struct core_waiting *waiting, const char *why);

/* Sets the node that holds the house; CLUSTER_NOBODY: none. Until the first call, it is not known.
 */
void core_waiting_set_holder(struct core_waiting *waiting, int holder);
