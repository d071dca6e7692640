/** Defines the stored record of the sign-in to one guest, as JSON. All of it is secret. */
import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';

/** How to get tokens: the server, the resource, and the client. */
export interface Way {
  authorization_server: string;
  metadata?: AuthorizationServerMetadata | undefined;
  /** The requested resource of the tokens (RFC 8707); null if none was sent. */
  resource: string | null;
  /** The address to which the authorization server redirects the browser. */
  redirect_uri: string;
  /** The client that the kernel registered automatically; null if the settings define it. */
  client: StoredOAuthClientInformation | null;
}

/** A pending sign-in. */
export interface PendingSignIn {
  /** SHA-256 of the expected state, in base64url. */
  state: string;
  /** The verifier of PKCE. */
  verifier: string;
  way: Way;
  /** Milliseconds since 1970. */
  expires_at: number;
}

/** A successful sign-in. */
export interface Grant {
  tokens: OAuthTokens;
  way: Way;
  /** Milliseconds since 1970. */
  obtained_at: number;
  /** Until then, one kernel holds the right to renew the tokens. */
  renewing_until: number;
}

export interface SignInRecord {
  /** The guest's address, to which the whole record applies. */
  url: string;
  /** The newest registration, for the next sign-in. */
  way: Way | null;
  pending: PendingSignIn | null;
  grant: Grant | null;
}

/**
 * Parses the stored record. A record for another address is ignored, because the settings now name another server.
 * @param text null if nothing is stored
 */
export function parseRecord(text: string | null, url: string): SignInRecord {
  const nothing: SignInRecord = { url, way: null, pending: null, grant: null };
  if (text === null) return nothing;
  const record = JSON.parse(text) as SignInRecord;
  return record.url === url ? record : nothing;
}

/** The expiry of the access token, in milliseconds since 1970; a token without an expiry lasts until it is rejected. */
export const grantExpiry = ({ tokens, obtained_at }: Grant): number =>
  tokens.expires_in === undefined ? Number.POSITIVE_INFINITY : obtained_at + tokens.expires_in * 1000;

/** The secret texts in the record. */
export function secretsIn({ way, pending, grant }: SignInRecord): string[] {
  const ways = [way, pending?.way, grant?.way];
  const secrets = [
    grant?.tokens.access_token,
    grant?.tokens.refresh_token,
    grant?.tokens.id_token,
    pending?.verifier,
    ...ways.map(each => each?.client?.client_secret),
  ];
  return secrets.filter(each => each !== undefined && each !== '') as string[];
}
