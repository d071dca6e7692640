/** The steps of OAuth as the library takes them: to the page of the authorization server, from its code to tokens, and on. */
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
import { NotPublic } from '../../addresses/public-only.ts';
import { reasonOf } from '../rules/failures.ts';
import { NoAnswer } from './auth-fetch.ts';
import type { Way } from './record.ts';

/** What a guest said with its refusal. */
export interface Challenge {
  resource_metadata?: URL | undefined;
  scope?: string | undefined;
}

export interface Flow {
  /** The guest. */
  url: string;
  fetchFn: FetchLike;
  /** The client of the settings, where they name one. */
  named: StoredOAuthClientInformation | undefined;
}

interface Beginning {
  challenge: Challenge;
  redirect_uri: string;
  state: string;
  /** The way of an earlier sign-in, whose registration may serve again. */
  earlier: Way | null;
}

/** Finds the authorization server, registers there where it has to, and returns the address of its page. */
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
    // Without it the library takes the client of the settings, or says that it is another server's.
    ...(named === undefined && {
      saveClientInformation: (information: StoredOAuthClientInformation) => {
        client = information;
      },
    }),
    // None, so that nothing is renewed here: a sign-in is what the owner has asked for.
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
  if (page === undefined || found === undefined) throw new Error('it names no page to sign in at');
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new Error('the page to sign in at is none of the web');
  const way: Way = {
    authorization_server: found.authorizationServerUrl,
    metadata: found.authorizationServerMetadata,
    resource: page.searchParams.get('resource'),
    redirect_uri,
    client: named === undefined ? client : null,
  };
  return { page, verifier, way };
}

/** A registration that ends does so a minute early. */
const isOver = (client: StoredOAuthClientInformation | null): boolean => {
  const end = client !== null && 'client_secret_expires_at' in client ? client.client_secret_expires_at : 0;
  return end !== undefined && end !== 0 && end * 1000 < Date.now() + 60_000;
};

const clientOf = ({ named }: Flow, { client }: Way): StoredOAuthClientInformation => {
  const known = named ?? client;
  if (known === null) throw new Error('mcp.servers no longer names the client_id that it began with');
  return known;
};

/** Where to ask for tokens, and as whom. @throws AuthorizationServerMismatchError for another server than the settings name */
function asker(flow: Flow, way: Way) {
  const { authorization_server, metadata, resource } = way;
  const clientInformation = clientOf(flow, way);
  const issuer = metadata?.issuer ?? authorization_server;
  const bound = flow.named?.issuer;
  if (bound !== undefined && bare(bound) !== bare(issuer))
    throw new AuthorizationServerMismatchError(bound, issuer);
  return { metadata, clientInformation, fetchFn: flow.fetchFn, ...(resource !== null && { resource }) };
}

const bare = (issuer: string): string => (issuer.endsWith('/') ? issuer.slice(0, -1) : issuer);

/** Checks that the answer is of the server that was asked (RFC 9207). @throws IssuerMismatchError */
export const checkIssuer = ({ metadata }: Way, iss: string | undefined): void =>
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported:
      (metadata as { authorization_response_iss_parameter_supported?: boolean } | undefined)
        ?.authorization_response_iss_parameter_supported === true,
  });

/** Changes a code into tokens. */
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

/** Changes a refresh token into new tokens. */
export const renew = (flow: Flow, way: Way, refreshToken: string): Promise<OAuthTokens> =>
  refreshAuthorization(way.authorization_server, { ...asker(flow, way), refreshToken });

/** Codes of an authorization server after which only the owner can help. */
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
 * Why a step failed, as a sentence. What an authorization server wrote is left out but for its code: it may repeat what
 * it was sent.
 */
export function whyNot(error: unknown, guest: string): string {
  const client = `mcp.servers.${guest}.oauth.client_id`;
  if (error instanceof OAuthError) {
    const code = /^[a-z_]{1,40}$/.test(error.code) ? error.code : 'an error';
    return `the authorization server answers ${code}`;
  }
  if (error instanceof RegistrationRejectedError)
    return `the authorization server does not register this kernel (HTTP ${error.status}); ${client} can name a client that it knows`;
  if (error instanceof Error && error.message.includes('dynamic client registration'))
    return `the authorization server registers nobody by itself; get a client id there, and name it in ${client}`;
  if (error instanceof IssuerMismatchError)
    return error.kind === 'metadata'
      ? 'its authorization server describes itself under another name (issuer) than it is asked by'
      : 'another authorization server answered than the one that was asked';
  if (error instanceof AuthorizationServerMismatchError)
    return `its authorization server is not mcp.servers.${guest}.oauth.issuer`;
  if (error instanceof InsecureTokenEndpointError)
    return 'the authorization server gives tokens without https';
  if (error instanceof NotPublic)
    return `${error.message}; mcp.servers.${guest}.oauth.allow_private: true allows that`;
  if (error instanceof NoAnswer) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  if (code !== undefined && typeof code === 'string') return `no connection: ${code}`;
  // Errors of parsers quote what they were given.
  if (name === 'SyntaxError' || name === 'ZodError')
    return 'the authorization server answers with what is no OAuth';
  return reasonOf(error);
}
