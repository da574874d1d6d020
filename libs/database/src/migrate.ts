import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/** One additive step of a schema; old and new code run together on the result. Never edited once released. */
export interface Migration {
  /** What it does and when it was written, as TypeORM wants it: `CreateOutbox1764500000000` (13 digits, which give the order). */
  readonly name: string;
  /** The statements. */
  readonly up: string;
}

/** Keeps two deploys from migrating one database at once. Any number that nothing else in the database uses. */
const LOCK = 7_272_751;

/**
 * Applies what is missing, oldest first, each in its own transaction, one process at a time.
 *
 * @returns the names that were applied now
 * @throws the server's error when one fails; those before it stay applied
 */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    applicationName: 'migrate',
    migrations: migrations.map(toTypeOrm),
    migrationsTableName: 'schema_migrations',
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}

function toTypeOrm({ name, up }: Migration): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(up);
    }
    async down(): Promise<void> {
      throw new Error(`${name} is additive and is not taken back; write a new migration`);
    }
  };
}
