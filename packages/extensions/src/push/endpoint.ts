/**
 * Where a subscription may lead (PUSH-4): the kernel calls whatever address it is given, so it must not be one that only
 * the kernel can reach. It is looked at twice, when it comes and at each connection, with the very address that is
 * connected to: a name may lead elsewhere by then.
 */
import { KernelError } from '@chat-kernel/protocol';
import { checkHost, hostOf, NotPublic, publicLookup } from '../addresses/public-only.ts';

/** What the owner of the kernel can do about it. */
const ALLOW = 'push.allow_private: true in the settings allows that';

/** The refusal as a sentence, without its full stop. */
export const notPublic = ({ message }: NotPublic): string => `${message}: ${ALLOW}`;

/** @throws KernelError invalid_value */
export async function checkEndpoint(endpoint: string, allowPrivate: boolean): Promise<void> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined) throw wrongEndpoint('It is no address.');
  if (url.username + url.password !== '') throw wrongEndpoint('It has a login in it, which is never sent.');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw wrongEndpoint(
      url.protocol === 'http:'
        ? 'It has to be https; push.allow_private: true in the settings allows http.'
        : `It has to be https, and is ${url.protocol}`,
    );
  }
  if (allowPrivate) return;
  try {
    checkHost(hostOf(url));
    await new Promise<void>((resolve, reject) => {
      publicLookup(hostOf(url), { all: true }, error => {
        // A name that leads nowhere now is looked at when something is sent.
        if (error instanceof NotPublic) reject(error);
        else resolve();
      });
    });
  } catch (error) {
    if (!(error instanceof NotPublic)) throw error;
    throw wrongEndpoint(`${notPublic(error)}.`);
  }
}

export function wrongEndpoint(detail: string, pointer = '/endpoint'): KernelError {
  return new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
}
