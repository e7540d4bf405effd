#include "lobby/house/layout.h"

#include <assert.h>
#include <stdint.h>

void layout_add_block(struct layout *layout, size_t owner, size_t size)
{
    const size_t unit = sizeof(int64_t);
    assert(owner < LAYOUT_OWNERS_MAX);
    layout->at[owner] = layout->size;
    layout->size += (size + unit - 1) / unit * unit;
}
