#pragma once

#include "tests/bench/load/phases.h"

/* Reports the time from the key that sends a chat line until the others have painted the line. */
void chat_measure(struct run *run);
