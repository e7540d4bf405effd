#pragma once

#include "lobby/house/house_state.h"

/*
 * Counts what happens in the house for the metrics of metrics.def. The house keeps no numbers
 * itself: it passes each to house_config.measure. A pass of the core's loop that is undone
 * (undo.h) may be counted twice.
 */

/* Adds `count` to a counter or a gauge. `a` and `b` are values of its labels, NULL for the label
 * `none`. A gauge may only be added to by the hook `measure` of a part (parts.h). */
void metrics_count(const struct house *house, enum house_metric metric, const char *a,
                   const char *b, size_t count);

/* Adds a duration to a histogram without labels. A negative duration counts as 0. */
void metrics_observe_ms(const struct house *house, enum house_metric metric, int64_t duration_ms);
