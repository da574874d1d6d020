import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { ConfigError, DEVELOPMENT_KEY, readConfig, serviceSettings, setting } from './index.js';

const schema = Type.Object({
  ...serviceSettings({ port: 3001 }),
  databaseUrl: setting.url({ meaning: 'database of this service' }),
  leaseMs: setting.milliseconds({ default: 60_000, minimum: 1_000, meaning: 'how long a claim lasts' }),
});
const good = { DATABASE_URL: 'postgres://user:secret@127.0.0.1:5432/orders' };

function faultsOf(env: Record<string, string>, rules: Parameters<typeof readConfig<typeof schema>>[2] = []): readonly string[] {
  try {
    readConfig(schema, env, rules);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('reads a setting from its environment variable and fills in defaults', () => {
    expect(readConfig(schema, { ...good, PORT: '0', LEASE_MS: '5000' })).toEqual({
      host: '127.0.0.1',
      port: 0,
      organizationKey: DEVELOPMENT_KEY,
      logLevel: 'info',
      databaseUrl: good.DATABASE_URL,
      leaseMs: 5000,
    });
  });

  it('takes an empty variable as not set', () => {
    expect(readConfig(schema, { ...good, PORT: '' }).port).toBe(3001);
  });

  it('lists every fault at once, with what is wanted and what the setting means', () => {
    expect(faultsOf({ PORT: '70000', LOG_LEVEL: 'loud', LEASE_MS: '1.5' })).toEqual([
      'PORT is "70000"; wanted: a whole number from 0 to 65535 (HTTP port; 0 takes a free one)',
      'LOG_LEVEL is "loud"; wanted: one of debug, info, warn, error (least severe log lines to write)',
      'DATABASE_URL is not set; wanted: a URL (database of this service)',
      'LEASE_MS is "1.5"; wanted: a whole number from 1000 (how long a claim lasts)',
    ]);
  });

  it.each(['12abc', '0x10', '1e3', ' 7', 'NaN', '-'])('does not turn %j into a number', (value) => {
    expect(faultsOf({ ...good, LEASE_MS: value })).toHaveLength(1);
  });

  it.each(['postgres:/u:s3cret@h:5432/x', 'POSTGRES://u:s3cret@h/x', 'u:p@s3cret@h', 's3cret'])('never shows a password: %s', (url) => {
    const [fault = ''] = faultsOf({ DATABASE_URL: url });
    expect(fault).toContain('DATABASE_URL is no URL');
    expect(fault).not.toContain('s3cret');
  });

  it('checks rules over several settings once each setting is right by itself', () => {
    const rule = ({ leaseMs }: { leaseMs: number }) => (leaseMs > 10_000 ? undefined : 'LEASE_MS must exceed 10000');
    expect(faultsOf(good, [rule])).toEqual([]);
    expect(faultsOf({ ...good, LEASE_MS: '10000' }, [rule])).toEqual(['LEASE_MS must exceed 10000']);
  });
});
