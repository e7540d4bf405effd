#include "daemon/screens/model/model.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/face.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the number of oldest lines that go when the log is full */
#define DROPPED (LOG_LINES_MAX / 4)

/* Forgets all lines. */
static void model_log_clear(struct table_log *log)
{
    free(log->lines);
    free(log->holders);
    memset(log, 0, sizeof(*log));
}

static void add_line(struct table_log *log, const struct log_line *line)
{
    if (log->count == LOG_LINES_MAX) {
        log->count -= DROPPED;
        log->decided = log->decided > DROPPED ? log->decided - DROPPED : 0;
        log->ended = log->ended > DROPPED ? log->ended - DROPPED : 0;
        log->begun = log->begun > DROPPED ? log->begun - DROPPED : 0;
        memmove(log->lines, log->lines + DROPPED, (size_t)log->count * sizeof(*log->lines));
    }
    if (log->count == log->capacity) {
        log->capacity = log->capacity == 0 ? 64 : log->capacity * 2;
        log->lines =
            must_not_be_null(realloc(log->lines, (size_t)log->capacity * sizeof(*log->lines)));
    }
    log->lines[log->count++] = *line;
}

/* Remembers who holds the seats now, if that has changed. */
static void note_holders(struct model_entered *entered)
{
    struct table_log *log = &entered->log;
    struct log_holders now = {.you = entered->you};
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        bool is_over = entered->has_result && entered->result.names[seat][0] != '\0';
        (void)snprintf(now.names[seat], sizeof(now.names[seat]), "%s",
                       is_over ? entered->result.names[seat]
                               : entered->details.seats.at[seat].name);
    }
    bool is_same = log->holders_count > 0 &&
                   memcmp(&log->holders[log->holders_count - 1], &now, sizeof(now)) == 0;
    if (is_same || log->holders_count == LOG_HOLDERS_MAX) {
        return;
    }
    log->holders = must_not_be_null(
        realloc(log->holders, (size_t)(log->holders_count + 1) * sizeof(*log->holders)));
    log->holders[log->holders_count++] = now;
}

static void add_lines(struct model *model, const struct story *story, uint8_t first, uint8_t end)
{
    struct table_log *log = &model->entered->log;
    note_holders(model->entered);
    for (uint8_t i = first; i < end; i++) {
        add_line(log, &(struct log_line){
                          .words = story->lines[i].words,
                          .holders = (uint8_t)(log->holders_count - 1),
                          .is_great = story->lines[i].great.format != NULL,
                          .chat_before = model->chat[CHAT_TABLE].added,
                      });
    }
}

/* Remembers the announcement of a great moment: of several, one about the viewer or else the
 * last. */
static void announce(struct model *model, const struct story *story)
{
    struct table_log *log = &model->entered->log;
    int8_t you = model->entered->you;
    bool is_own = false;
    for (uint8_t i = 0; i < story->count; i++) {
        const struct phrase *great = &story->lines[i].great;
        if (great->format == NULL || is_own) {
            continue;
        }
        log->great = *great;
        log->great_ms = model->now_ms;
        is_own = phrase_choose_format(great, you) != great->format;
    }
}

/* Adds the points of the rounds before `round` that the log does not have yet. */
static void add_points(struct model *model, struct story *story, uint16_t round)
{
    struct model_entered *entered = model->entered;
    struct table_log *log = &entered->log;
    for (; log->rows < entered->sheet_count && entered->sheet[log->rows].round < round;
         log->rows++) {
        story_tell_points(entered->view.game, &entered->sheet[log->rows], entered->view.seats,
                          story);
        add_lines(model, story, 0, story->count);
    }
}

static void begin_log(struct model *model, struct story *story)
{
    struct model_entered *entered = model->entered;
    model_log_clear(&entered->log);
    entered->log.game_id = entered->details.game_id;
    add_points(model, story, entered->view.round);
    entered->log.begun = entered->log.count;
    story_tell(NULL, &entered->view, story);
    add_lines(model, story, 0, story->count);
}

