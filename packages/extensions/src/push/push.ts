/** How word leaves the kernel: to browsers by Web Push, and to what the settings name. */
import type { PushSender } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { ProcessEnvironment } from '../processes/environment.ts';
import { notifiersOf } from './notifiers.ts';
import { WebPush } from './web-push.ts';

interface PushOptions {
  settings: Pick<Settings, 'push' | 'notify' | 'server'>;
  environment: ProcessEnvironment;
  /** Reads the key of this kernel, or makes it. */
  key: () => { public_key: string; private_key: string };
}

/** Names nobody, in the form that push services ask for. */
const NO_CONTACT = 'mailto:nobody@chat-kernel.invalid';

/** Push services take an address of the web for a contact, and not that of a machine which calls itself localhost. */
function contactAt(publicUrl: string | null): string {
  if (publicUrl === null) return NO_CONTACT;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' && hostname !== 'localhost' ? publicUrl : NO_CONTACT;
}

export function openPush({ settings: { push, notify, server }, environment, key }: PushOptions): PushSender {
  const { contact, allow_private: allowPrivate } = push;
  const webPush = new WebPush({ key, contact: contact ?? contactAt(server.public_url), allowPrivate });
  return {
    notifiers: notifiersOf(notify, environment),
    publicKey: () => webPush.publicKey(),
    check: target => webPush.check(target),
    send: (target, word, signal) => webPush.send(target, word, signal),
  };
}
