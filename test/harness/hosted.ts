/**
 * A hosted tool server that requires a sign-in, and the authorization server that it names: both use the server side of
 * the reference SDK. A refresh token is valid once; a second use ends the sign-in, as it would for a stolen token.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type {
  AuthorizationParams,
  OAuthServerProvider,
} from '@modelcontextprotocol/sdk/server/auth/provider.js';
import {
  createOAuthMetadata,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import express, { type RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { httpGuest } from '../../packages/mcp-client/test/fixtures/http-server.ts';
import { exchange } from './http.ts';

/** Part of every token, so that a test can search any text for tokens. */
export const TOKEN_MARK = 'tkn7Rq4Zw';

export interface Hosted {
  /** Of the tool server. */
  url: string;
  /** The authorization server. */
  issuer: string;
  /** The requests to the authorization server: path and headers. */
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** The authorization headers that the tool server received. */
  shown: Set<string>;
  /** How often tokens were issued, by grant. */
  given: { code: number; refresh: number };
  /** Refresh tokens that were used twice. */
  reused: number;
  /** Whether the user declines on the page. */
  declines: boolean;
  /** Whether the tool server rejects calls and repeats the token in the response. */
  repeats: boolean;
  /** Whether the tool server rejects every token for `tools/list`. */
  refusesLists: boolean;
  /** The tool server uses the authorization server of this one; null: its own. */
  movedTo: Hosted | null;
  /** Awaited before tokens are issued. */
  gate: Promise<void>;
  /** Rejects all access tokens issued so far. */
  expire(): void;
  /** Also rejects refresh tokens. */
  revoke(): void;
  verify: OAuthServerProvider['verifyAccessToken'];
}

interface Wanted {
  /** Seconds. */
  expires_in?: number;
  /** The only known client; default: every client that registers. */
  client?: { client_id: string; client_secret?: string };
}

const token = () => `${TOKEN_MARK}${randomBytes(16).toString('hex')}`;

