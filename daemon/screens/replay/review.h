#pragma once

struct ui;

/* Leaves the shared replay that one leads or follows, if any. */
void review_leave(struct ui *ui);
