#include "daemon/processes/core/core_check.h"

#include "daemon/base/log.h"
#include "daemon/processes/core/core_state.h"

#include <stdlib.h>

void core_check_written(const struct core *core, enum house_result result)
{
    if (result != HOUSE_STORAGE_FAILED) {
        return;
    }
    log_event(LOG_LEVEL_ERROR, 0, "the data cannot be written: %s",
              house_failure_reason(core->house));
    abort(); /* the state in memory is ahead of the disk */
}
