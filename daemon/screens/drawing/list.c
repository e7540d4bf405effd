#include "daemon/screens/drawing/list.h"

void list_fit(struct list *list, int count, int visible)
{
    list->count = count;
    list->visible = visible > 0 ? visible : 1;
    if (list->selected >= count) {
        list->selected = count - 1;
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
    int last_top = count > list->visible ? count - list->visible : 0;
    if (list->top > last_top) {
        list->top = last_top;
    }
}

static bool step_of(const struct list *list, const struct press *press, int *step)
{
    switch ((int)press->kind) {
    case PRESS_UP:
        *step = -1;
        return true;
    case PRESS_DOWN:
        *step = 1;
        return true;
    case PRESS_PAGE_UP:
        *step = -list->visible;
        return true;
    case PRESS_PAGE_DOWN:
        *step = list->visible;
        return true;
    case PRESS_HOME:
        *step = -list->count;
        return true;
    case PRESS_END:
        *step = list->count;
        return true;
    case PRESS_WHEEL_UP:
        *step = -3;
        return true;
    case PRESS_WHEEL_DOWN:
        *step = 3;
        return true;
    case PRESS_CHAR:
        *step = press->code == 'j' ? 1 : -1;
        return press->code == 'j' || press->code == 'k';
    default:
        return false;
    }
}

bool list_key(struct list *list, const struct press *press)
{
    int step;
    if (!step_of(list, press, &step)) {
        return false;
    }
    list->selected += step;
    list_fit(list, list->count, list->visible);
    return true;
}

int list_row_at(const struct list *list, int offset)
{
    int row = list->top + offset;
    return offset >= 0 && offset < list->visible && row < list->count ? row : -1;
}
