#ifndef TESTS_FAULTS_SIM_OWNER_H
#define TESTS_FAULTS_SIM_OWNER_H

#include <stddef.h>
#include <stdint.h>

/* Whoever owns the data, at a shell, and the process the core runs in, which keeps the house. */
struct sim;

/* When the owner gives an order next, in unix ms. */
int64_t sim_owner_next_ms(const struct sim *sim);
void sim_owner_act(struct sim *sim);

/* The core tells one of them something. */
void sim_owner_take(struct sim *sim, int64_t conn, const char *json, size_t len);

/* Neither the owner's program nor the keeper outlives a core. */
void sim_owner_core_gone(struct sim *sim);

#endif
