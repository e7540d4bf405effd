#pragma once

#include "games/bots/bots.h"

/* Writes the head of a net's bytes, which net_read reads: `made` says how the net was made. */
void net_write_head(const struct net *net, const char *made, uint8_t head[NET_HEAD_BYTES]);
