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

export function openPush({ settings: { push, notify, server }, environment, key }: PushOptions): PushSender {
  const { contact, allow_private: allowPrivate } = push;
  const publicUrl = server.public_url?.startsWith('https:') ? server.public_url : null;
  const webPush = new WebPush({ key, contact: contact ?? publicUrl ?? NO_CONTACT, allowPrivate });
  return {
    notifiers: notifiersOf(notify, environment),
    publicKey: () => webPush.publicKey(),
    check: target => webPush.check(target),
    send: (target, word, signal) => webPush.send(target, word, signal),
  };
}
