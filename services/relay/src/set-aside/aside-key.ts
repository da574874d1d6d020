/** Prefix of the messages that tell the relay, at their place in the log, to look at a key again: `{"topic":…,"key":…}`. */
export const ASIDE_PREFIX = 'relay-aside';

/** One text for topic and key: no topic has a line break in its name. */
export const asideKey = (topic: string, key: string): string => `${topic}\n${key}`;

/** Values as the text that the server sent. */
export const asText = { getTypeParser: () => (value: string) => value };
