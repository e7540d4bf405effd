#include "lobby/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>

#define WORD_MAX 32 /* longest word for a watch policy or a talk rule in a message, in bytes */

static const char *const policies[] = {STORED_WORDS(STORED_WATCH_POLICIES)};

static const char *const talks[] = {STORED_WORDS(STORED_WATCH_TALKS)};

/* Returns the index of the word in the list; `count` if it is not in the list. */
static size_t find_word(const char *const *words, size_t count, const char *word, size_t len)
{
    size_t at = 0;
    while (at < count && (strlen(words[at]) != len || memcmp(words[at], word, len) != 0)) {
        at++;
    }
    return at;
}

bool watch_rule_parse(const char *text, struct watch_rule *rule)
{
    size_t len = strcspn(text, " ");
    size_t policy = find_word(policies, ARRAY_LEN(policies), text, len);
    const char *number = text + len + strspn(text + len, " ");
    size_t digits = strspn(number, "0123456789");
    unsigned long moves = digits > 0 && digits <= 3 ? strtoul(number, NULL, 10) : 0;
    bool has_number = *number != '\0';
    bool is_number = digits > 0 && number[digits] == '\0' && moves > 0 && moves <= WATCH_MOVES_MAX;
    if (policy == ARRAY_LEN(policies) || (has_number && (policy != WATCH_DELAY || !is_number))) {
        return false;
    }
    rule->policy = (enum watch_policy)policy;
    rule->moves = (uint8_t)moves;
    return true;
}

bool watch_rule_parse_spectator_talk(const char *text, struct watch_rule *rule)
{
    size_t talk = find_word(talks, ARRAY_LEN(talks), text, strlen(text));
    if (talk == ARRAY_LEN(talks)) {
        return false;
    }
    rule->talk = (enum watch_talk)talk;
    return true;
}

json_t *watch_rule_to_json(const struct watch_rule *rule)
{
    json_t *object =
        json_pack("{s:s,s:s}", "policy", policies[rule->policy], "talk", talks[rule->talk]);
    if (rule->policy == WATCH_DELAY) {
        (void)json_object_set_new(object, "moves", json_integer(rule->moves));
    }
    return object;
}

bool watch_rule_from_json(const json_t *object, struct watch_rule *rule)
{
    struct watch_rule read = *rule;
    const char *policy = json_read_text(object, "policy", WORD_MAX);
    const char *talk = json_read_text(object, "talk", WORD_MAX);
    int64_t moves = 0;
    bool is_good = json_is_object(object);
    is_good = is_good &&
              (json_read_key_is_absent(object, "policy") ||
               (policy != NULL && strchr(policy, ' ') == NULL && watch_rule_parse(policy, &read)));
    is_good = is_good && (json_read_key_is_absent(object, "talk") ||
                          (talk != NULL && watch_rule_parse_spectator_talk(talk, &read)));
    is_good = is_good && json_read_optional_number(object, "moves", 0, WATCH_MOVES_MAX, &moves);
    if (!is_good || (moves > 0 && read.policy != WATCH_DELAY)) {
        return false;
    }
    if (!json_read_key_is_absent(object, "policy") || !json_read_key_is_absent(object, "moves")) {
        read.moves = (uint8_t)moves;
    }
    *rule = read;
    return true;
}
