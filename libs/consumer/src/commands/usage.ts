const FILTERS = '[--cause …] [--reason …] [--type …] [--key …] [--correlation …] [--subject …] [--since …] [--until …]';
const ASKER = "--why '…' [--who …]";

const USAGE: Readonly<Record<string, readonly string[]>> = {
  dlq: [
    `dlq list    --group <group> ${FILTERS} [--state open|replayed|discarded|all] [--all] [--limit n] [--json]`,
    'dlq show    --group <group> <event id> [--json]',
    `dlq replay  --group <group> <event id …> | filter  [--limit n] [--rate a second] [--edit file] [--json]  ${ASKER}`,
    `dlq replay  --group <group> <event id …> | filter  [--limit n] [--edit file] [--json]  --dry-run [--scan-limit n]`,
    `dlq discard --group <group> <event id …> | filter  [--limit n] [--rate a second] [--json]  ${ASKER} | --dry-run [--scan-limit n]`,
    `dlq export  --group <group> ${FILTERS} [--state …] [--limit n]`,
  ],
  groups: [
    'groups list    [--group <group>] [--json]',
    'groups lag     [--group <group>] [--json]',
    `groups pause   --group <group> [--json]  ${ASKER}`,
    `groups resume  --group <group> [--json]  ${ASKER}`,
    `groups rebuild --group <group> [--json]  [--yes ${ASKER}]`,
  ],
};

/** What `--help` prints of `dlq` or `groups`; of both for any other word. */
export const usageOf = (tool: string): string[] => [
  ...((Object.hasOwn(USAGE, tool) ? USAGE[tool] : undefined) ?? Object.values(USAGE).flat()),
  'more: libs/consumer/OPERATING.md',
];
