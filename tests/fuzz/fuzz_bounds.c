#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <jansson.h>

/*
 * Tests json_bounds_allow, which counts what a JSON text contains without building its tree. A
 * valid text must pass if and only if its tree keeps to the bounds. The first three bytes are the
 * bounds.
 */
struct tree_size {
    size_t values, depth;
};

static struct tree_size measure_json_tree(const json_t *value);

static void count_tree_of_member(struct tree_size *size, const json_t *member)
{
    const struct tree_size one = measure_json_tree(member);
    size->values += 1 + one.values;
    size->depth = one.depth + 1 > size->depth ? one.depth + 1 : size->depth;
}

/* Counts the values of a tree and its depth, as jansson sees them. */
static struct tree_size measure_json_tree(const json_t *value)
{
    struct tree_size size = {.depth = json_is_object(value) || json_is_array(value)};
    /* jansson's loops need a parameter that is not const */
    json_t *copy = json_copy((json_t *)(uintptr_t)value);
    const char *key = NULL;
    json_t *member = NULL;
    size_t index = 0;
    json_object_foreach(copy, key, member)
    {
        count_tree_of_member(&size, member);
    }
    json_array_foreach(copy, index, member)
    {
        count_tree_of_member(&size, member);
    }
    json_decref(copy);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len < 3) {
        return 0;
    }
    const char *text = (const char *)bytes + 3;
    const struct json_bounds bounds = {
        .bytes = len, .values = bytes[0], .depth = bytes[1], .scalar = bytes[2]};
    const struct json_bounds no_scalars = {
        .bytes = len, .values = bytes[0], .depth = bytes[1], .scalar = len};
    bool is_held = json_bounds_allow(&bounds, text, len - 3);
    bool is_held_but_scalars = json_bounds_allow(&no_scalars, text, len - 3);
    fuzz_assert(!is_held || is_held_but_scalars);
    json_t *value = json_loadb(text, len - 3, JSON_REJECT_DUPLICATES, NULL);
    if (value != NULL) {
        const struct tree_size held = measure_json_tree(value);
        bool is_within = held.values <= bounds.values && held.depth <= bounds.depth;
        fuzz_assert(is_held_but_scalars == is_within);
    }
    json_decref(value);
    return 0;
}
