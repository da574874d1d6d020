const ASKER = "--who … --why '…'";

const USAGE: Readonly<Record<string, readonly string[]>> = {
  status: ['relay status [--source <source>] [--url http://host:port,…] [--json]'],
  adopt: [`relay adopt <source> [--since <time>] [--dry-run] [--json]  ${ASKER}`],
  aside: [
    'relay aside list    [--source <source>] [--topic <topic> --key <key>] [--json]',
    `relay aside retry   <event id …> | [--source <source>] --topic <topic> --key <key> | --all  [--dry-run] [--json]  ${ASKER}`,
    `relay aside discard <event id …> [--behind] | [--source <source>] --all  [--dry-run] [--json]  ${ASKER}`,
  ],
};

/** What `--help` prints of one command; of all for any other word. */
export const usageOf = (verb: string): string[] => [
  ...((Object.hasOwn(USAGE, verb) ? USAGE[verb] : undefined) ?? Object.values(USAGE).flat()),
  'more: docs/relay.md',
];
