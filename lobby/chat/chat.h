#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "storage/chat/chat.h"

#include <jansson.h>

/* Chat in the lobby, in channels, at tables and in direct messages, and the sentences that the
 * house itself says. */

/* Makes the house say a sentence (say.h) in the lobby. */
void chat_announce_in_lobby(struct house *house, json_t *sentence);

/* True when the house may announce in the lobby what this person has just started, such as a table.
 * A person who is muted or over the rate limit of chat is not announced. */
bool chat_may_announce_actions_of(struct house *house, struct person *person);

/* Reads and cleans the requester's line, and fills in the sender and the time. When the line cannot
 * be said, answers the request and returns false. The caller fills in the other fields. */
bool chat_read_line(const struct request *request, struct storage_chat *line) MUST_CHECK;

/* Sets the line's text to a sentence (say.h). Takes ownership of the sentence. */
void chat_set_sentence(struct storage_chat *line, json_t *sentence);

/* Stores the line and sets its number. Returns false when this request was already carried out. */
bool chat_store_line(struct house *house, struct storage_chat *line) MUST_CHECK;

/* Sends a line that was said elsewhere than at a table to everybody who may read it. */
void chat_send_line(struct house *house, const struct storage_chat *line);

/* Sends a person who comes in what they missed: the lobby's last lines after the number
 * `conn->heard`, the last direct messages, and the offline messages; then the same of the
 * channels. */
void chat_send_lobby_backlog(struct house *house, struct conn *conn);

/* Makes the message of a line. With is_offline_message, the line is marked as one. */
struct payload *chat_make_line_payload(const struct storage_chat *line, bool is_offline_message);

/* Sends the message of a line to a connection whose person does not ignore the speaker (an account;
 * 0: a guest or the house). */
void chat_deliver(struct house *house, const struct conn *conn, struct payload *payload,
                  int64_t speaker);

/* Tells all clients to hide chat lines. `numbers` is an array of line numbers, of which the
 * function takes ownership. */
void chat_hide_lines(struct house *house, json_t *numbers);

/* Writes the name of the chat to which a line belongs: "lobby", "#7" for a table, or "#tea" for a
 * channel. */
#define PLACE_SIZE 24
void chat_write_name_of_line(const struct storage_chat *line, char out[PLACE_SIZE]);

#define CHANNEL_SIZE 22 /* room for "#", 20 characters and the final NUL */

/*
 * Chat channels besides the lobby. A channel is open to everybody, and exists as long as it has
 * members. Members with an account stay in the channel when they disconnect. A name is "#", a
 * letter, and up to 19 letters, digits and dashes; some names are reserved for the house.
 */

/* True when the person is a member of the channel. */
bool channels_has_joined(const struct person *person, const char *name);

/* True for a valid channel name that is not reserved for the house. */
bool channels_is_valid_name(const char *name) MUST_CHECK;

/* True when the channel has at least one member, connected or not. */
bool channels_exists(struct house *house, const char *name) MUST_CHECK;

/* Updates stored chat lines when their sender's account is renamed or deleted
 * (storage/chat/chat.h). Each round of the event loop updates only a few lines, so that an
 * account with a million lines does not block the house. */

/* Rewrites the newest lines, which clients may still request. Called in the transaction that
 * renames or deletes the account. */
void chat_rewrites_update_batch(struct house *house);

/* Sends the person's offline messages to all their connections. */
void direct_messages_deliver_offline(struct house *house, struct person *person);

/* The webhooks listen for direct messages. */
struct chat_listener {
    /* Called when the person named `from` has written to the account `name`. `person` is NULL when
     * the recipient is not connected. Listeners do not get the text. */
    void (*direct_message)(struct house *house, int64_t account, const struct person *person,
                           const char *name, const char *from);
};

extern const struct chat_listener hook_events_chat_listener;

/* Keeps track of the news entries that a person has read. Guests have read none. */

/* Return and set the number of the last news entry that the person has read; 0: none. */
int64_t news_last_read_entry(const struct person *person);
void news_set_last_read(struct house *house, struct person *person, int64_t entry);

#define MOTD_META "motd" /* key of the stored message of the day */

/* Returns the person's presence for lobby rows, and copies its text: "" when there is none or the
 * person is muted. */
uint8_t presence_for_lobby_row(const struct house *house, const struct person *person,
                               char text[ROW_PRESENCE_SIZE]);

/*
 * What happens at tables, told in the lobby's talk. When much happens in a short time, the house
 * does not drown what people say: it tells the first events one by one, and sums up the following
 * ones.
 */
enum table_news {
    TABLE_NEWS_OPENED, /* somebody opened a table */
    TABLE_NEWS_BEGUN,  /* a game has begun */
    TABLE_NEWS_OVER,   /* a game is over */
    TABLE_NEWS_COUNT,
};

/* How many events are told at once, and after them one in TABLE_NEWS_PACE_MS. */
#define TABLE_NEWS_BURST 6
#define TABLE_NEWS_PACE_MS 5000

/* Tells an event, now or as part of a sum. Takes over the sentence. */
void table_news_tell(struct house *house, enum table_news kind, json_t *sentence);
