#include "games/bots/bots.h"

#include <string.h>

/* The build lists the nets in nets.inc, and says in NETS_FOLDER where they are. */
#define NET(symbol, id)                                                                            \
    __asm__(".pushsection .rodata\n"                                                               \
            ".balign 16\n"                                                                         \
            "net_of_" #symbol ":\n"                                                                \
            ".incbin \"" NETS_FOLDER "/" id ".net\"\n"                                             \
            "end_of_" #symbol ":\n"                                                                \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    NETS_DECLARE(symbol)
#include "games/bots/nets.inc"
#undef NET

#define NET(symbol, id) {id, net_of_##symbol, end_of_##symbol},
static const struct {
    const char *id;
    const uint8_t *bytes, *end;
} nets[] = {
#include "games/bots/nets.inc"
    {NULL, NULL, NULL},
};
#undef NET

bool nets_find(const char *id, const uint8_t **bytes, size_t *len)
{
    size_t id_bytes = strlen(id) + 1;
    for (size_t i = 0; nets[i].id != NULL; i++) {
        if (strlen(nets[i].id) + 1 == id_bytes && memcmp(nets[i].id, id, id_bytes) == 0) {
            *bytes = nets[i].bytes;
            *len = (size_t)(nets[i].end - nets[i].bytes);
            return true;
        }
    }
    return false;
}
