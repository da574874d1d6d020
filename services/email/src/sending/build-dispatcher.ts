import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import type { Logger } from '@shopflow/telemetry';
import { type EmailConfig, MARGIN_MS } from '../config.js';
import { Contacts } from '../contact/contact.js';
import type { DeliveryMetrics } from '../metrics/delivery-metrics.js';
import { Invoices } from '../invoice/invoice.js';
import { Announcer } from '../ledger/announce.js';
import { BuryDelivery } from '../ledger/bury-delivery.js';
import { ClaimDue } from '../ledger/claim-due.js';
import { LedgerFlight } from '../ledger/ledger-flight.js';
import { RecordOutcomes } from '../ledger/record-outcome.js';
import { ReleaseClaims } from '../ledger/release-claim.js';
import { RenewLeases } from '../ledger/renew-leases.js';
import { readDelays } from './decide-next.js';
import { Dispatcher } from './dispatcher.js';
import { Flights } from './flights.js';
import { Heartbeat } from './heartbeat.js';
import { MailProvider } from './mail-provider.js';
import { SendDelivery } from './send-delivery.js';

export type SendingConfig = Pick<
  EmailConfig,
  'mailProviderUrl' | 'mailConcurrency' | 'mailTimeoutMs' | 'mailLeaseMs' | 'mailRetryDelaysMs'
>;

export interface DispatcherSurroundings {
  readonly logger: Logger;
  /** Decides when deliveries are due and leases over. */
  readonly clock?: () => Date;
  readonly random?: () => number;
  readonly onLetter?: () => void;
  readonly metrics?: DeliveryMetrics;
  /** Takes the e-mails in place of the one at the configured URL. */
  readonly provider?: Pick<MailProvider, 'send'>;
}

/** Puts the sending of e-mails together. */
export function buildDispatcher(database: Database, config: SendingConfig, surroundings: DispatcherSurroundings): Dispatcher {
  const { logger, clock = () => new Date(), random = Math.random, onLetter = () => {}, metrics } = surroundings;
  const provider = surroundings.provider ?? new MailProvider(config.mailProviderUrl, config.mailTimeoutMs);
  const flights = new Flights(buildLedger(database, config, random), clock, logger);
  const releases = new ReleaseClaims(database);
  const send = new SendDelivery(provider, flights, releases, logger, clock, metrics);
  const heartbeat = new Heartbeat(new RenewLeases(database), config.mailLeaseMs, clock, logger);
  const worker = `${hostname()}/${randomUUID()}`;
  const options = { worker, atOnce: config.mailConcurrency, logger, onLetter, metrics };
  return new Dispatcher(flights, releases, send, heartbeat, options);
}

/** What claims deliveries and writes their results down. */
export function buildLedger(database: Database, config: SendingConfig, random: () => number): LedgerFlight {
  const { mailConcurrency: atOnce, mailTimeoutMs: timeoutMs, mailLeaseMs: leaseMs } = config;
  const announcer = new Announcer(new Outbox('email'));
  const bury = new BuryDelivery(announcer);
  const claims = new ClaimDue(bury, { atOnce, timeoutMs, leaseMs, marginMs: MARGIN_MS });
  const retries = { delaysMs: readDelays(config.mailRetryDelaysMs), random };
  const outcomes = new RecordOutcomes(new Contacts(), new Invoices(), announcer, bury, retries);
  return new LedgerFlight(database, outcomes, claims, announcer);
}
