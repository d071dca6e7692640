/**
 * Manages the sign-in to one guest: provides and renews its tokens, begins and ends sign-ins, and signs out (MCP-5).
 * Reads the stored record each time, because another kernel on the database may have changed it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Log, SignInAnswer, SignInEnd, SignInStore } from '@chat-kernel/kernel';
import { type Guest, KernelError, type McpServerSettings, type SignIn } from '@chat-kernel/protocol';
import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type InsufficientScopeError,
  type OAuthTokens,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { SignInNeeded } from '../rules/failures.ts';
import { SIGN_IN_MS, YOUNG_MS } from '../rules/limits.ts';
import { authFetch } from './auth-fetch.ts';
import { begin, type Challenge, checkIssuer, type Flow, redeem, whyNot } from './flow.ts';
import type { PendingSignIn, Way } from './record.ts';
import { Records } from './records.ts';
import { Renewal } from './renewal.ts';

interface GuestAuthDeps {
  signIns: SignInStore;
  clock: Clock;
  log: Log;
  /** The address to which authorization servers redirect the browser. */
  callback(): string;
}

export class GuestAuth implements AuthProvider {
  readonly #name: string;
  readonly #deps: GuestAuthDeps;
  readonly #flow: Flow;
  readonly #records: Records;
  readonly #renewal: Renewal;
  #challenge: Challenge = {};
  /** The access token of the last request. */
  #given: string | undefined;
  /** Whether the guest requires a sign-in, or a new one. */
  #wanted = false;

  /** @param entry of a guest with an address, and without an Authorization header */
  constructor(name: string, { url = '', oauth }: McpServerSettings, deps: GuestAuthDeps) {
    this.#name = name;
    this.#deps = deps;
    const { client_id, client_secret, issuer } = oauth ?? {};
    const named: StoredOAuthClientInformation | undefined =
      client_id === undefined
        ? undefined
        : { client_id, ...(client_secret && { client_secret }), ...(issuer && { issuer }) };
    this.#flow = { url, named, fetchFn: authFetch(new URL(url), oauth?.allow_private ?? false) };
    this.#records = new Records(name, url, deps.signIns);
    this.#renewal = new Renewal(name, this.#flow, this.#records, deps.clock);
  }

  /**
   * The access token for the next request. @throws SignInNeeded, or Error if it has expired and cannot be renewed now
   */
  token = async (): Promise<string | undefined> => {
    const { grant } = await this.#records.read();
    const tokens = grant !== null && this.#renewal.isDue(grant) ? await this.#tokens() : grant?.tokens;
    this.#given = tokens?.access_token;
    return this.#given;
  };

  /** Handles a rejected or missing token. @throws SignInNeeded, or Error if the token cannot be renewed now */
  onUnauthorized: NonNullable<AuthProvider['onUnauthorized']> = async ({ response }) => {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.#challenge = { resource_metadata: resourceMetadataUrl, scope };
    const { grant } = await this.#records.read();
    const isYoung = grant !== null && this.#deps.clock.now() - grant.obtained_at < YOUNG_MS;
    // A replacement would require a new sign-in by the owner; if the guest rejects the token again, it is invalid.
    if (isYoung && grant.tokens.refresh_token === undefined) return;
    await this.#tokens(grant?.tokens);
  };

  /** Records that the guest accepts its token. */
  accepted(): void {
    this.#wanted = false;
  }

  /** Records that the guest rejected a request with the last token. */
  async refused(): Promise<SignInNeeded> {
    // The owner may have signed in again in the meantime, here or at another kernel: those tokens stay.
    await this.#records.change(record =>
      record.grant !== null && record.grant.tokens.access_token === this.#given
        ? { ...record, grant: null }
        : record,
    );
    this.#wanted = true;
    return new SignInNeeded(this.#name);
  }

