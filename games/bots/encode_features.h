#pragma once

#include "games/bots/encode.h"

/* Features of a card, for games with ENCODE_FOLLOWS: whether it leads, takes the trick as it lies
 * or not, and how it stands among the unseen and the own cards of its suit. */
#define ENCODE_CARD_FEATURES 365
void encode_add_card_features(const struct encoding *encoding, uint8_t card,
                              struct encode_outputs *out);