static void continue_log(struct model *model, struct story *story)
{
    struct model_entered *entered = model->entered;
    struct table_log *log = &entered->log;
    story_tell(&log->told, &entered->view, story);
    announce(model, story);
    add_lines(model, story, 0,
              story->decided < story->old_count ? story->decided : story->old_count);
    if (story->old_count > 0) {
        log->decided = log->count;
        add_lines(model, story, story->decided, story->old_count);
        log->ended = log->count;
    }
    if (story->old_count < story->count) {
        struct story points;
        add_points(model, &points, entered->view.round);
        log->begun = story->old_count > 0 ? log->count : log->begun;
        add_lines(model, story, story->old_count, story->count);
    }
}

/* Called when the core has sent a view, and when it has sent the result. */
static void model_log_add_view(struct model *model)
{
    struct story story;
    struct model_entered *entered = model->entered;
    struct table_log *log = &entered->log;
    if (!entered->has_view) {
        return;
    }
    if (log->has_told && log->game_id == entered->details.game_id &&
        story_views_follow(&log->told, &entered->view)) {
        continue_log(model, &story);
    } else {
        begin_log(model, &story);
    }
    if (entered->view.phase == PHASE_OVER) {
        add_points(model, &story, UINT16_MAX);
    }
    log->told = entered->view;
    log->has_told = true;
}

static void model_log_add_result(struct model *model)
{
    struct story story;
    struct model_entered *entered = model->entered;
    if (!entered->has_view || entered->log.has_result) {
        return;
    }
    add_points(model, &story, UINT16_MAX);
    story_tell_result(&entered->view, &entered->config, entered->result.winners, &story);
    add_lines(model, &story, 0, story.count);
    entered->log.has_result = true;
}

#define LINE_BYTES 2048

static const char *translate_plural(const char *sentence, const char *plural_sentence,
                                    unsigned long count)
{
    return ngettext(sentence, plural_sentence, count);
}

static const struct sentence_language language_in_force = {i18n_translate, translate_plural};

static void write_translated_sentence(json_t *say, const json_t *english, char *out, size_t size)
{
    struct text text = text_init(out, size);
    if (json_is_array(say) && sentence_write(&language_in_force, say, &text)) {
        return;
    }
    const char *words = json_string_value(english);
    (void)snprintf(out, size, "%s", words == NULL ? "" : i18n_translate(words));
}

json_t *core_text_translate_lines(const json_t *answer)
{
    const json_t *lines = json_object_get(answer, "lines");
    const json_t *says = json_object_get(answer, "say");
    json_t *worded = json_array();
    for (size_t i = 0; i < json_array_size(lines); i++) {
        char line[LINE_BYTES];
        write_translated_sentence(json_array_get(says, i), json_array_get(lines, i), line,
                                  sizeof line);
        json_t *text = json_stringn_nocheck(line, strlen(line));
        (void)json_array_append_new(worded, text);
    }
    return worded;
}

void model_read_sentence(const json_t *message, const char *key, char *out, size_t cap)
{
    char words[LINE_BYTES];
    write_translated_sentence(json_object_get(message, "say"), json_object_get(message, key), words,
                              sizeof words);
    json_t *text = json_stringn_nocheck(words, strlen(words));
    drawable_copy_text(text, out, cap);
    json_decref(text);
}

int64_t model_read_number(const json_t *value, int64_t fallback)
{
    if (json_is_integer(value)) {
        return json_integer_value(value);
    }
    if (json_is_real(value)) {
        double real = json_real_value(value);
        return real > -1e15 && real < 1e15 ? (int64_t)real : fallback;
    }
    return fallback;
}

void model_get_text(const json_t *object, const char *key, char *out, size_t cap)
{
    drawable_copy_text(json_object_get(object, key), out, cap);
}

/* Returns the value clamped to min…max; `min` if it is not a number. */
static int64_t clamp_number(const json_t *value, int64_t min, int64_t max)
{
    int64_t number = model_read_number(value, min);
    return number < min ? min : number > max ? max : number;
}

static int64_t get_number(const json_t *object, const char *key, int64_t min, int64_t max)
{
    return clamp_number(json_object_get(object, key), min, max);
}

