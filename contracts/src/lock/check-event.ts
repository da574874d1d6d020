import type { EventContract } from '../contract.js';
import { type FixtureFile, listFixtures } from '../fixtures.js';
import { compilePayload } from '../payload.js';
import { readPayload } from '../read-payload.js';
import { contractPath, type Fault, fixturePath, folderPath } from './fault.js';

/** Whether every version of an event has what a release needs: an upcaster to the next, and fixtures that read. */
export function checkEvent(event: EventContract, sources: string): Fault[] {
  const files = listFixtures(event.type, sources);
  return [...missingUpcasters(event), ...missingFixtures(event, files), ...files.flatMap((file) => checkFixture(event, file))];
}

function missingUpcasters({ type, versions, upcasters }: EventContract): Fault[] {
  const steps = versions.slice(0, -1).filter(({ number }) => !upcasters.some(({ from }) => from === number));
  return steps.map(({ number }) => ({
    path: contractPath(type),
    rule: 'upcaster-missing',
    message: `no upcaster from ${type} v${number}; write one in v${number + 1}.ts and list it`,
  }));
}

function missingFixtures({ type, versions }: EventContract, files: readonly FixtureFile[]): Fault[] {
  const without = versions.filter(({ number }) => !files.some(({ version }) => version === number));
  return without.map(({ number }) => ({
    path: `${folderPath(type)}/fixtures/v${number}.json`,
    rule: 'fixture-missing',
    message: `${type} v${number} has no fixture; write a realistic payload of it`,
  }));
}

function checkFixture(event: EventContract, { file, version, text }: FixtureFile): Fault[] {
  const path = fixturePath(event.type, file);
  if (version === undefined) {
    return [{ path, rule: 'fixture-misnamed', message: 'a fixture is named v<version>.json or v<version>-<what is special>.json' }];
  }
  const reason = whyUnreadable(event, version, text);
  return reason === undefined ? [] : [{ path, rule: 'fixture-unreadable', message: reason }];
}

/** A fixture must match its own version as it was released, and be readable to today's code. */
function whyUnreadable(event: EventContract, version: number, text: string): string | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    const released = event.versions.find(({ number }) => number === version);
    const invalid = released ? compilePayload(released.schema).invalidFields(payload) : [];
    if (invalid.length > 0) return `it does not match the schema of ${event.type} v${version}: ${invalid.join(', ')}`;
    readPayload(event, version, payload);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
