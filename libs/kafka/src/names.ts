/** The topic's name on the broker: `shopflow.orders.events`. Everything in the database keeps the logical name. */
export const physicalTopic = (namespace: string, topic: string): string => `${namespace}.${topic}`;

/** The logical name again, or undefined for a topic of another namespace. */
export const logicalTopic = (namespace: string, physical: string): string | undefined =>
  physical.startsWith(`${namespace}.`) ? physical.slice(namespace.length + 1) : undefined;

/** The consumer group's name on the broker: `shopflow.email`. */
export const physicalGroup = (namespace: string, group: string): string => `${namespace}.${group}`;
