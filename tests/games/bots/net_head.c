#include "tests/games/bots/net_head.h"

#include <string.h>

#define TEXT_AT 32 /* where the text begins */

/* Appends the number, its lowest byte first. */
static uint8_t *put_number(uint8_t *at, uint32_t number, int bytes)
{
    for (; bytes > 0; bytes--, number >>= 8) {
        *at++ = (uint8_t)number;
    }
    return at;
}

void net_write_head(const struct net *net, const char *made, uint8_t head[NET_HEAD_BYTES])
{
    static const char mark[] = "trickhouse net 1\n";
    struct text text = text_init((char *)head + TEXT_AT, NET_HEAD_BYTES - TEXT_AT);
    memset(head, 0, NET_HEAD_BYTES);
    memcpy(head, mark, sizeof mark - 1);
    uint8_t *at = put_number(head + sizeof mark - 1, net->layout, 4);
    at = put_number(at, net->inputs, 2);
    at = put_number(at, net->outputs, 2);
    at = put_number(at, net->hidden, 1);
    (void)put_number(at, net->middle, 1);
    text_put(&text, made);
}
