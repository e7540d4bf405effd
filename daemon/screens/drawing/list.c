#include "daemon/screens/drawing/draw.h"

void list_set_size(struct list *list, int row_count, int visible_rows)
{
    list->count = row_count;
    list->visible = visible_rows > 0 ? visible_rows : 1;
    if (list->selected >= row_count) {
        list->selected = row_count - 1;
    }
    if (list->selected < 0) {
        list->selected = 0;
    }
    if (list->top > list->selected) {
        list->top = list->selected;
    }
    if (list->top < list->selected - list->visible + 1) {
        list->top = list->selected - list->visible + 1;
    }
    int last_top = row_count > list->visible ? row_count - list->visible : 0;
    if (list->top > last_top) {
        list->top = last_top;
    }
}

/* Returns by how many rows the key moves the selection; 0 if lists do not use the key. */
static int find_selection_step(const struct list *list, const struct press *press)
{
    switch ((int)press->kind) {
    case PRESS_UP:
        return -1;
    case PRESS_DOWN:
        return 1;
    case PRESS_PAGE_UP:
        return -list->visible;
    case PRESS_PAGE_DOWN:
        return list->visible;
    case PRESS_HOME:
        return -list->count;
    case PRESS_END:
        return list->count;
    case PRESS_WHEEL_UP:
        return -3;
    case PRESS_WHEEL_DOWN:
        return 3;
    case PRESS_CHAR:
        return press->code == 'j' ? 1 : press->code == 'k' ? -1 : 0;
    default:
        return 0;
    }
}

bool list_handle_key(struct list *list, const struct press *press)
{
    int rows = find_selection_step(list, press);
    list->selected += rows;
    list_set_size(list, list->count, list->visible);
    return rows != 0;
}

int list_row_at_offset(const struct list *list, int offset)
{
    int row = list->top + offset;
    return offset >= 0 && offset < list->visible && row < list->count ? row : -1;
}
