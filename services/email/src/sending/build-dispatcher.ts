import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import type { Logger } from '@shopflow/telemetry';
import { type EmailConfig, MARGIN_MS } from '../config.js';
import { Contacts } from '../contact/contact.js';
import { Invoices } from '../invoice/invoice.js';
import { Announcer } from '../ledger/announce.js';
import { BuryDelivery } from '../ledger/bury-delivery.js';
import { ClaimDue } from '../ledger/claim-due.js';
import { RecordOutcome } from '../ledger/record-outcome.js';
import { ReleaseClaim } from '../ledger/release-claim.js';
import { readDelays } from './decide-next.js';
import { Dispatcher } from './dispatcher.js';
import { MailProvider } from './mail-provider.js';
import { SendDelivery } from './send-delivery.js';

export type SendingConfig = Pick<
  EmailConfig,
  'mailProviderUrl' | 'mailConcurrency' | 'mailTimeoutMs' | 'mailLeaseMs' | 'mailRetryDelaysMs'
>;

export interface DispatcherParts {
  readonly dispatcher: Dispatcher;
  readonly claims: ClaimDue;
  readonly outcomes: RecordOutcome;
  readonly provider: Pick<MailProvider, 'send'>;
}

export interface DispatcherSurroundings {
  readonly logger: Logger;
  /** Decides when deliveries are due and leases over. */
  readonly clock?: () => Date;
  readonly random?: () => number;
  readonly onLetter?: () => void;
  /** Takes the e-mails in place of the one at the configured URL. */
  readonly provider?: Pick<MailProvider, 'send'>;
}

/** Puts the sending of e-mails together. */
export function buildDispatcher(database: Database, config: SendingConfig, surroundings: DispatcherSurroundings): DispatcherParts {
  const { logger, clock = () => new Date(), random = Math.random, onLetter = () => {} } = surroundings;
  const { mailConcurrency: atOnce, mailTimeoutMs: timeoutMs, mailLeaseMs: leaseMs } = config;
  const announcer = new Announcer(new Outbox('email'));
  const bury = new BuryDelivery(announcer);
  const claims = new ClaimDue(database, announcer, bury, { atOnce, timeoutMs, leaseMs, marginMs: MARGIN_MS });
  const retries = { delaysMs: readDelays(config.mailRetryDelaysMs), random };
  const outcomes = new RecordOutcome(database, new Contacts(), new Invoices(), announcer, bury, retries);
  const releases = new ReleaseClaim(database);
  const provider = surroundings.provider ?? new MailProvider(config.mailProviderUrl, timeoutMs);
  const send = new SendDelivery(provider, outcomes, releases, logger, clock);
  const worker = `${hostname()}/${randomUUID()}`;
  return { dispatcher: new Dispatcher(claims, releases, send, { worker, atOnce, clock, logger, onLetter }), claims, outcomes, provider };
}