/** Runs until the end of the test. @param atEnd receives the stop function, if the server must run longer */
export async function startHosted(
  { expires_in = 3600, client }: Wanted = {},
  atEnd: (stop: () => unknown) => void = stop => onTestFinished(() => void stop()),
): Promise<Hosted> {
  const guest = await httpGuest('2025-11-25');
  atEnd(() => guest.stop());
  const [authServer, issuer] = await listening(atEnd);
  const [toolServer, origin] = await listening(atEnd);
  const url = `${origin}/mcp`;
  const hosted: Hosted = {
    url,
    issuer,
    asked: [],
    shown: new Set(),
    given: { code: 0, refresh: 0 },
    reused: 0,
    declines: false,
    repeats: false,
    refusesLists: false,
    movedTo: null,
    verify: shown => provider.verifyAccessToken(shown),
    gate: Promise.resolve(),
    expire: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
  };
  const clients = new Map<string, OAuthClientInformationFull>();
  if (client) clients.set(client.client_id, { ...client, redirect_uris: [] } as OAuthClientInformationFull);
  const codes = new Map<string, AuthorizationParams>();
  const access = new Map<string, string>();
  const refresh = new Set<string>();
  const spent = new Set<string>();

  const give = (resource: URL | undefined): OAuthTokens => {
    const tokens = { access_token: token(), token_type: 'Bearer', expires_in, refresh_token: token() };
    access.set(tokens.access_token, String(resource));
    refresh.add(tokens.refresh_token);
    return tokens;
  };
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: id => withAnyRedirect(clients.get(id), hosted),
      ...(!client && {
        registerClient(registered: OAuthClientInformationFull) {
          clients.set(registered.client_id, registered);
          return registered;
        },
      }),
    },
    async authorize(_client, params, response) {
      const back = new URL(params.redirectUri);
      if (params.state !== undefined) back.searchParams.set('state', params.state);
      if (hosted.declines) back.searchParams.set('error', 'access_denied');
      else {
        const code = token();
        codes.set(code, params);
        back.searchParams.set('code', code);
      }
      response.redirect(back.href);
    },
    async challengeForAuthorizationCode(_client, code) {
      return codes.get(code)?.codeChallenge ?? '';
    },
    async exchangeAuthorizationCode(_client, code, _verifier, redirectUri, resource) {
      const begun = codes.get(code);
      codes.delete(code);
      if (begun === undefined || begun.redirectUri !== redirectUri)
        throw new InvalidGrantError('No such code');
      hosted.given.code += 1;
      await hosted.gate;
      return give(resource);
    },
    async exchangeRefreshToken(_client, old, _scopes, resource) {
      if (spent.has(old)) {
        hosted.reused += 1;
        hosted.revoke();
      }
      if (!refresh.delete(old)) throw new InvalidGrantError(`No such token: ${old}`);
      spent.add(old);
      hosted.given.refresh += 1;
      await hosted.gate;
      return give(resource);
    },
    async verifyAccessToken(shown) {
      if (hosted.movedTo) return hosted.movedTo.verify(shown);
      const resource = access.get(shown);
      if (resource === undefined) throw new InvalidTokenError(`Not good: ${shown}`);
      const soon = Math.floor(Date.now() / 1000) + 60;
      return { token: shown, clientId: 'any', scopes: [], expiresAt: soon, resource: new URL(resource) };
    },
  };
  const free = { rateLimit: false } as const;
  const issuerUrl = new URL(issuer);
  const noting: RequestHandler = ({ url: path = '', headers }, _response, next) => {
    hosted.asked.push({ path, headers });
    next();
  };
  authServer.on(
    'request',
    express().use(
      noting,
      mcpAuthRouter({
        provider,
        issuerUrl,
        authorizationOptions: free,
        tokenOptions: free,
        clientRegistrationOptions: free,
      }) as RequestHandler,
    ),
  );
  const forward: RequestHandler = async (request, response) => {
    const { method = '', headers } = request;
    hosted.shown.add(headers.authorization ?? '');
    const body = method === 'POST' ? await buffer(request) : undefined;
    if (hosted.repeats && body?.includes('tools/call')) {
      response.writeHead(403).end(`You said ${headers.authorization}`);
      return;
    }
    if (hosted.refusesLists && body?.includes('tools/list')) {
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
      return;
    }
    const answer = await exchange(guest.url, {
      method,
      headers: headers as Record<string, string>,
      ...(body && { body }),
    });
    response.writeHead(answer.statusCode ?? 0, answer.headers).flushHeaders();
    await pipeline(answer, response).catch(() => {});
  };
  toolServer.on(
    'request',
    express()
      .use(({ url: path = '' }, response, next) => {
        if (hosted.movedTo === null || !path.startsWith('/.well-known/oauth-protected-resource'))
          return next();
        const metadata = { resource: url, authorization_servers: [`${hosted.movedTo.issuer}/`] };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
      })
      .use(
        mcpAuthMetadataRouter({
          oauthMetadata: createOAuthMetadata({ provider, issuerUrl }),
          resourceServerUrl: new URL(url),
        }) as RequestHandler,
      )
      .all(
        '/mcp',
        requireBearerAuth({
          verifier: provider,
          resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(url)),
          expectedResource: new URL(url),
        }) as unknown as RequestHandler,
        forward,
      ),
  );
  return hosted;
}

/** A client that was not registered here may use whatever redirect address its kernel has. */
function withAnyRedirect(known: OAuthClientInformationFull | undefined, { asked }: Hosted) {
  if (known === undefined || known.redirect_uris.length > 0) return known;
  const page = asked.findLast(({ path }) => path.startsWith('/authorize'));
  const redirect = page && new URL(page.path, 'http://any').searchParams.get('redirect_uri');
  return { ...known, redirect_uris: redirect ? [redirect] : [] };
}

async function listening(atEnd: (stop: () => void) => void) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`] as const;
}
