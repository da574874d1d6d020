import { type CrossRule, databaseSettings, kafkaSettings, readConfig, serviceSettings, setting } from '@shopflow/config';
import Type, { type Static } from 'typebox';

const schema = Type.Object({
  ...serviceSettings({ port: 3002 }),
  ...databaseSettings,
  ...kafkaSettings,
  mailProviderUrl: setting.url({ default: 'http://127.0.0.1:3025', meaning: 'base URL of the mail provider' }),
  mailConcurrency: setting.count({
    default: 5,
    minimum: 1,
    maximum: 100,
    meaning: 'e-mails at the provider at once, over all instances of this service',
  }),
  mailTimeoutMs: setting.milliseconds({ default: 5_000, minimum: 10, meaning: 'how long one call to the provider may take' }),
  mailLeaseMs: setting.milliseconds({ default: 60_000, meaning: 'after this long without a result a delivery is taken from its worker' }),
  mailRetryDelaysMs: Type.String({
    pattern: '^\\d{1,9}(,\\d{1,9}){0,9}$',
    default: '2000,15000,60000',
    description: 'longest wait before the 2nd, 3rd … attempt in milliseconds, separated by commas; one more attempt than there are waits',
  }),
  mailArchiveDays: setting.count({
    default: 90,
    minimum: 1,
    meaning: 'days after which a sent e-mail is moved from the ledger to its archive',
  }),
  emailRole: setting.choice(['all', 'api', 'worker'], {
    default: 'all',
    meaning: 'what this process does: api answers over HTTP, worker consumes events and sends e-mails, all does both',
  }),
  mailPollMs: setting.milliseconds({
    default: 1_000,
    minimum: 10,
    meaning: 'how often due deliveries are looked for when nothing announces them',
  }),
});

export type EmailConfig = Static<typeof schema>;

/** What a worker may need beside the provider's call: reading the contact before it, writing the result after it. */
export const MARGIN_MS = 5_000;

/** A live worker must never lose its lease: two of them would send the same e-mail at once. */
const leaseOutlastsCall: CrossRule<EmailConfig> = ({ mailLeaseMs, mailTimeoutMs }) =>
  mailLeaseMs > mailTimeoutMs + MARGIN_MS
    ? undefined
    : `MAIL_LEASE_MS is ${mailLeaseMs}; wanted: more than MAIL_TIMEOUT_MS (${mailTimeoutMs}) and ${MARGIN_MS} ms for reading and writing`;

/** @throws ConfigError naming every fault */
export const readEmailConfig = (env?: Readonly<Record<string, string | undefined>>): EmailConfig =>
  readConfig(schema, env, [leaseOutlastsCall]);

/** What the commands of an operator need of {@link EmailConfig}. */
export const readDatabaseUrl = (): string => readConfig(Type.Object(databaseSettings)).databaseUrl;
