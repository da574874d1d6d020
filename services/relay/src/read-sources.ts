export interface SourceConfig {
  /** The service that owns the outbox: letters, digits and dashes. */
  readonly name: string;
  readonly databaseUrl: string;
}

const EXAMPLE = '[{"name":"orders","databaseUrl":"postgres://…"}]';
const NAME = /^[a-z][a-z0-9-]{0,30}$/;
const URL = /^postgres(ql)?:\/\/[^\s]+$/;

/** Reads the JSON list of sources; every fault at once, without the passwords that it may hold. */
export function readSources(json: string): { sources: readonly SourceConfig[]; faults: readonly string[] } {
  const list = parse(json);
  if (!Array.isArray(list) || list.length === 0)
    return { sources: [], faults: [`is not a JSON list with at least one source; wanted: ${EXAMPLE}`] };
  const faults = list.flatMap((source: unknown, index) => faultsOf(source, index));
  if (faults.length > 0) return { sources: [], faults };
  const sources = list as SourceConfig[];
  return { sources, faults: [...repeated(sources, 'name'), ...repeated(sources, 'databaseUrl')] };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // the message would show the text, and with it passwords
  }
}

function faultsOf(source: unknown, index: number): string[] {
  const { name, databaseUrl } = (source ?? {}) as Record<string, unknown>;
  const faults: string[] = [];
  if (typeof name !== 'string' || !NAME.test(name))
    faults.push(`source ${index + 1} needs a name like orders: small letters, digits and dashes`);
  if (typeof databaseUrl !== 'string' || !URL.test(databaseUrl))
    faults.push(`source ${index + 1} needs a databaseUrl like postgres://user:password@host:port/database`);
  return faults;
}

/** Two relays of one outbox would stand in each other's way. */
function repeated(sources: readonly SourceConfig[], field: keyof SourceConfig): string[] {
  const seen = new Set<string>();
  const isRepeated = (value: string) => seen.has(value) || !seen.add(value);
  return sources.flatMap((source, index) => (isRepeated(source[field]) ? [`source ${index + 1} repeats the ${field} of another one`] : []));
}
