const REASON_LENGTH = 1_000;

/** A reason as it is stored: bounded, without what PostgreSQL does not store in a text. */
export const boundReason = (reason: string): string => reason.replaceAll('\0', ' ').slice(0, REASON_LENGTH).toWellFormed();
