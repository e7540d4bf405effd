#include "lobby/tables/table_say.h"

#include "lobby/chat/chat.h"
#include "lobby/house/words.h"

static void table_write_name(UNUSED void *context, const struct phrase_arg *arg, struct text *out)
{
    text_put(out, arg->words);
}

void table_say(struct house *house, struct table *table, const char *format, const char *name)
{
    char words[WORDS_MAX];
    struct text text = text_init(words, sizeof(words));
    struct phrase phrase = {format, {arg_words(name)}};
    phrase_write(&phrase, format, table_write_name, NULL, &text);
    chat_house_table(house, table, words);
}
