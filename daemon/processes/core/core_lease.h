#pragma once

#include "daemon/metrics/metrics.h"
#include "storage/storage.h"

struct core;
struct core_lease;
struct core_setup;

/*
 * The core of a house whose data are in a PostgreSQL database ([storage] url), which several nodes
 * may share: it opens the house only while its node holds the lease of it (storage/cluster/).
 *
 *     connect ──> register ──> watch ──> holds ──> [the bridge releases its sockets] ──> opens
 *        ^            │          │                                                         │
 *        └── pause <──┴──────────┘                          a barrier fails: the core ends │
 *                                                           and its successor begins here <┘
 *
 * A holder that is asked to give the house up (`trickhouse cluster handover`), or that too few
 * nodes reach, ends in good order.
 *
 * The core talks to the database itself, instead of through another process: it needs the answer of
 * each statement before it can go on, and another process would add its own waiting time to each.
 * For this it may make outgoing connections (REACH_DATABASE), which the cores of other houses may
 * not.
 */

/* Makes the membership of this node; NULL if the house's data are in a file. The setup is borrowed.
 * Aborts if memory runs out. */
struct core_lease *core_lease_new(struct core *core, const struct core_setup *setup);

/*
 * Runs the core's loop until this node holds the house and has opened its data, fenced by the lease
 * (cluster_house.h). Reports that the core is ready (core_life.h) once it has reached the database.
 * If the database cannot be reached, logs that once and tries again, for as long as it takes. If
 * the data cannot be opened, as by a program that is too old for them, a node of several logs that,
 * leaves the house to the others, and takes it again after a pause at the earliest
 * (cluster_give_up_and_pause). Meanwhile operators get an answer (core_waiting.h).
 *
 * Returns false if a signal ends this core (core->is_stopping), or, with a line on the log, if
 * waiting is pointless.
 */
bool core_lease_open_data(struct core_lease *lease, struct storage **storage) MUST_CHECK;

/* The house is open: from now on keeps the bridge and the gauges up to date, and ends the core if
 * this node is asked to give the house up, or too few nodes reach it (core_bridge_is_cut_off). */
void core_lease_begin_serving(struct core_lease *lease);

/* Sets the gauges that say who holds the house. Takes NULL. */
void core_lease_measure(const struct core_lease *lease, const struct metrics *gauges);

/* True if this core ends because it gives the house to another node. Takes NULL. */
bool core_lease_is_leaving(const struct core_lease *lease);

/* Call it after storage_close. Gives the house up, unless the next core of this node takes it over;
 * if the database does not answer, the lease runs out by itself. If the core gives the house to
 * another node, this node may take it again only after a lease's time, if no other node has.
 * Takes NULL. */
void core_lease_end(struct core_lease *lease, bool is_handing_over);
