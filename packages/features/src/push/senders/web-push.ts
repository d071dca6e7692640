/**
 * Sends notifications to browsers by Web Push, encrypted for each (RFC 8030, 8291), in the name of this kernel (RFC
 * 8292).
 */
import { createECDH } from 'node:crypto';
import { NotPublic, requirePublic, socketHost } from '@chat-kernel/net';
import { KernelError, PUSH_REASONS, type PushNotification } from '@chat-kernel/protocol';
import type { PushResult, PushTarget } from '../sender.ts';
import { describeFailure, post } from './post.ts';

const TIMEOUT_MS = 10_000;
/** How long a push service keeps a notification for an unreachable browser. */
const TTL_SECS = 24 * 60 * 60;
const ENCODING = 'aes128gcm';
/** The name of the curve P-256. */
const CURVE = 'prime256v1';

/** Both in base64url. */
interface KeyPair {
  public_key: string;
  private_key: string;
}

interface WebPushDeps {
  /** Reads the key of this kernel, or creates it. */
  key: () => KeyPair;
  /** A mail or web address by which a push service can contact the owner. */
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
    return this.#keyPair().public_key;
  }

  /** @throws KernelError invalid_value */
  async check({ endpoint, p256dh }: PushTarget): Promise<void> {
    await checkEndpoint(endpoint, this.#deps.allowPrivate);
    try {
      const curve = createECDH(CURVE);
      curve.generateKeys();
      curve.computeSecret(p256dh, 'base64url');
    } catch {
      // The message of the library would repeat its input.
      throw wrongEndpoint('It is not a point of P-256.', '/keys/p256dh');
    }
  }

  /** Never rejects. */
  async send(target: PushTarget, notification: PushNotification, signal: AbortSignal): Promise<PushResult> {
    const { allowPrivate } = this.#deps;
    try {
      const url = new URL(target.endpoint);
      if (!allowPrivate && url.protocol !== 'https:') return failed('the endpoint does not use https', false);
      const { headers, body } = await this.#encrypt(target, notification);
      const status = await post({
        url,
        headers,
        body,
        timeout_ms: TIMEOUT_MS,
        signal,
        publicOnly: !allowPrivate,
      });
      if (status >= 200 && status < 300) return { outcome: 'sent', detail: null, passing: false };
      const detail = `the push service returned ${status}`;
      const isGone = status === 404 || status === 410;
      return isGone ? { outcome: 'gone', detail, passing: false } : failed(detail, true);
    } catch (error) {
      return error instanceof NotPublic
        ? failed(notPublic(error), false)
        : failed(describeFailure(error), true);
    }
  }

  async #encrypt(
    { endpoint, p256dh, auth }: PushTarget,
    notification: PushNotification,
  ): Promise<{ headers: Record<string, string>; body: Buffer }> {
    const { public_key, private_key } = this.#keyPair();
    // Most kernels never need this library, so the first notification loads it.
    const { default: webPush } = await import('web-push');
    const { cipherText } = webPush.encrypt(p256dh, auth, JSON.stringify(notification), ENCODING);
    const { Authorization: authorization } = webPush.getVapidHeaders(
      new URL(endpoint).origin,
      this.#deps.contact,
      public_key,
      private_key,
      ENCODING,
    );
    return {
      headers: {
        authorization,
        'content-type': 'application/octet-stream',
        'content-encoding': ENCODING,
        ttl: String(TTL_SECS),
        urgency: notification.type === 'test' ? 'normal' : PUSH_REASONS[notification.type].urgency,
      },
      body: cipherText,
    };
  }

  #keyPair(): KeyPair {
    this.#key ??= this.#deps.key();
    return this.#key;
  }
}

const failed = (detail: string, passing: boolean): PushResult => ({ outcome: 'failed', detail, passing });

/** The setting that permits it. */
const ALLOW = 'push.allow_private: true in the settings allows that';

/** The rejection as a sentence without its period. */
const notPublic = ({ message }: NotPublic): string => `${message}: ${ALLOW}`;

/**
 * Checks the endpoint of a subscription (PUSH-4): the kernel calls the given address, so it must not be one that only
 * the kernel can reach. It is checked on subscription and again on each connection, because a name may resolve to
 * another address by then.
 * @throws KernelError invalid_value
 */
async function checkEndpoint(endpoint: string, allowPrivate: boolean): Promise<void> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined) throw wrongEndpoint('It is not a URL.');
  if (url.username + url.password !== '')
    throw wrongEndpoint('It contains credentials, which are never sent. Remove them.');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw wrongEndpoint(
      url.protocol === 'http:'
        ? 'It must use https. push.allow_private: true in the settings allows http.'
        : `It must use https, not ${url.protocol}`,
    );
  }
  if (allowPrivate) return;
  try {
    await requirePublic(socketHost(url));
  } catch (error) {
    if (!(error instanceof NotPublic)) throw error;
    throw wrongEndpoint(`${notPublic(error)}.`);
  }
}

function wrongEndpoint(detail: string, pointer = '/endpoint'): KernelError {
  return new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
}
