/** What the server says about itself, in the words of its own settings. */
export interface PostgresFacts {
  readonly version: number;
  readonly wal_level: string;
  readonly free_slots: number;
  readonly free_senders: number;
  readonly existing_slots: string[];
  readonly may_create_databases: boolean;
  readonly may_replicate: boolean;
  readonly keep_size_mb: number;
}

/** Who asked, and where. */
interface Asked {
  readonly user?: string | undefined;
  readonly host: string;
  readonly port: number;
}

/** The first that has uuidv7(), which gives events written by hand their id. */
const OLDEST = 18;

/** What is wrong with it, one line each, with what to do about it. */
export function faultsOf(facts: PostgresFacts, slots: readonly string[], { user, host, port }: Asked): string[] {
  const missing = slots.length - facts.existing_slots.length;
  const at = `PostgreSQL at ${host}:${port}`;
  const set = (setting: string) => `set ${setting} and restart the server`;
  const checks: [boolean, string][] = [
    [
      facts.version >= OLDEST,
      `${at} is version ${facts.version}: ShopFlow needs ${OLDEST} or newer, its tables use uuidv7(); upgrade it, or correct DATABASE_URL`,
    ],
    [facts.wal_level === 'logical', `${at} has wal_level=${facts.wal_level}, so the outbox cannot be read: ${set('wal_level=logical')}`],
    [
      facts.free_slots >= missing,
      `${at} has ${facts.free_slots} free replication slots and ${missing} are needed: drop unused ones, or raise max_replication_slots`,
    ],
    [facts.free_senders >= missing, `${at} has ${facts.free_senders} free WAL senders and ${missing} are needed: raise max_wal_senders`],
    [facts.may_create_databases, `${at}: ${user} may not create databases: ALTER ROLE "${user}" CREATEDB`],
    [facts.may_replicate, `${at}: ${user} may not replicate: ALTER ROLE "${user}" REPLICATION`],
  ];
  return checks.filter(([holds]) => !holds).map(([, fault]) => fault);
}

/** What works, but somebody should know. -1 is "no limit", and PostgreSQL's default. */
export const warningsOf = ({ keep_size_mb }: PostgresFacts): string[] =>
  keep_size_mb >= 0
    ? []
    : ['max_slot_wal_keep_size is unlimited: a relay that stays away fills the disk of PostgreSQL; set it, e.g. to 20GB'];
