#pragma once

/* From now on, the keys that the storage makes by itself are the same in every house, so that two
 * houses in which the same happens have the same rows. */
void predictable_keys_use(void);
