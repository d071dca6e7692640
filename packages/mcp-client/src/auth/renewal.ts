/**
 * Renews the tokens of one guest, by one kernel at a time: servers treat a refresh token that is used twice as stolen,
 * and end the sign-in.
 */
import { pause } from '@chat-kernel/base';
import type { Clock } from '@chat-kernel/kernel';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { SignInNeeded } from '../rules/failures.ts';
import { RENEW_AHEAD_MS, RENEW_MS } from '../rules/limits.ts';
import { type Flow, isFinal, renew, whyNot } from './flow.ts';
import { type Grant, grantExpiry, type SignInRecord } from './record.ts';
import type { Records } from './records.ts';

/** How often to check whether another kernel has finished. */
const POLL_INTERVAL_MS = 250;

export class Renewal {
  readonly #guest: string;
  readonly #flow: Flow;
  readonly #records: Records;
  readonly #clock: Clock;
  /** All requests of this kernel wait for a single renewal. */
  #running: Promise<OAuthTokens> | undefined;

  constructor(guest: string, flow: Flow, records: Records, clock: Clock) {
    this.#guest = guest;
    this.#flow = flow;
    this.#records = records;
    this.#clock = clock;
  }

  /** Whether the access token has expired, or nearly so, and can be renewed. */
  isDue(grant: Grant): boolean {
    return (
      grant.tokens.refresh_token !== undefined && grantExpiry(grant) - RENEW_AHEAD_MS <= this.#clock.now()
    );
  }

  /**
   * Returns tokens that have neither expired nor been rejected.
   * @throws SignInNeeded if there are none; Error if the authorization server is unreachable now
   */
  tokens(refused?: OAuthTokens): Promise<OAuthTokens> {
    this.#running ??= this.#renewed(refused?.access_token).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #renewed(refused: string | undefined): Promise<OAuthTokens> {
    for (;;) {
      const grant = await this.#claim(refused);
      if (grant === 'busy') await pause(POLL_INTERVAL_MS, { clock: this.#clock });
      else if ('done' in grant) return grant.done;
      else {
        const tokens = await this.#renew(grant.claimed);
        if (tokens !== undefined) return tokens;
      }
    }
  }

  /** Claims the renewal for this kernel, unless there is nothing to renew, or another kernel is renewing. */
  async #claim(refused: string | undefined): Promise<{ done: OAuthTokens } | { claimed: Grant } | 'busy'> {
    let claimed: Grant | undefined;
    const isOld = (grant: Grant) => grant.tokens.access_token === refused || this.isDue(grant);
    const { grant } = await this.#records.change(record => {
      claimed = undefined;
      const now = this.#clock.now();
      const { grant } = record;
      if (grant === null || !isOld(grant) || grant.renewing_until > now) return record;
      // Without a refresh token, the rejected token cannot be replaced.
      if (grant.tokens.refresh_token === undefined) return { ...record, grant: null };
      claimed = { ...grant, renewing_until: now + RENEW_MS };
      return { ...record, grant: claimed };
    });
    if (claimed !== undefined) return { claimed };
    if (grant === null) throw new SignInNeeded(this.#guest);
    return isOld(grant) ? 'busy' : { done: grant.tokens };
  }

  /** Undefined if the sign-in was ended or replaced in the meantime. */
  async #renew(claimed: Grant): Promise<OAuthTokens | undefined> {
    const { way } = claimed;
    try {
      const tokens = await renew(this.#flow, way, claimed.tokens.refresh_token as string);
      const grant: Grant = { tokens, way, obtained_at: this.#clock.now(), renewing_until: 0 };
      const after = await this.#records.change(replacing(claimed, grant));
      return after.grant?.tokens === tokens ? tokens : undefined;
    } catch (error) {
      if (isFinal(error)) {
        await this.#records.change(replacing(claimed, null));
        throw new SignInNeeded(this.#guest);
      }
      await this.#records.change(replacing(claimed, { ...claimed, renewing_until: 0 }));
      const why = this.#records.hide(whyNot(error, this.#guest));
      // Without its cause, which may quote the request to the authorization server.
      throw new Error(`refreshing the sign-in failed: ${why}`);
    }
  }
}

/** Changes the record only if it still contains the claimed grant. */
const replacing =
  (claimed: Grant, grant: Grant | null) =>
  (record: SignInRecord): SignInRecord =>
    record.grant?.renewing_until === claimed.renewing_until &&
    record.grant.tokens.refresh_token === claimed.tokens.refresh_token
      ? { ...record, grant }
      : record;
