#include "games/oh_hell.h"

uint8_t oh_hell_careful(const struct game_view *view, const struct game_config *config,
                        struct quick_random *random)
{
    return policy_random(view, config, random);
}
