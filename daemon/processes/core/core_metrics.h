#pragma once

#include "lobby/house/house.h"

struct core;
struct core_setup;

/*
 * The core's part of the metrics: it counts for the house, measures the gauges every
 * [metrics] every_s seconds, and then writes all metrics to [metrics] file. It gives a sign of life
 * every LIFE_EVERY_MS (life.h).
 */
struct core_metrics;

/* Makes the house count (house_config.measure); call it before house_new. */
void core_metrics_configure_house(struct core *core, struct house_config *config);

/* Measures for the first time, and starts the timers. Aborts if memory runs out. */
struct core_metrics *core_metrics_new(struct core *core, const struct core_setup *setup);

/* Stops the timers. Takes NULL. */
void core_metrics_free(struct core_metrics *metrics);

/* A pass of the core's loop begins with the first event that has arrived; the moves of the pass
 * count as received then. It is committed, perhaps more than once, and ends when everybody has been
 * told of what is durable; its moves may become durable, and be told, in a later pass. */
void core_metrics_begin_pass(struct core *core);
void core_metrics_begin_commit(struct core *core);
void core_metrics_end_commit(struct core *core);
void core_metrics_end_pass(struct core *core);
