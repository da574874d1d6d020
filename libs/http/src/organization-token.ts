import { type JWTPayload, errors, jwtVerify, SignJWT } from 'jose';
import { Problem } from './problem.js';

/** Whoever issues tokens and whoever takes them: both are ShopFlow. */
const PARTY = 'shopflow';
const ORGANIZATION = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const isOrganization = (text: string): boolean => ORGANIZATION.test(text);

const CHALLENGE = { 'www-authenticate': 'Bearer' };
const REMEDY = 'Send `Authorization: Bearer <token>` with a token that is signed with the key of this system, or leave it out.';

/**
 * The organization that an `authorization` header names, by a JWT (HS256) with the claims `org`, `exp`, `iss` and `aud`.
 *
 * @param key signs the tokens; undefined refuses every one
 * @throws Problem 401 saying what is wrong, never the token
 */
export async function organizationOf(authorization: string, key: string | undefined): Promise<string> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw refusal('the header `Authorization` has no bearer token');
  if (key === undefined) throw refusal('this service takes no tokens');
  const { org } = await verify(token, key);
  if (typeof org !== 'string' || !isOrganization(org)) throw refusal('its claim `org` is no organization (1 to 64 of a-z, 0-9 and -)');
  return org;
}

/** A token for {@link organizationOf}. */
export function signOrganizationToken(organization: string, key: string, hours: number): Promise<string> {
  if (!isOrganization(organization)) throw new RangeError(`"${organization}" is no organization: 1 to 64 of a-z, 0-9 and -`);
  return new SignJWT({ org: organization })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(PARTY)
    .setAudience(PARTY)
    .setIssuedAt()
    .setExpirationTime(`${hours}h`)
    .sign(bytesOf(key));
}

async function verify(token: string, key: string): Promise<JWTPayload> {
  const rules = { algorithms: ['HS256'], issuer: PARTY, audience: PARTY, requiredClaims: ['exp', 'org'] };
  try {
    return (await jwtVerify(token, bytesOf(key), rules)).payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw refusal(reasonOf(error));
  }
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim \`${error.claim}\` is missing or wrong`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is not of the key of this system';
  return 'it is no JWT signed with HS256';
}

const bytesOf = (key: string) => new TextEncoder().encode(key);

function refusal(why: string): Problem {
  const title = 'The token does not name an organization';
  return new Problem({ status: 401, kind: 'invalid-token', title, detail: `The token is refused: ${why}. ${REMEDY}`, headers: CHALLENGE });
}
