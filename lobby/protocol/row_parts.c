#include "lobby/protocol/row_parts.h"

json_t *row_list_write(const struct row_def *def, const void *rows, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        row_put(def, (const char *)rows + i * def->size, row);
        (void)json_array_append_new(list, row);
    }
    return list;
}

size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < most; i++) {
        count += row_read(def, json_array_get(list, i), (char *)rows + count * def->size);
    }
    return count;
}

static json_t *row_chart_write(const void *member)
{
    const struct row_chart *chart = member;
    json_t *list = json_array();
    for (size_t i = 0; i < chart->count; i++) {
        (void)json_array_append_new(list, json_integer(chart->values[i]));
    }
    return list;
}

/* Values that no rating has are left out. */
static void row_chart_read(const json_t *value, void *member)
{
    struct row_chart *chart = member;
    for (size_t i = 0; i < json_array_size(value) && chart->count < ROW_CHART_MAX; i++) {
        const json_t *points = json_array_get(value, i);
        json_int_t number = json_integer_value(points);
        if (json_is_integer(points) && number > -99999 && number < 99999) {
            chart->values[chart->count++] = (int32_t)number;
        }
    }
}

const struct row_part row_part_chart = {"list", row_chart_write, row_chart_read};
