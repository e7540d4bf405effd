#include "lobby/house/parts.h"

#define US_PER_MS 1000

static void pass_on(const struct house *house, enum house_metric metric, const char *a,
                    const char *b, uint64_t amount)
{
    if (house->config.measure != NULL) {
        house->config.measure(house->config.measure_context, metric, a, b, amount);
    }
}

void metrics_count(const struct house *house, enum house_metric metric, const char *a,
                   const char *b, size_t count)
{
    pass_on(house, metric, a, b, count);
}

void metrics_observe_ms(const struct house *house, enum house_metric metric, int64_t duration_ms)
{
    pass_on(house, metric, NULL, NULL, duration_ms > 0 ? (uint64_t)duration_ms * US_PER_MS : 0);
}
