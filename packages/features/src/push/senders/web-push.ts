/**
 * Sends notifications to browsers by Web Push, encrypted for each (RFC 8030, 8291), in the name of this kernel (RFC
 * 8292).
 */
import { createECDH } from 'node:crypto';
import { NotPublic, requirePublic, socketHost } from '@chat-kernel/net';
import { KernelError, PUSH_REASONS, type PushNotification } from '@chat-kernel/protocol';
import { failed, type PushResult, type PushTarget, SENT } from '../sender.ts';
import { describeFailure, post } from './post.ts';

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
  /** The address by which a push service can contact the owner; null if the settings name none. */
  publicUrl: string | null;
  allowPrivate: boolean;
}

export class WebPush {
  readonly #deps: WebPushDeps;
  #key: KeyPair | undefined;

  constructor(deps: WebPushDeps) {
    this.#deps = deps;
  }

  /** The public key of this kernel, in base64url; created at the first call. */
  publicKey(): string {
    return this.#keyPair().public_key;
  }

  /** @throws KernelError invalid_value if the endpoint is not allowed, or the keys are not valid */
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

  /** Never rejects; ends when aborted. */
  async send(target: PushTarget, notification: PushNotification, signal: AbortSignal): Promise<PushResult> {
    const { allowPrivate } = this.#deps;
    try {
      const url = new URL(target.endpoint);
      if (!allowPrivate && url.protocol !== 'https:') return failed('the endpoint does not use https', false);
      const { headers, body } = await this.#encrypt(target, notification);
      const status = await post({ url, headers, body, signal, publicOnly: !allowPrivate });
      if (status >= 200 && status < 300) return SENT;
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
      contactAt(this.#deps.publicUrl),
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

/** A placeholder without a person, in the form that push services require. */
const NO_CONTACT = 'mailto:nobody@chat-kernel.invalid';

/** Push services accept a web address as contact, but not a machine that calls itself localhost. */
function contactAt(publicUrl: string | null): string {
  if (publicUrl === null) return NO_CONTACT;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' && hostname !== 'localhost' ? publicUrl : NO_CONTACT;
}

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
