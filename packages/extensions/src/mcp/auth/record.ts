/** What the kernel keeps of the sign-in to one guest, as the JSON that is stored. All of it is secret. */
import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';

/** How tokens are had: from which server, for what, and as whom. */
export interface Way {
  authorization_server: string;
  metadata?: AuthorizationServerMetadata | undefined;
  /** What the tokens are for (RFC 8707), as it was asked for; null: the server was not told. */
  resource: string | null;
  /** The address to which the authorization server sends the browser. */
  redirect_uri: string;
  /** As whom the kernel was registered by itself; null: as the settings say. */
  client: StoredOAuthClientInformation | null;
}

/** A sign-in that was begun. */
export interface PendingSignIn {
  /** SHA-256 of the state that has to come back, in base64url. */
  state: string;
  /** Of PKCE. */
  verifier: string;
  way: Way;
  /** Milliseconds since 1970. */
  expires_at: number;
}

/** A sign-in that has ended well. */
export interface Grant {
  tokens: OAuthTokens;
  way: Way;
  /** Milliseconds since 1970. */
  obtained_at: number;
  /** A kernel that renews the tokens has until then. */
  renewing_until: number;
}

export interface SignInRecord {
  /** The guest's address, which all of it is for. */
  url: string;
  /** The newest registration, for the next sign-in. */
  way: Way | null;
  pending: PendingSignIn | null;
  grant: Grant | null;
}

/**
 * Reads what is stored. What was for another address is taken for nothing: the settings name another server now.
 * @param text null: nothing is stored
 */
export function recordOf(text: string | null, url: string): SignInRecord {
  const nothing: SignInRecord = { url, way: null, pending: null, grant: null };
  if (text === null) return nothing;
  const record = JSON.parse(text) as SignInRecord;
  return record.url === url ? record : nothing;
}

/** When the access token is over, in milliseconds since 1970; a token that says nothing of it lasts until it is refused. */
export const endOf = ({ tokens, obtained_at }: Grant): number =>
  tokens.expires_in === undefined ? Number.POSITIVE_INFINITY : obtained_at + tokens.expires_in * 1000;

/** The texts in it that nobody may read. */
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
