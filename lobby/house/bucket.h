#ifndef LOBBY_HOUSE_BUCKET_H
#define LOBBY_HOUSE_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

/* How often something may happen: `burst` at once, then `per_second`. A zeroed bucket is full. */
struct bucket {
    double used; /* tokens taken and not yet grown back */
    int64_t at_ms;
};

struct bucket_rule {
    double burst;
    double per_second;
};

/* Takes `cost` tokens; false, and nothing is taken, when there are not as many. */
bool bucket_take(struct bucket *bucket, const struct bucket_rule *rule, double cost,
                 int64_t now_ms);

#endif
