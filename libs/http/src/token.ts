// `npm run -s token -- --organization mamaput [--hours 8]`: prints a token by which requests name that organization.
import { readLine, runCommandLine, UsageError } from '@shopflow/command-line';
import { organizationSettings, readConfig } from '@shopflow/config';
import Type from 'typebox';
import { isOrganization, signOrganizationToken } from './organization-token.js';

const USAGE = 'usage: npm run -s token -- --organization <1 to 64 of a-z, 0-9 and -> [--hours <1 to 8760, 8 unless given>]';
const LONGEST_HOURS = 8_760;

await runCommandLine('token', async (args) => {
  const { words, options } = readLine(args, { organization: 'text', hours: 'text' });
  const { organization = '', hours = '8' } = options;
  const known = /^[1-9]\d{0,3}$/.test(hours) && Number(hours) <= LONGEST_HOURS;
  if (words.length > 0 || !known || !isOrganization(organization)) throw new UsageError(USAGE);
  const { organizationKey } = readConfig(Type.Object(organizationSettings));
  return { lines: [await signOrganizationToken(organization, organizationKey, Number(hours))], ok: true };
});
