/** Whether PostgreSQL can store the text: it takes neither NUL (22021, 22P05) nor half a surrogate pair (22P02). */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