static bool model_get_flag(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* The lines of the chat channels. */

/* Frees all lines of a channel. */
static void clear_chat(struct chat_log *log)
{
    for (int i = 0; i < log->count; i++) {
        free(log->lines[i].text);
    }
    log->count = 0;
}

/* Returns the same line of the log, or NULL. After a lost connection the core sends lines again;
 * their numbers identify them. */
static struct chat_line *find_line(const struct chat_log *log, const struct chat_line *line)
{
    for (int i = 0; line->n > 0 && i < log->count; i++) {
        struct chat_line *other = &log->lines[i];
        if (other->n == line->n && (other->kind == CHAT_DIRECT) == (line->kind == CHAT_DIRECT)) {
            return other;
        }
    }
    return NULL;
}

/* Returns false if the log has the line already. */
static bool add_chat_line(struct chat_log *log, const struct chat_line *line, const char *text)
{
    struct chat_line *known = find_line(log, line);
    if (known != NULL && known->is_hidden) { /* a line that staff have hidden is shown again */
        free(known->text);
        known->text = must_copy_text(text);
        known->is_hidden = false;
    }
    if (known != NULL) {
        return false;
    }
    if (log->lines == NULL) {
        log->lines = must_allocate(MODEL_CHAT_MAX * sizeof *log->lines);
    }
    log->added++;
    if (log->count == MODEL_CHAT_MAX) {
        free(log->lines[0].text);
        memmove(log->lines, log->lines + 1, (MODEL_CHAT_MAX - 1) * sizeof *log->lines);
        log->count--;
    }
    log->lines[log->count] = *line;
    log->lines[log->count++].text = must_copy_text(text);
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
static void apply_channels_message(struct model *model, const json_t *message)
{
    const json_t *names = json_object_get(message, "names");
    for (int room = 0; room < MODEL_ROOMS_MAX; room++) {
        if (!contains_name(names, model->rooms[room])) {
            model->rooms[room][0] = '\0';
            clear_chat(&model->chat[CHAT_ROOM + room]);
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

static void apply_chat_message(struct model *model, const json_t *message)
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
        struct chat_line *line = &log->lines[i];
        if (line->n == line_number) {
            free(line->text);
            line->text = must_copy_text(_("(removed by a moderator)"));
            line->is_hidden = true;
        }
    }
}

/* Hides lines that staff have removed. */
static void hide_chat_lines(struct model *model, const json_t *message)
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
        free(window->rows);
        window->rows = must_allocate((size + 1) * def->size);
        window->count = (int)row_list_read(def, list, window->rows, size);
    } else if (!json_is_integer(json_object_get(message, count_key))) {
        return;
    }
    window->first = (int)get_number(message, first_key, 0, INT32_MAX - MODEL_WINDOW_MAX);
    int end = window->first + window->count;
    int64_t all = model_read_number(json_object_get(message, count_key), end);
    window->total = all < end ? end : all > INT32_MAX ? INT32_MAX : (int)all;
}

/* Returns a number of the message; if the message lacks it, `counted`. */
static int read_total(const json_t *message, const char *key, int counted)
{
    return json_is_integer(json_object_get(message, key))
               ? (int)get_number(message, key, 0, INT32_MAX)
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

const struct table_row *model_find_table(const struct model *model, int64_t id)
{
    const struct model_window *tables = &model->lists.tables;
    for (int i = 0; i < tables->count; i++) {
        if (tables->tables[i].id == id) {
            return &tables->tables[i];
        }
    }
    return NULL;
}

/* the highest remaining time that is accepted, in milliseconds; no clock allows that much */
#define TIME_MAX_MS (INT64_C(4000) * 86400000)

bool model_clocks_run(const struct model_entered *entered)
{
    return !entered->is_clock_stopped && entered->away_since_ms == 0;
}

int64_t model_clock_ms(const struct model_entered *entered, int64_t now_ms)
{
    return entered->is_clock_stopped     ? entered->view_ms
           : entered->away_since_ms != 0 ? entered->away_since_ms
                                         : now_ms;
}

int64_t model_time_left(const struct model_entered *entered, int64_t left_at_view_ms,
                        int64_t now_ms)
{
    if (left_at_view_ms < 0) {
        return left_at_view_ms;
    }
    int64_t left_ms = left_at_view_ms - (model_clock_ms(entered, now_ms) - entered->view_ms);
    return left_ms < 0 ? 0 : left_ms;
}

void model_leave_table(struct model *model)
{
    if (model->entered != NULL) {
        model_log_clear(&model->entered->log);
        json_decref(model->entered->details.watcher_names);
        free(model->entered);
        model->entered = NULL;
    }
    clear_chat(&model->chat[CHAT_TABLE]);
}

bool model_claim_is_played_out(const struct model_entered *entered)
{
    return entered->claim.tricks > 0 && entered->claim.asked == 0;
}

bool model_viewer_is_asked_to_move(const struct model_entered *entered)
{
    return entered != NULL && entered->has_view && view_viewer_may_move(&entered->view) &&
           !model_claim_is_played_out(entered);
}

static void read_table_details(struct model_entered *entered, const json_t *message)
{
    struct place_row place;
    json_decref(entered->details.watcher_names);
    (void)entered_row_read(message, &entered->details);
    (void)place_row_read(message, &place);
    json_incref(entered->details.watcher_names);
    entered->you = place.you;
    entered->is_host = place.is_host;
    entered->claim = place.claim;
    const struct game_def *game = entered->row.game;
    entered->config = game_config_default(game, entered->row.players);
    if (!config_from_json(game, entered->details.options, &entered->config)) {
        entered->config = game_config_default(game, entered->row.players);
    }
    entered->details.options = NULL;
}

/* Called by model_apply_pushed_message for the messages `table`, `view`, `sheet` and `result`. */
static void model_apply_table_message(struct model *model, const json_t *message)
{
    struct table_row row;
    if (!table_row_read(message, &row)) {
        return;
    }
    if (model->entered != NULL && model->entered->row.id != row.id) {
        model_leave_table(model);
    }
    if (model->entered == NULL) {
        model->entered = must_allocate(sizeof *model->entered);
        model->entered->you = SPECTATOR;
    }
    struct model_entered *entered = model->entered;
    int64_t last_game = entered->details.game_id;
    entered->row = row;
    read_table_details(entered, message);
    int64_t stop_ms = row.halt == HALT_ROUND ? entered->details.resume_in_ms : 0;
    entered->stop_end_ms = stop_ms == 0 ? 0 : model->now_ms + stop_ms;
    /* A new game begins at this table, so the previous game is forgotten. */
    if (row.phase == TABLE_OPEN || entered->details.game_id != last_game) {
        entered->has_result = false;
        entered->has_clock = false;
        if (row.phase == TABLE_OPEN) {
            entered->has_view = false;
            entered->sheet_count = 0;
            model_log_clear(&entered->log);
        }
    }
}

/* Returns the entered table if the message concerns it; otherwise NULL. */
static struct model_entered *find_entered_table_of_message(const struct model *model,
                                                           const json_t *message)
{
    int64_t table = get_number(message, "table", 0, INT64_MAX);
    return model->entered != NULL && model->entered->row.id == table ? model->entered : NULL;
}

static void model_apply_view_message(struct model *model, const json_t *message)
{
    struct model_entered *entered = find_entered_table_of_message(model, message);
    if (entered == NULL) {
        return;
    }
    entered->has_view = view_read(json_object_get(message, "view"), &entered->view) &&
                        entered->view.game == entered->row.game;
    entered->view_ms = model->now_ms;
    entered->away_since_ms = 0;
    const json_t *clock = json_object_get(message, "clock");
    entered->has_clock = json_is_object(clock);
    if (entered->has_clock) {
        entered->clock_end_ms = model->now_ms + get_number(clock, "left_ms", 0, TIME_MAX_MS);
        entered->clock_of_ms = (int32_t)get_number(clock, "of_ms", 0, INT32_MAX);
    }
    entered->is_clock_stopped = model_get_flag(clock, "is_stopped");
    const json_t *times = json_object_get(message, "times");
    for (size_t seat = 0; seat < SEATS_MAX; seat++) {
        const json_t *time = json_array_get(times, seat);
        entered->times[seat] = (struct model_time){
            .left_ms = get_number(time, "left_ms", -1, TIME_MAX_MS),
            .bank_ms = get_number(time, "bank_ms", -1, TIME_MAX_MS),
            .bot_ms = get_number(time, "bot_ms", -1, TIME_MAX_MS),
        };
    }
    model_log_add_view(model);
}

static void read_score_row(const json_t *object, struct score_row *row)
{
    const json_t *bids = json_object_get(object, "bids");
    const json_t *tricks = json_object_get(object, "tricks");
    int64_t seats = (int64_t)json_array_size(json_object_get(object, "round"));
    int64_t chooser = get_number(object, "lead", -1, SEATS_MAX - 1);
    *row = (struct score_row){
        .seats = (uint8_t)(seats < SEATS_MAX ? seats : SEATS_MAX),
        .choosers = (uint8_t)(chooser >= 0 ? 1U << chooser : 0),
        .round = (uint8_t)get_number(object, "n", 0, UINT8_MAX),
        .has_bids = json_array_size(bids) > 0,
    };
    for (size_t i = 0; i < SEATS_MAX; i++) {
        row->bids[i] = (int8_t)clamp_number(json_array_get(bids, i), BID_NONE, INT8_MAX);
        row->tricks[i] = (uint8_t)clamp_number(json_array_get(tricks, i), 0, UINT8_MAX);
        const json_t *points = json_array_get(json_object_get(object, "round"), i);
        const json_t *total = json_array_get(json_object_get(object, "total"), i);
        row->points[i] = (int16_t)model_read_number(points, 0);
        row->totals[i] = (int16_t)model_read_number(total, 0);
    }
    const json_t *parts = json_object_get(object, "parts");
    for (size_t part = 0; part < json_array_size(parts) && part < SCORE_PARTS_MAX; part++) {
        for (size_t i = 0; i < SEATS_MAX; i++) {
            const json_t *points = json_array_get(json_array_get(parts, part), i);
            row->parts[part][i] = (int16_t)model_read_number(points, 0);
        }
        row->part_count++;
    }
}

static void model_apply_score_sheet(struct model *model, const json_t *message)
{
    struct model_entered *entered = find_entered_table_of_message(model, message);
    if (entered == NULL) {
        return;
    }
    if (model_get_flag(message, "reset")) {
        entered->sheet_count = 0;
    }
    for (size_t i = 0; i < json_array_size(json_object_get(message, "rows")); i++) {
        const json_t *row = json_array_get(json_object_get(message, "rows"), i);
        if (json_is_object(row) && entered->sheet_count < GAME_ROUNDS_MAX) {
            read_score_row(row, &entered->sheet[entered->sheet_count++]);
        }
    }
}

static void read_result_of_seat(const json_t *message, size_t index, struct model_result_seat *seat)
{
    *seat = (struct model_result_seat){
        .score = (int32_t)model_read_number(
            json_array_get(json_object_get(message, "scores"), index), 0),
        .rank = (uint8_t)clamp_number(json_array_get(json_object_get(message, "ranks"), index), 0,
                                      SEATS_MAX),
    };
    const json_t *rating = json_array_get(json_object_get(message, "ratings"), index);
    seat->is_rated = json_is_object(rating);
    if (!seat->is_rated) {
        return;
    }
    seat->before = (int32_t)get_number(rating, "before", -99999, 99999);
    seat->after = (int32_t)get_number(rating, "after", -99999, 99999);
    seat->deviation = (int32_t)get_number(rating, "deviation", 0, 99999);
    seat->is_provisional = model_get_flag(rating, "is_provisional");
    for (size_t i = 0; i < json_array_size(json_object_get(rating, "by")); i++) {
        const json_t *by = json_array_get(json_object_get(rating, "by"), i);
        int64_t opponent = get_number(by, "seat", 0, SEATS_MAX - 1);
        double change = json_number_value(json_object_get(by, "change"));
        if (fabs(change) < 1e6) {
            seat->by[opponent] = (int32_t)lround(change * 10);
        }
    }
}

static void read_players_who_left(const json_t *message, struct model_result_left left[SEATS_MAX])
{
    memset(left, 0, SEATS_MAX * sizeof(*left));
    for (size_t i = 0; i < json_array_size(json_object_get(message, "left")); i++) {
        const json_t *row = json_array_get(json_object_get(message, "left"), i);
        int64_t seat = get_number(row, "seat", 0, SEATS_MAX - 1);
        model_get_text(row, "name", left[seat].name, sizeof left[seat].name);
        left[seat].rank = (uint8_t)get_number(row, "rank", 0, INT64_C(2) * SEATS_MAX);
    }
}

static void model_apply_result_message(struct model *model, const json_t *message)
{
    struct model_entered *entered = find_entered_table_of_message(model, message);
    if (entered == NULL) {
        return;
    }
    for (size_t i = 0; i < SEATS_MAX && !entered->has_result; i++) {
        (void)snprintf(entered->result.names[i], sizeof entered->result.names[i], "%s",
                       entered->details.seats.at[i].name);
    }
    for (size_t i = 0; i < SEATS_MAX; i++) {
        const json_t *name = json_array_get(json_object_get(message, "names"), i);
        if (name != NULL) {
            drawable_copy_text(name, entered->result.names[i], sizeof entered->result.names[i]);
        }
    }
    entered->has_result = true;
    entered->has_clock = false;
    entered->result.game_id = get_number(message, "game_id", 0, INT64_MAX);
    entered->result.winners = 0;
    row_part_seats.read(json_object_get(message, "winners"), &entered->result.winners);
    model_get_text(message, "seed", entered->result.seed, sizeof entered->result.seed);
    read_players_who_left(message, entered->result.left);
    for (size_t i = 0; i < SEATS_MAX; i++) {
        read_result_of_seat(message, i, &entered->result.seats[i]);
    }
    model_log_add_result(model);
}

struct model *model_new(void)
{
    struct model *model = must_allocate(sizeof(*model));
    (void)settings_row_read(NULL, &model->settings);
    return model;
}

void model_free(struct model *model)
{
    if (model == NULL) {
        return;
    }
    model_leave_table(model);
    for (int i = 0; i < CHAT_CHANNELS; i++) {
        clear_chat(&model->chat[i]);
        free(model->chat[i].lines);
    }
    house_lists_clear(&model->lists);
    free(model);
}

void model_set_own_account(struct model *model, const json_t *you)
{
    struct you_row row;
    if (!json_is_object(you)) {
        return;
    }
    (void)you_row_read(you, &row);
    if (row.recovery[0] == '\0') {
        memcpy(row.recovery, model->you.recovery, sizeof row.recovery);
        row.is_recovered = model->you.is_recovered;
    } else {
        row.is_recovered = row.is_recovered == true;
        model->recovery_replaces_used = row.is_recovered;
    }
    /* a restarted core has forgotten what a guest chose */
    json_t *settings = row.kind == PERSON_GUEST && model->you.kind == PERSON_GUEST
                           ? settings_row_write(&model->settings)
                           : json_object();
    (void)json_object_update(settings, row.settings);
    (void)settings_row_read(settings, &model->settings);
    model->settings.quiet = NULL; /* it ends with the object */
    json_decref(settings);
    row.settings = NULL;
    model->you = row;
}

static void apply_invitation_message(struct model *model, const json_t *message)
{
    char game[MODEL_NAME_MAX];
    model_get_text(message, "game", game, sizeof game);
    model_get_text(message, "from", model->invite.from, sizeof model->invite.from);
    model->invite.game = game_find(game);
    model->invite.table =
        model->invite.game != NULL ? get_number(message, "table", 0, INT64_MAX) : 0;
    model->invite.until_ms = model->now_ms + 1000 * get_number(message, "for_s", 0, 86400);
}

static void apply_lobby_message(struct model *model, const json_t *message)
{
    house_lists_read(&model->lists, message);
}

static void apply_own_tables(struct model *model, const json_t *message)
{
    model->mine_count = (int)row_list_read(&mine_row_def, json_object_get(message, "tables"),
                                           model->mine, MODEL_MINE_MAX);
}

static void apply_friends_message(struct model *model, const json_t *message)
{
    const json_t *names = json_object_get(message, "names");
    model->friend_count = 0;
    for (size_t i = 0; i < json_array_size(names) && i < MODEL_FRIENDS_MAX; i++) {
        drawable_copy_text(json_array_get(names, i), model->friends[model->friend_count++],
                           MODEL_NAME_MAX);
    }
}

static void apply_shared_replay_message(struct model *model, const json_t *message)
{
    struct model_shared_replay *review = &model->shared_replay;
    const json_t *people = json_object_get(message, "people");
    *review = (struct model_shared_replay){
        .game_id = get_number(message, "game_id", 0, INT64_MAX),
        .step = (uint32_t)get_number(message, "step", 0, UINT16_MAX),
        .seat = (int8_t)get_number(message, "seat", SPECTATOR, SEATS_MAX - 1),
        .people = (uint16_t)json_array_size(people),
    };
    model_get_text(message, "leader", review->leader, sizeof review->leader);
    review->is_led = model_get_flag(message, "is_led");
}

static void apply_absence(struct model *model, UNUSED const json_t *message)
{
    if (model->away_since_ms == 0) {
        model->away_since_ms = model->now_ms;
    }
    if (model->entered != NULL && model->entered->away_since_ms == 0) {
        model->entered->away_since_ms = model->now_ms;
    }
}

/* The house was not away, only slow. */
static void apply_end_of_absence(struct model *model, UNUSED const json_t *message)
{
    model->away_since_ms = 0;
    if (model->entered != NULL) {
        model->entered->away_since_ms = 0;
    }
}

/* The table's clocks go on only with the view, which comes later. */
static void apply_welcome_message(struct model *model, const json_t *message)
{
    model->away_since_ms = 0;
    model->shared_replay = (struct model_shared_replay){
        0}; /* the core sends the shared replay again if the replay still goes on */
    model_get_text(message, "house", model->house, sizeof model->house);
    model_set_own_account(model, json_object_get(message, "you"));
}

static void apply_own_account(struct model *model, const json_t *message)
{
    model_set_own_account(model, json_object_get(message, "you"));
}

static void apply_goodbye_message(struct model *model, const json_t *message)
{
    model->is_over = true;
    model_read_sentence(message, "why", model->bye, sizeof model->bye);
}

void model_apply_pushed_message(struct model *model, const char *type, const json_t *message,
                                int64_t now_ms)
{
    static const struct {
        const char *type;
        void (*take)(struct model *model, const json_t *message);
    } pushes[] = {
        {"bye", apply_goodbye_message},
        {"channels", apply_channels_message},
        {"chat", apply_chat_message},
        {"friends", apply_friends_message},
        {"hidden", hide_chat_lines},
        {"house_away", apply_absence},
        {"house_back", apply_end_of_absence},
        {"invite", apply_invitation_message},
        {"lobby", apply_lobby_message},
        {"mine", apply_own_tables},
        {"result", model_apply_result_message},
        {"review", apply_shared_replay_message},
        {"sheet", model_apply_score_sheet},
        {"table", model_apply_table_message},
        {"view", model_apply_view_message},
        {"welcome", apply_welcome_message},
        {"you", apply_own_account},
    };
    model->now_ms = now_ms;
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].take(model, message);
        }
    }
}

