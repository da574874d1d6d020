import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A payload as it was really published, kept for ever: today's code must still read it. */
export interface Fixture {
  /** The version that it was published in. */
  readonly version: number;
  /** File name, e.g. `v2.json` or `v2-empty-name.json`. */
  readonly file: string;
  readonly payload: unknown;
}

/** A file of a fixtures folder. `version` is undefined where the name does not say it. */
export interface FixtureFile {
  readonly file: string;
  readonly version: number | undefined;
  readonly text: string;
}

/** Fixtures stay with the sources; the path is right from `src` and from `dist`. */
export const SOURCES = fileURLToPath(new URL('../src', import.meta.url));

const FIXTURE_NAME = /^v([1-9]\d*)(-[a-z0-9-]+)?\.json$/;

/**
 * Every fixture of an event, oldest version first. For contract tests: what a consumer must be able to read.
 *
 * @throws Error for a file whose name does not say its version, SyntaxError for one that is not JSON
 */
export function readFixtures(event: { readonly type: string }): Fixture[] {
  return listFixtures(event.type, SOURCES).map(({ file, version, text }) => {
    if (version === undefined) throw new Error(`${event.type}: a fixture is named v<version>.json, not ${file}`);
    return { version, file, payload: JSON.parse(text) as unknown };
  });
}

export function listFixtures(type: string, sources: string): FixtureFile[] {
  const folder = `${sources}/${folderOf(type)}/fixtures`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((file) => ({ file, version: versionOf(file), text: readFileSync(`${folder}/${file}`, 'utf8') }))
    .sort((a, b) => (a.version ?? 0) - (b.version ?? 0) || (a.file < b.file ? -1 : 1));
}

/** `order.contact-updated` lives in `order-contact-updated`. */
export const folderOf = (type: string): string => type.replaceAll('.', '-');

function versionOf(file: string): number | undefined {
  const digits = FIXTURE_NAME.exec(file)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
