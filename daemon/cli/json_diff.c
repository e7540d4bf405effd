#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <assert.h>
#include <string.h>

#define PATH_BYTES 160
#define SHOW_MAX 120

/* A list or object being compared. */
struct level {
    json_t *found;
    const struct field *expected; /* the expected list or object; NULL for the outermost object */
    uint32_t end;                 /* index of the field that follows the whole list or object */
    size_t index;                 /* for a list: index of the next member */
    size_t path_len;
};

struct walk {
    const struct fields *fields;
    bool allows_more_keys;
    struct level levels[FIELDS_DEPTH_MAX + 1];
    size_t depth;
    struct text path;
    struct text *why;
};

void json_diff_write_value(const json_t *value, struct text *out)
{
    if (value == NULL) {
        text_put(out, _("nothing"));
        return;
    }
    char buffer[SHOW_MAX];
    size_t len = json_dumpb(value, buffer, sizeof(buffer),
                            JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    text_put_bytes(out, buffer, len < sizeof(buffer) ? len : sizeof(buffer));
    if (len > sizeof(buffer)) {
        text_put(out, "...");
    }
}

static bool write_difference(struct text *why, const char *path, const char *before_expected,
                             const char *expected, const json_t *found)
{
    text_put(why, path);
    text_put(why, before_expected);
    text_put(why, expected);
    text_put(why, _(", found "));
    json_diff_write_value(found, why);
    return false;
}

bool json_diff_report(struct text *why, const char *path, const char *expectation,
                      const json_t *found)
{
    return write_difference(why, path, ": ", expectation, found);
}

bool json_diff_report_value(struct text *why, const char *path, const char *expected_value,
                            const json_t *found)
{
    return write_difference(why, path, _(": expected "), expected_value, found);
}

static bool report_different_value(struct walk *walk, const struct field *expected,
                                   const json_t *found)
{
    char shown[SHOW_MAX];
    struct text text = text_init(shown, sizeof(shown));
    field_write(expected, &text);
    return json_diff_report_value(walk->why, walk->path.at, shown, found);
}

static void truncate_path(struct text *path, size_t len)
{
    path->len = len;
    path->at[len] = '\0';
}

static bool is_same_value(const struct field *expected, const json_t *found)
{
    switch ((enum field_type)expected->type) {
    case FIELD_NULL:
        return json_is_null(found);
    case FIELD_BOOL:
        return expected->number != 0 ? json_is_true(found) : json_is_false(found);
    case FIELD_NUMBER:
        return json_is_integer(found) && json_integer_value(found) == expected->number;
    case FIELD_TEXT:
        return json_is_string(found) && json_string_length(found) == strlen(expected->text) &&
               strcmp(json_string_value(found), expected->text) == 0;
    case FIELD_LIST:
        return json_is_array(found);
    case FIELD_OBJECT:
        return json_is_object(found);
    }
    return false;
}

/* Appends the key or index of the next member to the path, and returns the member from the JSON;
 * NULL if absent. */
static json_t *find_next_member(struct walk *walk, struct level *level, const struct field *field)
{
    truncate_path(&walk->path, level->path_len);
    if (json_is_array(level->found)) {
        text_put_char(&walk->path, '[');
        text_put_number(&walk->path, (int64_t)level->index);
        text_put_char(&walk->path, ']');
        return json_array_get(level->found, level->index++);
    }
    text_put_char(&walk->path, '.');
    text_put(&walk->path, field->key);
    return json_object_get(level->found, field->key);
}

static bool is_key_expected(const struct walk *walk, const struct level *level, const char *key)
{
    uint32_t i = level->expected == NULL ? 0 : (uint32_t)(level->expected - walk->fields->at) + 1;
    while (i < level->end) {
        if (strcmp(walk->fields->at[i].key, key) == 0) {
            return true;
        }
        i += 1U + walk->fields->at[i].span;
    }
    return false;
}

static bool report_surplus_key(struct walk *walk, const char *key)
{
    json_t *name = json_string(key);
    text_put(walk->why, walk->path.at);
    text_put(walk->why, _(": there should be no key "));
    json_diff_write_value(name, walk->why);
    json_decref(name);
    return false;
}

static void enter_nested_value(struct walk *walk, json_t *found, const struct field *expected,
                               uint32_t end_index)
{
    assert(walk->depth < ARRAY_LEN(walk->levels));
    walk->levels[walk->depth++] = (struct level){
        .found = found, .expected = expected, .end = end_index, .path_len = walk->path.len};
}

/* Checks that a list or object, whose expected members were all found, has no others. */
static bool leave_nested_value(struct walk *walk)
{
    struct level *level = &walk->levels[--walk->depth];
    truncate_path(&walk->path, level->path_len);
    if (json_is_array(level->found)) {
        json_t *more = json_array_get(level->found, level->index);
        if (more == NULL) {
            return true;
        }
        (void)find_next_member(walk, level, NULL);
        return json_diff_report(walk->why, walk->path.at, _("expected nothing"), more);
    }
    if (walk->allows_more_keys && level->expected == NULL) {
        return true;
    }
    const char *key;
    json_t *member;
    json_object_foreach(level->found, key, member)
    {
        if (!is_key_expected(walk, level, key)) {
            return report_surplus_key(walk, key);
        }
    }
    return true;
}

static bool leave_finished_nested_values(struct walk *walk, uint32_t index)
{
    while (walk->depth > 0 && walk->levels[walk->depth - 1].end == index) {
        if (!leave_nested_value(walk)) {
            return false;
        }
    }
    return true;
}

bool json_diff_compare(const struct fields *expected, json_t *found, bool allows_more_keys,
                       const char *path_start, struct text *why)
{
    char buffer[PATH_BYTES];
    struct walk walk = {.fields = expected, .allows_more_keys = allows_more_keys, .why = why};
    walk.path = text_init(buffer, sizeof(buffer));
    text_put(&walk.path, path_start);
    if (!json_is_object(found)) {
        return json_diff_report(why, walk.path.at, _("expected an object"), found);
    }
    assert(!expected->is_cut);
    enter_nested_value(&walk, found, NULL, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        if (!leave_finished_nested_values(&walk, i)) {
            return false;
        }
        const struct field *field = &expected->at[i];
        json_t *member = find_next_member(&walk, &walk.levels[walk.depth - 1], field);
        if (member == NULL || !is_same_value(field, member)) {
            return report_different_value(&walk, field, member);
        }
        if (field->type == FIELD_LIST || field->type == FIELD_OBJECT) {
            enter_nested_value(&walk, member, field, i + 1U + field->span);
        }
    }
    return leave_finished_nested_values(&walk, expected->count);
}
