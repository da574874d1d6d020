import { describe, expect, it } from 'vitest';
import { readEmailConfig } from './config.js';

const env = { DATABASE_URL: 'postgres://localhost/email', KAFKA_BROKERS: '127.0.0.1:9092' };

describe('the configuration of the email service', () => {
  it('has the numbers of the mail contract as its defaults', () => {
    expect(readEmailConfig(env)).toMatchObject({
      mailConcurrency: 5,
      mailTimeoutMs: 5_000,
      mailLeaseMs: 60_000,
      mailRetryDelaysMs: '2000,15000,60000',
    });
  });

  it('refuses a lease that a live worker could lose', () => {
    expect(() => readEmailConfig({ ...env, MAIL_LEASE_MS: '10000' })).toThrow(
      'MAIL_LEASE_MS is 10000; wanted: more than MAIL_TIMEOUT_MS (5000) and 5000 ms',
    );
    expect(readEmailConfig({ ...env, MAIL_LEASE_MS: '10001' }).mailLeaseMs).toBe(10_001);
  });

  it('refuses waits that are not numbers, naming the setting', () => {
    expect(() => readEmailConfig({ ...env, MAIL_RETRY_DELAYS_MS: '2s,15s' })).toThrow('MAIL_RETRY_DELAYS_MS is "2s,15s"');
  });

  it('does everything in one process unless told otherwise, and knows no further roles', () => {
    expect(readEmailConfig(env).emailRole).toBe('all');
    expect(readEmailConfig({ ...env, EMAIL_ROLE: 'worker' }).emailRole).toBe('worker');
    expect(() => readEmailConfig({ ...env, EMAIL_ROLE: 'sender' })).toThrow('EMAIL_ROLE is "sender"');
  });
});
