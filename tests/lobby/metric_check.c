#include "tests/lobby/metric_check.h"

#include "games/game.h"
#include "tests/unit.h"

#include <string.h>

#define LABEL(name, ...) static const char *const values_of_##name[] = {__VA_ARGS__, NULL};
#include "lobby/house/metric_labels.def"
static const char *const values_of_none[] = {NULL};
static const char *const values_of_game[] = {"", NULL}; /* stands for the names of the games */

static const char *const *const labels[][2] = {
#define COUNTER(name, a, b, help) [HOUSE_METRIC_##name] = {values_of_##a, values_of_##b},
#define GAUGE(name, a, b, help) [HOUSE_METRIC_##name] = {values_of_##a, values_of_##b},
#define HISTOGRAM(name, a, b, help) [HOUSE_METRIC_##name] = {values_of_##a, values_of_##b},
#include "lobby/house/metrics.def"
};

static bool label_has_value(const char *const *values, const char *value)
{
    if (value == NULL || values == values_of_game) {
        return value == NULL ? values == values_of_none : game_find(value) != NULL;
    }
    for (size_t i = 0; values[i] != NULL; i++) {
        if (strcmp(values[i], value) == 0) {
            return true;
        }
    }
    return false;
}

void metric_check(void *context, enum house_metric metric, const char *a, const char *b,
                  uint64_t amount)
{
    (void)context;
    (void)amount;
    if (!label_has_value(labels[metric][0], a) || !label_has_value(labels[metric][1], b)) {
        fail_msg("metric %d has no series %s, %s", (int)metric, a == NULL ? "none" : a,
                 b == NULL ? "none" : b);
    }
}