const struct mine_row *model_find_own_table(const struct model *model, int64_t table_id)
{
    for (int i = 0; i < model->mine_count; i++) {
        if (model->mine[i].table == table_id) {
            return &model->mine[i];
        }
    }
    return NULL;
}

bool model_is_invited(const struct model *model, int64_t now_ms)
{
    return model->invite.table != 0 && now_ms < model->invite.until_ms &&
           model_find_own_table(model, model->invite.table) == NULL;
}

int model_count_tables_with_own_turn(const struct model *model)
{
    int turns = 0;
    for (int i = 0; i < model->mine_count; i++) {
        turns += model->mine[i].is_turn ? 1 : 0;
    }
    return turns;
}

/* The name of the policy (games/bots/bots.h) that gives hints. */
#define HINT_POLICY "strong"
#define STEP_BITS 16 /* a view's step has no more bits */

/* Sorts the moves after the bot's choice by their points. A search sorts them by more than the
 * points, which screens do not show. */
static void sort_other_choices(struct hint *hint)
{
    for (uint8_t i = 2; i < hint->count; i++) {
        const struct search_choice sorted = hint->choices[i];
        uint8_t place = i;
        for (; place > 1 && hint->choices[place - 1].points < sorted.points; place--) {
            hint->choices[place] = hint->choices[place - 1];
        }
        hint->choices[place] = sorted;
    }
}

void hint_make(struct hint *hint, const struct game_view *view, const struct game_config *config,
               int64_t game_id)
{
    struct search search;
    struct quick_random random;
    quick_random_init(&random, (uint64_t)game_id << STEP_BITS | view->step);
    hint->move = policy_choose_move(policy_find(HINT_POLICY), &search, view, config, &random, 0);
    hint->is_only_move = move_set_count(&view->legal) == 1;
    hint->count = search_list_choices(&search, view, hint->choices);
    if (view->game->encode != NULL && !view->game->encode->goal.is_zero_wanted) {
        sort_other_choices(hint);
    }
}

const struct search_choice *hint_find_choice(const struct hint *hint, uint8_t move)
{
    for (uint8_t i = 0; i < hint->count; i++) {
        if (hint->choices[i].move == move) {
            return &hint->choices[i];
        }
    }
    return NULL;
}
