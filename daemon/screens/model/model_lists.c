#include "daemon/screens/model/model.h"

#include <stdlib.h>
#include <string.h>

/* The windows of the lobby's lists. */

/* Reads the position of a window and the length of its list. A core that sends only rows has sent
 * the whole list. */
static void read_position(const json_t *message, const char *first_key, const char *total_key,
                          int count, int *first, int *total)
{
    *first = (int)model_get_number(message, first_key, 0, INT32_MAX - MODEL_WINDOW_MAX);
    int64_t all = model_read_number(json_object_get(message, total_key), *first + count);
    *total = all < *first + count ? *first + count : all > INT32_MAX ? INT32_MAX : (int)all;
}

/* Returns how many rows of the array are read. */
static size_t count_rows(const json_t *list)
{
    size_t count = json_array_size(list);
    return count > MODEL_WINDOW_MAX ? MODEL_WINDOW_MAX : count;
}

void model_people_read(const json_t *message, struct model_people *people)
{
    const json_t *list = json_object_get(message, "people");
    if (json_is_array(list)) {
        struct person_row *rows = calloc(count_rows(list) + 1, sizeof *rows);
        if (rows == NULL) {
            return;
        }
        free(people->rows);
        people->count = (int)row_list_read(&person_row_def, list, rows, count_rows(list));
        people->rows = rows;
    } else if (!json_is_integer(json_object_get(message, "people_count"))) {
        return;
    }
    read_position(message, "people_first", "people_count", people->count, &people->first,
                  &people->total);
}

void model_tables_read(const json_t *message, struct model_tables *tables)
{
    const json_t *list = json_object_get(message, "tables");
    if (json_is_array(list)) {
        struct table_row *rows = calloc(count_rows(list) + 1, sizeof *rows);
        if (rows == NULL) {
            return;
        }
        free(tables->rows);
        tables->rows = rows;
        tables->count = 0;
        for (size_t i = 0; i < count_rows(list); i++) {
            tables->count += table_row_read(json_array_get(list, i), &rows[tables->count]);
        }
    } else if (!json_is_integer(json_object_get(message, "tables_count"))) {
        return;
    }
    read_position(message, "tables_first", "tables_count", tables->count, &tables->first,
                  &tables->total);
}

void model_people_clear(struct model_people *people)
{
    free(people->rows);
    *people = (struct model_people){0};
}

void model_tables_clear(struct model_tables *tables)
{
    free(tables->rows);
    *tables = (struct model_tables){0};
}

const struct person_row *model_person_at(const struct model_people *people, int position)
{
    int at = position - people->first;
    return at >= 0 && at < people->count ? &people->rows[at] : NULL;
}

const struct table_row *model_table_at(const struct model_tables *tables, int position)
{
    int at = position - tables->first;
    return at >= 0 && at < tables->count ? &tables->rows[at] : NULL;
}

int model_position_of_person(const struct model_people *people, const char *name)
{
    for (int i = 0; i < people->count; i++) {
        if (strcmp(people->rows[i].name, name) == 0) {
            return people->first + i;
        }
    }
    return -1;
}

int model_position_of_table(const struct model_tables *tables, int64_t id)
{
    for (int i = 0; i < tables->count; i++) {
        if (tables->rows[i].id == id) {
            return tables->first + i;
        }
    }
    return -1;
}

const struct table_row *model_find_table(const struct model *model, int64_t id)
{
    return model_table_at(&model->tables, model_position_of_table(&model->tables, id));
}
