#include "games/game.h"
#include "games/history.h"
#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

/*
 * The input is JSON that may be a record or a view of the protocol. An accepted record is written
 * again, and reading the written text gives the same record.
 */

static char *write_record(const struct record *record)
{
    json_t *json = record_to_json(&record->source, record->at_ms);
    fuzz_assert(json != NULL);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    fuzz_assert(text != NULL);
    return text;
}

static void check_record(json_t *object)
{
    struct record record, again;
    if (!record_from_json(object, &record)) {
        return;
    }
    char *text = write_record(&record);
    json_t *json = json_read_object(text, strlen(text));
    fuzz_assert(json != NULL && record_from_json(json, &again));
    char *text_again = write_record(&again);
    fuzz_assert(strcmp(text, text_again) == 0);
    free(text_again);
    free(text);
    record_clear(&again);
    json_decref(json);
    record_clear(&record);
}

static void write_view(const struct game_view *view, char *out)
{
    struct text text = text_init(out, VIEW_TEXT_MAX);
    view_write(view, &text);
    fuzz_assert(text.len < VIEW_TEXT_MAX);
}

static void check_view(const json_t *object)
{
    static struct game_view view, again;
    static char text[VIEW_TEXT_MAX], text_again[VIEW_TEXT_MAX];
    if (!view_read(object, &view)) {
        return;
    }
    write_view(&view, text);
    json_t *json = json_read_object(text, strlen(text));
    fuzz_assert(json != NULL && view_read(json, &again));
    write_view(&again, text_again);
    fuzz_assert(strcmp(text, text_again) == 0);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    json_t *object = json_read_object((const char *)bytes, len);
    if (object != NULL) {
        check_record(object);
        check_view(object);
    }
    json_decref(object);
    return 0;
}
