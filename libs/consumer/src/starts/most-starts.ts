/** So many tries of an event may end with their process; then it is refused. */
export const MOST_STARTS = 3;
