#ifndef DAEMON_SCREENS_REPLAY_REVIEW_H
#define DAEMON_SCREENS_REPLAY_REVIEW_H

struct ui;

/* Leaves the shared replay that one leads or follows, if any. */
void review_leave(struct ui *ui);

#endif
