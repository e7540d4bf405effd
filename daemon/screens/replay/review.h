#pragma once

struct ui;

/* Leaves the shared replay that one is in, if any. */
void review_leave(struct ui *ui);
