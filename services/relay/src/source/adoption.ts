import type { Client, Pool } from 'pg';

/** A decision to read the outbox through a new slot, which a relay has not carried out to its end yet. */
export interface Adoption {
  readonly id: string;
  readonly who: string;
  readonly why: string;
  readonly requestedAt: string;
  /** As the database writes times; null: nothing is published again that is known to be published. */
  readonly since: string | null;
}

/** An adoption that this relay carries out: only its last attempt may finish it. */
export interface Attempt {
  readonly adoption: Adoption;
  readonly attempt: number;
}

export interface AdoptionRequest {
  readonly who: string;
  readonly why: string;
  readonly since: string | null;
  /** Events that it will publish first, as far as that is known now. */
  readonly rows: number;
}

const COLUMNS = 'id::text, who, why, created_at::text AS "requestedAt", since::text';

/** At most one is open at a time. */
export async function findOpenAdoption(pool: Pool): Promise<Adoption | undefined> {
  const { rows } = await pool.query<Adoption>(`SELECT ${COLUMNS} FROM relay_adoptions WHERE finished_at IS NULL`);
  return rows[0];
}

/** @returns the adoption, or undefined when another one is open */
export async function requestAdoption(pool: Pool, { who, why, since, rows: count }: AdoptionRequest): Promise<Adoption | undefined> {
  const { rows } = await pool.query<Adoption>(
    `INSERT INTO relay_adoptions (who, why, since, rows_at_request) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [who, why, since, count],
  );
  return rows[0];
}

/** The first start of a source is nobody's decision. */
export async function beginFirstStart(pool: Pool): Promise<Attempt> {
  await pool.query(`INSERT INTO relay_adoptions (who, why) VALUES ('relay', 'first start of the source') ON CONFLICT DO NOTHING`);
  const adoption = await findOpenAdoption(pool);
  if (adoption === undefined) throw new AdoptionOvertakenError();
  return beginAdoption(pool, adoption);
}

/**
 * Before the slot of an earlier attempt is dropped: a relay that has lost its connection, and does not know it yet, must not
 * finish the adoption from then on, or what lies between its slot and the next one would be skipped.
 */
export async function beginAdoption(pool: Pool, adoption: Adoption): Promise<Attempt> {
  const { rows } = await pool.query<{ attempt: number }>(
    'UPDATE relay_adoptions SET attempts = attempts + 1 WHERE id = $1 AND finished_at IS NULL RETURNING attempts AS attempt',
    [adoption.id],
  );
  if (rows[0] === undefined) throw new AdoptionOvertakenError();
  return { adoption, attempt: rows[0].attempt };
}

/** In the transaction that moves the progress. @throws AdoptionOvertakenError */
export async function finishAdoption(client: Client, { adoption, attempt }: Attempt, done: { published: number; skipped: number }) {
  const { rowCount } = await client.query(
    `UPDATE relay_adoptions SET finished_at = clock_timestamp(), published = $3, skipped = $4
     WHERE id = $1 AND attempts = $2 AND finished_at IS NULL`,
    [adoption.id, attempt, done.published, done.skipped],
  );
  if (rowCount !== 1) throw new AdoptionOvertakenError();
}

/** Another relay has begun or finished the adoption meanwhile. */
export class AdoptionOvertakenError extends Error {
  constructor() {
    super('another relay went on with the adoption of the slot');
    this.name = 'AdoptionOvertakenError';
  }
}
