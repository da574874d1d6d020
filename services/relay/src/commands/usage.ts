const ASKER = "--who … --why '…'";

const USAGE: Readonly<Record<string, readonly string[]>> = {
  status: ['relay status [--source <source>] [--url http://host:port,…] [--json]'],
  adopt: [`relay adopt <source> [--since <time>] [--dry-run] [--json]  ${ASKER}`],
  aside: [
    'relay aside list    [--source <source>] [--topic <topic>] [--key <key>] [--json]',
    `relay aside retry   <event id …> | --key <key> [--topic <topic>] | --all [--topic <topic>]  [--source <source>] [--json]  ${ASKER} | --dry-run`,
    `relay aside discard <event id …> | --key <key> [--topic <topic>] | --all [--topic <topic>]  [--behind] [--source <source>] [--json]  ${ASKER} | --dry-run`,
  ],
};

/** What `--help` prints of one command; of all for any other word. */
export const usageOf = (verb: string): string[] => [
  ...((Object.hasOwn(USAGE, verb) ? USAGE[verb] : undefined) ?? Object.values(USAGE).flat()),
  'more: docs/relay.md',
];
