/** A limit is counted in so many parts, each of which the process has to live through. */
const PARTS = 10;

/**
 * Waits for `work`, but no longer than `limitMs` of this process's own time: one that was frozen, or whose event loop was blocked,
 * is charged a tenth at most. Whatever comes of the work after that is ignored.
 *
 * @param onLimit called once when the limit is over; what it gives is what this rejects with
 * @throws what the work throws
 */
export async function withinLimit<T>(work: () => Promise<T>, limitMs: number, onLimit: () => Error): Promise<T> {
  const limit = Promise.withResolvers<never>();
  let parts = 0;
  const timer = setTimeout(() => {
    parts += 1;
    if (parts < PARTS) timer.refresh();
    else limit.reject(onLimit());
  }, limitMs / PARTS);
  try {
    return await Promise.race([work(), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
