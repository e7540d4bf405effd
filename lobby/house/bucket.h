#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A rate limit (token bucket). `burst` tokens can be taken at once; then the bucket refills with
 * `per_second` tokens a second. A zeroed bucket is full. */
struct bucket {
    double used; /* tokens that are missing in the bucket now */
    int64_t at_ms;
};

struct bucket_rule {
    double burst;
    double per_second;
};

/* Takes `cost` tokens. Returns false and takes nothing when the bucket has fewer. */
bool bucket_take_tokens(struct bucket *bucket, const struct bucket_rule *rule, double cost,
                        int64_t now_ms);
