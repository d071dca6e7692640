/**
 * Checks the endpoint of a subscription (PUSH-4): the kernel calls the given address, so it must not be one that only
 * the kernel can reach. It is checked on subscription and again on each connection, because a name may resolve to
 * another address by then.
 */
import { NotPublic, requirePublic, socketHost } from '@chat-kernel/net';
import { KernelError } from '@chat-kernel/protocol';

/** The setting that permits it. */
const ALLOW = 'push.allow_private: true in the settings allows that';

/** The rejection as a sentence without its period. */
export const notPublic = ({ message }: NotPublic): string => `${message}: ${ALLOW}`;

/** @throws KernelError invalid_value */
export async function checkEndpoint(endpoint: string, allowPrivate: boolean): Promise<void> {
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

export function wrongEndpoint(detail: string, pointer = '/endpoint'): KernelError {
  return new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
}
