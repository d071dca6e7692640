/**
 * Renews the tokens of one guest. One kernel at a time does: servers take a refresh token that comes twice for stolen,
 * and end the sign-in.
 */
import type { Clock } from '@chat-kernel/kernel';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { SignInNeeded } from '../rules/failures.ts';
import { RENEW_AHEAD_MS, RENEW_MS } from '../rules/limits.ts';
import { type Flow, isFinal, renew, whyNot } from './flow.ts';
import { endOf, type Grant, type SignInRecord } from './record.ts';
import type { Records } from './records.ts';

/** How often it is looked whether another kernel is done. */
const LOOK_MS = 250;

export class Renewal {
  readonly #guest: string;
  readonly #flow: Flow;
  readonly #records: Records;
  readonly #clock: Clock;
  /** All requests of this kernel wait for the one renewal. */
  #running: Promise<OAuthTokens> | undefined;

  constructor(guest: string, flow: Flow, records: Records, clock: Clock) {
    this.#guest = guest;
    this.#flow = flow;
    this.#records = records;
    this.#clock = clock;
  }

  /** Whether the access token is over, or nearly, and can be renewed. */
  isDue(grant: Grant): boolean {
    return grant.tokens.refresh_token !== undefined && endOf(grant) - RENEW_AHEAD_MS <= this.#clock.now();
  }

  /**
   * Returns tokens that are neither over nor those that were refused.
   * @throws SignInNeeded where there are none; Error where the authorization server cannot be asked now
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
      if (grant === 'busy') await this.#pause();
      else if ('done' in grant) return grant.done;
      else {
        const tokens = await this.#renew(grant.claimed);
        if (tokens !== undefined) return tokens;
      }
    }
  }

  /** Takes the renewal for this kernel, unless there is nothing to renew, or another one is at it. */
  async #claim(refused: string | undefined): Promise<{ done: OAuthTokens } | { claimed: Grant } | 'busy'> {
    let claimed: Grant | undefined;
    const isOld = (grant: Grant) => grant.tokens.access_token === refused || this.isDue(grant);
    const { grant } = await this.#records.change(record => {
      claimed = undefined;
      const now = this.#clock.now();
      const { grant } = record;
      if (grant === null || !isOld(grant) || grant.renewing_until > now) return record;
      // Without a refresh token the refused one is all there was.
      if (grant.tokens.refresh_token === undefined) return { ...record, grant: null };
      claimed = { ...grant, renewing_until: now + RENEW_MS };
      return { ...record, grant: claimed };
    });
    if (claimed !== undefined) return { claimed };
    if (grant === null) throw new SignInNeeded(this.#guest);
    return isOld(grant) ? 'busy' : { done: grant.tokens };
  }

  /** Undefined: the sign-in was ended or replaced meanwhile. */
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
      // Without its cause, which may quote what the authorization server was sent.
      throw new Error(`the sign-in could not be renewed: ${why}`);
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>(resolve => this.#clock.after(LOOK_MS, resolve));
  }
}

/** A change of the very grant that was claimed, and of no other. */
const replacing =
  (claimed: Grant, grant: Grant | null) =>
  (record: SignInRecord): SignInRecord =>
    record.grant?.renewing_until === claimed.renewing_until &&
    record.grant.tokens.refresh_token === claimed.tokens.refresh_token
      ? { ...record, grant }
      : record;