  /** Records that a call needs more rights than the token has; the next sign-in requests them, too. */
  async widen({ requiredScope, resourceMetadataUrl }: InsufficientScopeError): Promise<SignInNeeded> {
    const { grant } = await this.#records.read();
    const scope = computeScopeUnion(this.#challenge.scope, grant?.tokens.scope, requiredScope);
    this.#challenge = {
      scope,
      resource_metadata: resourceMetadataUrl ?? this.#challenge.resource_metadata,
    };
    this.#wanted = true;
    return new SignInNeeded(this.#name);
  }

  async state(): Promise<Guest['sign_in']> {
    const { pending, grant } = await this.#records.read();
    if (pending !== null && pending.expires_at > this.#deps.clock.now()) return 'waiting';
    if (this.#wanted) return 'needed';
    return grant === null ? 'none' : 'done';
  }

  /** @throws KernelError sign_in_failed */
  async begin(): Promise<SignIn> {
    const state = `${this.#name}.${randomBytes(32).toString('base64url')}`;
    const expires_at = this.#deps.clock.now() + SIGN_IN_MS;
    const { way: earlier } = await this.#records.read();
    try {
      const { page, verifier, way } = await begin(this.#flow, {
        challenge: this.#challenge,
        redirect_uri: this.#deps.callback(),
        state,
        earlier,
      });
      const pending: PendingSignIn = { state: hashState(state), verifier, way, expires_at };
      await this.#records.change(record => ({ ...record, way, pending }));
      return { url: page.href, expires_at: new Date(expires_at).toISOString() };
    } catch (error) {
      if (error instanceof KernelError) throw error;
      const why = this.hide(whyNot(error, this.#name));
      throw new KernelError('sign_in_failed', `${this.#name}: ${why}.`);
    }
  }

  /** Ends the sign-in with this state. Whatever the outcome, each state is valid only once. */
  async finish({ state = '', code, error, iss }: SignInAnswer): Promise<SignInEnd> {
    const { clock, log } = this.#deps;
    const pending = await this.#take(state);
    if (pending === null || pending.expires_at <= clock.now()) return 'unknown';
    const { way, verifier } = pending;
    try {
      checkIssuer(way, iss);
      if (code === undefined) {
        log.info({ server: this.#name }, 'a sign-in to an MCP server was declined');
        return error === 'access_denied' ? 'declined' : 'failed';
      }
      const tokens = await redeem(this.#flow, way, { code, verifier, iss });
      await this.#keep(way, tokens);
      log.info({ server: this.#name }, 'the owner has signed in to an MCP server');
      return 'done';
    } catch (cause) {
      const problem = this.hide(whyNot(cause, this.#name));
      log.warn({ server: this.#name, problem }, 'a sign-in to an MCP server failed');
      return 'failed';
    }
  }

  /** Deletes tokens, the registration, and a pending sign-in. */
  async forget(): Promise<void> {
    await this.#records.clear();
    this.#wanted = true;
  }

  /** Returns the text with `***` in place of all secrets that were ever stored for this guest's sign-in. */
  hide = (text: string): string => this.#records.hide(text);

  async #tokens(refused?: OAuthTokens): Promise<OAuthTokens> {
    try {
      return await this.#renewal.tokens(refused);
    } catch (error) {
      if (error instanceof SignInNeeded) this.#wanted = true;
      throw error;
    }
  }

  /** Removes the pending sign-in, so that no other request can end it. */
  async #take(state: string): Promise<PendingSignIn | null> {
    let taken: PendingSignIn | null = null;
    await this.#records.change(record => {
      taken =
        record.pending !== null && isSame(record.pending.state, hashState(state)) ? record.pending : null;
      return taken === null ? record : { ...record, pending: null };
    });
    return taken;
  }

  async #keep(way: Way, tokens: OAuthTokens): Promise<void> {
    const grant = { tokens, way, obtained_at: this.#deps.clock.now(), renewing_until: 0 };
    await this.#records.change(record => ({ ...record, grant }));
    this.#wanted = false;
  }
}

const hashState = (state: string): string => createHash('sha256').update(state).digest('base64url');

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
