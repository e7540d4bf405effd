#include "daemon/processes/core/core.h"
#include "games/game.h"

#include <string.h>

/*
 * Makes a house that deals the same cards in every game, for tests that need certain cards. This
 * function replaces core_config_make_lobby_part at link time.
 */

/* In Oh Hell with 4 players and `length` short-up, seat 0 follows to the first trick and cannot
 * prove to win it, and leads to the second round with the two highest trumps. */
static const uint8_t seed[SEED_BYTES] = {0xCF, 0x65};

static void fill_bytes_or_deal(void *context, void *bytes, size_t len)
{
    house_config_default().random(context, bytes, len);
    if (len == sizeof(seed)) {
        memcpy(bytes, seed, sizeof(seed));
    }
}

/* NOLINTBEGIN(readability-identifier-naming): the linker's option --wrap requires these names */

struct house_config __real_core_config_make_lobby_part(const struct config *config);
struct house_config __wrap_core_config_make_lobby_part(const struct config *config);

struct house_config __wrap_core_config_make_lobby_part(const struct config *config)
{
    struct house_config house = __real_core_config_make_lobby_part(config);
    house.random = fill_bytes_or_deal;
    return house;
}

/* NOLINTEND(readability-identifier-naming) */
