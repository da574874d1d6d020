// npm run contracts:lock: adds new versions and fixtures to the lock; an entry that is there is never changed.
import { events } from './events.js';
import { SOURCES } from './fixtures.js';
import { extendLock } from './lock/check-contracts.js';
import { readLock, writeLock } from './lock/lock.js';
import { report } from './lock/report.js';

const { lock, faults } = extendLock(events, SOURCES, readLock());
if (faults.length === 0) writeLock(lock);
report(faults, 'the lock holds every released version; commit contracts/contracts.lock.json');
