/**
 * For the FROM of an UPDATE by itself: its commit does not wait for the disk. Once it has returned, every other session sees the
 * change, whatever becomes of our process; only a server that itself crashes within its next 0.6 s forgets it. A start that is
 * forgotten that way costs one more try. Volatile, so it is evaluated though nobody reads it.
 */
export const UNSYNCED = `(SELECT set_config('synchronous_commit', 'off', true)) AS unsynced`;
