#include "daemon/screens/model/model.h"

#include "lobby/protocol/protocol.h"

void model_read_text(const json_t *value, char *out, size_t cap)
{
    drawable_copy_text(value, out, cap);
}

void model_read_sentence(const json_t *message, const char *key, char *out, size_t cap)
{
    char words[2 * MODEL_TEXT_MAX];
    core_text_translate(message, key, words, sizeof words);
    json_t *text = json_string(words);
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
    model_read_text(json_object_get(object, key), out, cap);
}

int64_t model_get_number(const json_t *object, const char *key, int64_t min, int64_t max)
{
    int64_t number = model_read_number(json_object_get(object, key), min);
    return number < min ? min : number > max ? max : number;
}

bool model_get_flag(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}
