#pragma once

#include <stddef.h>
#include <stdint.h>

/* The simulated owner of the house's data, who gives moderation commands at a shell; and the
 * simulated keeper, the process in which the core runs. */
struct sim;

/* Returns when the owner gives the next moderation command, in unix ms. */
int64_t sim_owner_next_order_ms(const struct sim *sim);
void sim_owner_give_order(struct sim *sim);

/* Handles a message from the core to the owner or the keeper. */
void sim_owner_receive(struct sim *sim, int64_t conn, const char *json, size_t len);

/* Handles the death of the core, which also ends the connections of the owner and the keeper. */
void sim_owner_handle_core_death(struct sim *sim);
