/**
 * Runs the steps of OAuth with the library: the page of the authorization server, the exchange of its code for tokens,
 * and renewals.
 */
import { NotPublic } from '@chat-kernel/net';
import {
  AuthorizationServerMismatchError,
  auth,
  exchangeAuthorization,
  type FetchLike,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  type OAuthTokens,
  RegistrationRejectedError,
  refreshAuthorization,
  type StoredOAuthClientInformation,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { describeError } from '../rules/failures.ts';
import { NoAnswer } from './auth-fetch.ts';
import type { Way } from './record.ts';

/** The details that a guest sent with its rejection. */
export interface Challenge {
  resource_metadata?: URL | undefined;
  scope?: string | undefined;
}

export interface Flow {
  /** The guest. */
  url: string;
  fetchFn: FetchLike;
  /** The client in the settings, if there is one. */
  named: StoredOAuthClientInformation | undefined;
}

interface Beginning {
  challenge: Challenge;
  redirect_uri: string;
  state: string;
  /** The data of an earlier sign-in, whose registration may be reused. */
  earlier: Way | null;
}

/** Finds the authorization server, registers with it if necessary, and returns the address of its page. */
export async function begin(
  { url, fetchFn, named }: Flow,
  { challenge, redirect_uri, state, earlier }: Beginning,
): Promise<{ page: URL; verifier: string; way: Way }> {
  let page: URL | undefined;
  let verifier = '';
  let found: OAuthDiscoveryState | undefined;
  let client = earlier?.redirect_uri === redirect_uri ? earlier.client : null;
  if (isOver(client)) client = null;
  const provider: OAuthClientProvider = {
    redirectUrl: redirect_uri,
    clientMetadata: {
      client_name: 'Chat Kernel',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => state,
    clientInformation: () => named ?? client ?? undefined,
    // Without it, the library uses the client in the settings, or reports that it belongs to another server.
    ...(named === undefined && {
      saveClientInformation: (information: StoredOAuthClientInformation) => {
        client = information;
      },
    }),
    // No tokens, so that nothing is renewed here: the owner has requested a sign-in.
    tokens: () => undefined,
    saveTokens: () => {},
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(discovered) {
      found = discovered;
    },
    redirectToAuthorization(address) {
      page = address;
    },
  };
  await auth(provider, {
    serverUrl: url,
    fetchFn,
    ...(challenge.resource_metadata && { resourceMetadataUrl: challenge.resource_metadata }),
    ...(challenge.scope !== undefined && { scope: challenge.scope }),
  });
  if (page === undefined || found === undefined) throw new Error('it names no sign-in page');
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new Error('its sign-in page is not an http or https URL');
  const way: Way = {
    authorization_server: found.authorizationServerUrl,
    metadata: found.authorizationServerMetadata,
    resource: page.searchParams.get('resource'),
    redirect_uri,
    client: named === undefined ? client : null,
  };
  return { page, verifier, way };
}

/** Registrations are treated as expired one minute early. */
const isOver = (client: StoredOAuthClientInformation | null): boolean => {
  const end = client !== null && 'client_secret_expires_at' in client ? client.client_secret_expires_at : 0;
  return end !== undefined && end !== 0 && end * 1000 < Date.now() + 60_000;
};

const getClient = ({ named }: Flow, { client }: Way): StoredOAuthClientInformation => {
  const known = named ?? client;
  if (known === null) throw new Error('the client_id in mcp.servers changed during the sign-in');
  return known;
};

/**
 * The token endpoint and the client. @throws AuthorizationServerMismatchError for another server than the settings name
 */
function asker(flow: Flow, way: Way) {
  const { authorization_server, metadata, resource } = way;
  const clientInformation = getClient(flow, way);
  const issuer = metadata?.issuer ?? authorization_server;
  const bound = flow.named?.issuer;
  if (bound !== undefined && bare(bound) !== bare(issuer))
    throw new AuthorizationServerMismatchError(bound, issuer);
  return { metadata, clientInformation, fetchFn: flow.fetchFn, ...(resource !== null && { resource }) };
}

const bare = (issuer: string): string => (issuer.endsWith('/') ? issuer.slice(0, -1) : issuer);

/** Checks that the answer comes from the requested server (RFC 9207). @throws IssuerMismatchError */
export const checkIssuer = ({ metadata }: Way, iss: string | undefined): void =>
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported:
      (metadata as { authorization_response_iss_parameter_supported?: boolean } | undefined)
        ?.authorization_response_iss_parameter_supported === true,
  });

/** Exchanges a code for tokens. */
export const redeem = (
  flow: Flow,
  way: Way,
  { code, verifier, iss }: { code: string; verifier: string; iss: string | undefined },
): Promise<OAuthTokens> =>
  exchangeAuthorization(way.authorization_server, {
    ...asker(flow, way),
    authorizationCode: code,
    codeVerifier: verifier,
    redirectUri: way.redirect_uri,
    ...(iss !== undefined && { iss }),
  });

/** Exchanges a refresh token for new tokens. */
export const renew = (flow: Flow, way: Way, refreshToken: string): Promise<OAuthTokens> =>
  refreshAuthorization(way.authorization_server, { ...asker(flow, way), refreshToken });

/** Codes of an authorization server that only the owner can resolve. */
const FINAL = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_dpop_proof',
  'invalid_scope',
]);

export const isFinal = (error: unknown): boolean =>
  (error instanceof OAuthError && FINAL.has(error.code)) || error instanceof AuthorizationServerMismatchError;

/**
 * Describes why a step failed. Includes only the code of an authorization server's error, because its text may repeat
 * what it was sent.
 */
export function whyNot(error: unknown, guest: string): string {
  const client = `mcp.servers.${guest}.oauth.client_id`;
  if (error instanceof OAuthError) {
    const code = /^[a-z_]{1,40}$/.test(error.code) ? error.code : 'an error';
    return `the authorization server returned ${code}`;
  }
  if (error instanceof RegistrationRejectedError)
    return `the authorization server rejected the registration of this kernel (HTTP ${error.status}); set ${client} to a registered client`;
  if (error instanceof Error && error.message.includes('dynamic client registration'))
    return `the authorization server does not support registration; get a client id there and set ${client}`;
  if (error instanceof IssuerMismatchError)
    return error.kind === 'metadata'
      ? 'its authorization server reports a different issuer'
      : 'the response came from a different authorization server';
  if (error instanceof AuthorizationServerMismatchError)
    return `its authorization server is not mcp.servers.${guest}.oauth.issuer`;
  if (error instanceof InsecureTokenEndpointError)
    return 'the token endpoint of the authorization server does not use https';
  if (error instanceof NotPublic)
    return `${error.message}; mcp.servers.${guest}.oauth.allow_private: true allows that`;
  if (error instanceof NoAnswer) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  if (code !== undefined && typeof code === 'string') return `no connection: ${code}`;
  // Errors of parsers quote their input.
  if (name === 'SyntaxError' || name === 'ZodError')
    return 'the authorization server returned an invalid OAuth response';
  return describeError(error);
}
