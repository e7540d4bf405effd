#include "daemon/screens/model/model.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_chat_clear(struct chat_log *log)
{
    for (int i = 0; i < log->count; i++) {
        free(log->lines[(log->first + i) % MODEL_CHAT_MAX].text);
    }
    log->first = 0;
    log->count = 0;
}

const struct chat_line *model_chat_get_line(const struct chat_log *log, int index)
{
    return &log->lines[(log->first + index) % MODEL_CHAT_MAX];
}

/* Returns the same line of the log, or NULL. After a lost connection the core sends lines again;
 * their numbers identify them. */
static struct chat_line *find_line(const struct chat_log *log, const struct chat_line *line)
{
    for (int i = 0; line->n > 0 && i < log->count; i++) {
        struct chat_line *other = &log->lines[(log->first + i) % MODEL_CHAT_MAX];
        if (other->n == line->n && (other->kind == CHAT_DIRECT) == (line->kind == CHAT_DIRECT)) {
            return other;
        }
    }
    return NULL;
}

/* Returns false if the log has the line already, or if memory is short. */
static bool add_chat_line(struct chat_log *log, const struct chat_line *line, const char *text)
{
    struct chat_line *known = find_line(log, line);
    char *again = known != NULL && known->is_hidden ? strdup(text) : NULL;
    if (again != NULL) { /* a line that staff have hidden is shown again */
        free(known->text);
        known->text = again;
        known->is_hidden = false;
    }
    if (known != NULL) {
        return false;
    }
    if (log->lines == NULL) {
        log->lines = calloc(MODEL_CHAT_MAX, sizeof *log->lines);
    }
    char *copy = strdup(text);
    if (log->lines == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    log->added++;
    struct chat_line *slot = &log->lines[(log->first + log->count) % MODEL_CHAT_MAX];
    if (log->count == MODEL_CHAT_MAX) {
        free(slot->text);
        log->first = (log->first + 1) % MODEL_CHAT_MAX;
    } else {
        log->count++;
    }
    *slot = *line;
    slot->text = copy;
    return true;
}

/* True if the name is a word of the text. Ignores case. */
static bool mentions_name(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = text; len > 0 && (at = strcasestr(at, name)) != NULL; at++) {
        bool starts = at == text || !isalnum((unsigned char)at[-1]);
        if (starts && !isalnum((unsigned char)at[len])) {
            return true;
        }
    }
    return false;
}

int model_find_channel(const struct model *model, const char *name)
{
    for (int i = 0; i < MODEL_ROOMS_MAX && name[0] != '\0'; i++) {
        if (strcmp(model->rooms[i], name) == 0) {
            return CHAT_ROOM + i;
        }
    }
    return CHAT_LOBBY;
}

const char *model_channel_name(const struct model *model, int channel)
{
    return channel >= CHAT_ROOM ? model->rooms[channel - CHAT_ROOM] : "#lobby";
}

