import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { organizationOf, signOrganizationToken } from './organization-token.js';

const KEY = 'a key of at least thirty-two characters';
const bytes = new TextEncoder().encode(KEY);
const claims = { org: 'mamaput', iss: 'shopflow', aud: 'shopflow', exp: 4_000_000_000 };
const signed = (payload: object, alg = 'HS256', key = bytes) => new SignJWT({ ...payload }).setProtectedHeader({ alg }).sign(key);
const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`;

it('reads the organization of a token that was signed with the key', async () => {
  const token = await signOrganizationToken('mamaput', KEY, 1);
  expect(await organizationOf(`Bearer ${token}`, KEY)).toBe('mamaput');
  expect(await organizationOf(`bearer ${await signed(claims)}`, KEY)).toBe('mamaput');
});

it.each([
  ['another key', () => signed(claims, 'HS256', new TextEncoder().encode(KEY.replace('a', 'b'))), 'its signature is not of the key'],
  ['another algorithm', () => signed(claims, 'HS512', new Uint8Array(64)), 'no JWT signed with HS256'],
  ['no signature', () => unsigned, 'no JWT signed with HS256'],
  ['no token at all', () => 'nonsense', 'no JWT signed with HS256'],
  ['a token of yesterday', () => signed({ ...claims, exp: 1_000 }), 'it has expired'],
  ['a token without an end', () => signed({ ...claims, exp: undefined }), 'its claim `exp` is missing or wrong'],
  ['a token without organization', () => signed({ ...claims, org: undefined }), 'its claim `org` is missing or wrong'],
  ['a token of another issuer', () => signed({ ...claims, iss: 'elsewhere' }), 'its claim `iss` is missing or wrong'],
  ['a token for others', () => signed({ ...claims, aud: 'elsewhere' }), 'its claim `aud` is missing or wrong'],
  ['an organization that is none', () => signed({ ...claims, org: '../x' }), 'its claim `org` is no organization'],
  ['an organization that is a list', () => signed({ ...claims, org: ['mamaput'] }), 'its claim `org` is no organization'],
])('refuses %s, and says why but not the token', async (_, make, why) => {
  const token = await make();
  const refusal = { status: 401, message: expect.stringContaining(why), headers: { 'www-authenticate': 'Bearer' } };
  const error: unknown = await organizationOf(`Bearer ${token}`, KEY).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject(refusal);
  expect((error as Error).message).not.toContain(token);
});

it.each(['', 'Basic dTpw', 'Bearer', 'Bearer a b'])('refuses the header %j, which has no token', async (header) => {
  await expect(organizationOf(header, KEY)).rejects.toMatchObject({ status: 401 });
});

it('refuses every token where no key is set', async () => {
  await expect(organizationOf(`Bearer ${await signed(claims)}`, undefined)).rejects.toMatchObject({ status: 401 });
});

it.each(['', 'Mama Put', 'x'.repeat(65), '-x'])('signs nothing for %j', (organization) => {
  expect(() => signOrganizationToken(organization, KEY, 1)).toThrow(RangeError);
});
