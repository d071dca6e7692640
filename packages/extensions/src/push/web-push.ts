/** Web Push: words to browsers, encrypted for each (RFC 8030, 8291), in the name of this kernel (RFC 8292). */
import { createECDH } from 'node:crypto';
import type { PushResult, PushTarget } from '@chat-kernel/kernel';
import type { PushWord } from '@chat-kernel/protocol';
import { checkHost, hostOf, NotPublic, publicLookup } from '../addresses/public-only.ts';
import { checkEndpoint, notPublic, wrongEndpoint } from './endpoint.ts';
import { post, reasonOf } from './post.ts';

const TIMEOUT_MS = 10_000;
/** How long a push service keeps a word for a browser that is away. */
const KEPT_SECS = 24 * 60 * 60;
const ENCODING = 'aes128gcm';
/** Of the curve P-256. */
const CURVE = 'prime256v1';

/** Both in base64url. */
interface KeyPair {
  public_key: string;
  private_key: string;
}

interface WebPushDeps {
  /** Reads the key of this kernel, or makes it. */
  key: () => KeyPair;
  /** An address of mail or of the web, by which a push service reaches the owner. */
  contact: string;
  allowPrivate: boolean;
}

export class WebPush {
  readonly #deps: WebPushDeps;
  #key: KeyPair | undefined;

  constructor(deps: WebPushDeps) {
    this.#deps = deps;
  }

  publicKey(): string {
    return this.#pair().public_key;
  }

  /** @throws KernelError invalid_value */
  async check({ endpoint, p256dh }: PushTarget): Promise<void> {
    await checkEndpoint(endpoint, this.#deps.allowPrivate);
    try {
      const curve = createECDH(CURVE);
      curve.generateKeys();
      curve.computeSecret(p256dh, 'base64url');
    } catch {
      // The reason of the library would repeat what it was given.
      throw wrongEndpoint('It is no point of P-256.', '/keys/p256dh');
    }
  }

  /** Never rejects. */
  async send(target: PushTarget, word: PushWord, signal: AbortSignal): Promise<PushResult> {
    const { allowPrivate } = this.#deps;
    try {
      const url = new URL(target.endpoint);
      if (!allowPrivate) {
        if (url.protocol !== 'https:') return failed('the endpoint is not https', false);
        checkHost(hostOf(url));
      }
      const { headers, body } = await this.#encrypted(target, word);
      const status = await post({
        url,
        headers,
        body,
        timeout_ms: TIMEOUT_MS,
        signal,
        ...(!allowPrivate && { lookup: publicLookup }),
      });
      if (status >= 200 && status < 300) return { outcome: 'sent', detail: null, passing: false };
      const detail = `the push service answered ${status}`;
      const isGone = status === 404 || status === 410;
      return isGone ? { outcome: 'gone', detail, passing: false } : failed(detail, true);
    } catch (error) {
      return error instanceof NotPublic ? failed(notPublic(error), false) : failed(reasonOf(error), true);
    }
  }

  async #encrypted(
    { endpoint, p256dh, auth }: PushTarget,
    word: PushWord,
  ): Promise<{ headers: Record<string, string>; body: Buffer }> {
    const { public_key, private_key } = this.#pair();
    // A library that most kernels never need is loaded with the first word.
    const { default: webPush } = await import('web-push');
    const { cipherText } = webPush.encrypt(p256dh, auth, JSON.stringify(word), ENCODING);
    const { Authorization: authorization } = webPush.getVapidHeaders(
      new URL(endpoint).origin,
      this.#deps.contact,
      public_key,
      private_key,
      ENCODING,
    );
    const urgent = word.type === 'request_opened' || word.type === 'spend_cap';
    return {
      headers: {
        authorization,
        'content-type': 'application/octet-stream',
        'content-encoding': ENCODING,
        ttl: String(KEPT_SECS),
        urgency: urgent ? 'high' : 'normal',
      },
      body: cipherText,
    };
  }

  #pair(): KeyPair {
    this.#key ??= this.#deps.key();
    return this.#key;
  }
}

const failed = (detail: string, passing: boolean): PushResult => ({ outcome: 'failed', detail, passing });
