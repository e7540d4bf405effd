#pragma once

#include "lobby/house/house.h"

/* Checks what the house passes to house_config.measure in every test: fails the test if a value is
 * not one of the metric's label. The core would not count it. */
void metric_check(void *context, enum house_metric metric, const char *a, const char *b,
                  uint64_t amount);