static bool contains_name(const json_t *names, const char *name)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const json_t *value = json_array_get(names, i);
        if (json_is_string(value) && strcmp(json_string_value(value), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Stores a joined channel in the first free place, or drops it if all are taken. */
static void add_channel(struct model *model, const char *name)
{
    for (int room = 0; room < MODEL_ROOMS_MAX; room++) {
        if (model->rooms[room][0] == '\0') {
            snprintf(model->rooms[room], sizeof model->rooms[room], "%s", name);
            return;
        }
    }
}

/* Applies the list of joined channels. Channels that were joined before keep their places and
 * lines. */
void model_apply_channels_message(struct model *model, const json_t *message)
{
    const json_t *names = json_object_get(message, "names");
    for (int room = 0; room < MODEL_ROOMS_MAX; room++) {
        if (!contains_name(names, model->rooms[room])) {
            model->rooms[room][0] = '\0';
            model_chat_clear(&model->chat[CHAT_ROOM + room]);
        }
    }
    for (size_t i = 0; i < json_array_size(names); i++) {
        const json_t *value = json_array_get(names, i);
        char name[MODEL_NAME_MAX];
        drawable_copy_text(value, name, sizeof name);
        if (model_find_channel(model, name) == CHAT_LOBBY) {
            add_channel(model, name);
        }
    }
}

/* True if the core's sentence only tells who comes to a seat or leaves it. */
static bool is_arrival(const json_t *message)
{
    static const char *const formats[] = {ARRIVAL_SAT_DOWN, ARRIVAL_BOT_SAT_DOWN, ARRIVAL_STOOD_UP,
                                          ARRIVAL_LOST_CONNECTION, ARRIVAL_CAME_BACK};
    const char *format = json_string_value(json_array_get(json_object_get(message, "say"), 0));
    for (size_t i = 0; format != NULL && i < ARRAY_LEN(formats); i++) {
        if (strcmp(format, formats[i]) == 0) {
            return true;
        }
    }
    return false;
}

void model_apply_chat_message(struct model *model, const json_t *message)
{
    struct chat_row row;
    (void)chat_row_read(message, &row);
    size_t place = row_value_of_word(&chat_place_words, row.channel);
    bool is_tell = place == CHAT_PLACE_DIRECT;
    struct chat_line line = {.kind = row.kind, .at_ms = row.at_ms, .n = row.n};
    memcpy(line.from, row.from, sizeof line.from);
    memcpy(line.to, row.to, sizeof line.to);
    if (row.kind == CHAT_SYSTEM || row.from[0] == '\0') {
        line.kind = CHAT_SYSTEM;
        line.is_arrival = is_arrival(message);
        model_read_sentence(message, "text", row.text, sizeof row.text);
    } else if (is_tell) {
        line.kind = CHAT_DIRECT;
    }
    line.is_kept = line.kind == CHAT_DIRECT && row.is_kept;
    bool is_own = strcmp(line.from, model->you.name) == 0;
    line.is_mention = line.kind != CHAT_SYSTEM && !is_own &&
                      (is_tell || mentions_name(row.text, model->you.name));
    if (row.channel[0] == '#') {
        int room = model_find_channel(model, row.channel);
        memcpy(line.room, row.channel, sizeof line.room);
        if (room != CHAT_LOBBY) {
            (void)add_chat_line(&model->chat[room], &line, row.text);
        }
        return;
    }
    bool is_new =
        place == CHAT_PLACE_TABLE || add_chat_line(&model->chat[CHAT_LOBBY], &line, row.text);
    /* A direct message that is sent again may be older than the visit to this table. */
    if (place == CHAT_PLACE_TABLE || (is_tell && is_new && model->entered != NULL)) {
        (void)add_chat_line(&model->chat[CHAT_TABLE], &line, row.text);
    }
}

static void hide_chat_line(struct chat_log *log, int64_t line_number)
{
    for (int i = 0; i < log->count; i++) {
        struct chat_line *line = &log->lines[(log->first + i) % MODEL_CHAT_MAX];
        char *words = line->n == line_number ? strdup(_("(removed by a moderator)")) : NULL;
        if (words != NULL) {
            free(line->text);
            line->text = words;
            line->is_hidden = true;
        }
    }
}

void model_hide_chat_lines(struct model *model, const json_t *message)
{
    for (size_t i = 0; i < json_array_size(json_object_get(message, "lines")); i++) {
        const json_t *number = json_array_get(json_object_get(message, "lines"), i);
        int64_t n = model_read_number(number, 0);
        for (size_t k = 0; n > 0 && k < ARRAY_LEN(model->chat); k++) {
            hide_chat_line(&model->chat[k], n);
        }
    }
}

void model_add_house_line(struct model *model, enum chat_channel channel, const char *text,
                          int64_t unix_ms)
{
    struct chat_line line = {.kind = CHAT_SYSTEM, .at_ms = unix_ms, .is_answer = true};
    (void)add_chat_line(&model->chat[channel], &line, text);
}

/* The windows of the lobby's lists. */

/* Reads a window if the message has its rows or their number. A core that sends only rows has sent
 * the whole list. */
static void read_window(const json_t *message, const char *list_key, const char *first_key,
                        const char *count_key, const struct row_def *def,
                        struct model_window *window)
{
    const json_t *list = json_object_get(message, list_key);
    if (json_is_array(list)) {
        size_t size =
            json_array_size(list) < MODEL_WINDOW_MAX ? json_array_size(list) : MODEL_WINDOW_MAX;
        void *fresh = calloc(size + 1, def->size);
        if (fresh == NULL) {
            return;
        }
        free(window->rows);
        window->rows = fresh;
        window->count = (int)row_list_read(def, list, fresh, size);
    } else if (!json_is_integer(json_object_get(message, count_key))) {
        return;
    }
    window->first = (int)model_get_number(message, first_key, 0, INT32_MAX - MODEL_WINDOW_MAX);
    int end = window->first + window->count;
    int64_t all = model_read_number(json_object_get(message, count_key), end);
    window->total = all < end ? end : all > INT32_MAX ? INT32_MAX : (int)all;
}

/* Returns a number of the message; if the message lacks it, `counted`. */
static int read_total(const json_t *message, const char *key, int counted)
{
    return json_is_integer(json_object_get(message, key))
               ? (int)model_get_number(message, key, 0, INT32_MAX)
               : counted;
}

void house_lists_read(struct house_lists *lists, const json_t *message)
{
    bool has_people = json_is_array(json_object_get(message, "people"));
    bool has_tables = json_is_array(json_object_get(message, "tables"));
    int here = 0;
    read_window(message, "people", "people_first", "people_count", &person_row_def, &lists->people);
    read_window(message, "tables", "tables_first", "tables_count", &table_row_def, &lists->tables);
    for (int i = 0; i < lists->people.count; i++) {
        here += lists->people.people[i].kind == PERSON_BOT ? 0 : 1;
    }
    lists->here = read_total(message, "here", has_people ? here : lists->here);
    lists->tables_all =
        read_total(message, "tables_all", has_tables ? lists->tables.total : lists->tables_all);
}

void house_lists_clear(struct house_lists *lists)
{
    free(lists->people.rows);
    free(lists->tables.rows);
    *lists = (struct house_lists){0};
}

const struct person_row *model_person_at(const struct model_window *people, int position)
{
    int at = position - people->first;
    return at >= 0 && at < people->count ? &people->people[at] : NULL;
}

const struct table_row *model_table_at(const struct model_window *tables, int position)
{
    int at = position - tables->first;
    return at >= 0 && at < tables->count ? &tables->tables[at] : NULL;
}

int model_position_of_person(const struct model_window *people, const char *name)
{
    for (int i = 0; i < people->count; i++) {
        if (strcmp(people->people[i].name, name) == 0) {
            return people->first + i;
        }
    }
    return -1;
}

int model_position_of_table(const struct model_window *tables, int64_t id)
{
    for (int i = 0; i < tables->count; i++) {
        if (tables->tables[i].id == id) {
            return tables->first + i;
        }
    }
    return -1;
}

const struct table_row *model_find_table(const struct model *model, int64_t id)
{
    return model_table_at(&model->lists.tables, model_position_of_table(&model->lists.tables, id));
}
