#pragma once

#include <stddef.h>
#include <stdint.h>

/* The owner of the data, who gives orders at a shell, and the keeper: the process in which the core
 * runs. */
struct sim;

/* When the owner gives the next order, in unix ms. */
int64_t sim_owner_next_ms(const struct sim *sim);
void sim_owner_act(struct sim *sim);

/* The core sends a message to the owner or the keeper. */
void sim_owner_take(struct sim *sim, int64_t conn, const char *json, size_t len);

/* The core has died; the owner's program and the keeper's connection end with it. */
void sim_owner_core_gone(struct sim *sim);
