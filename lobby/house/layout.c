#include "lobby/house/house_state.h"

#include <assert.h>
#include <stdint.h>

void layout_add_block(struct layout *layout, size_t owner_index, size_t size)
{
    const size_t unit = sizeof(int64_t);
    assert(owner_index < LAYOUT_OWNERS_MAX);
    layout->at[owner_index] = layout->size;
    layout->size += (size + unit - 1) / unit * unit;
}
