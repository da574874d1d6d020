// npm run contracts:check: fails when a released contract was edited, or a new one is not complete.
import { events } from './events.js';
import { SOURCES } from './fixtures.js';
import { checkContracts } from './lock/check-contracts.js';
import { readLock } from './lock/lock.js';
import { report } from './lock/report.js';

report(checkContracts(events, SOURCES, readLock()), `${events.length} events as released`);
