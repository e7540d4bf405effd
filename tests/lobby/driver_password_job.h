#pragma once

#include "tests/lobby/house_driver.h"

/* Does a password worker's job and sends the result. */
void driver_password_job_do(struct driver *driver, const json_t *message);
