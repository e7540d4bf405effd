#include "lobby/house/house_state.h"

bool bucket_take_tokens(struct bucket *bucket, const struct bucket_rule *rule, double cost,
                        int64_t now_ms)
{
    if (now_ms > bucket->at_ms) {
        double grown = (double)(now_ms - bucket->at_ms) * rule->per_second / 1000.0;
        bucket->used = bucket->used > grown ? bucket->used - grown : 0;
    }
    bucket->at_ms = now_ms;
    if (bucket->used + cost > rule->burst) {
        return false;
    }
    bucket->used += cost;
    return true;
}
