/** Sends push notifications to browsers by Web Push, and to the programs and addresses that the settings name. */
import type { ProcessEnvironment } from '@chat-kernel/hands/processes';
import type { Settings } from '@chat-kernel/protocol';
import type { PushSender } from '../sender.ts';
import { createNotifiers } from './notifiers.ts';
import { WebPush } from './web-push.ts';

interface SenderOptions {
  settings: Pick<Settings, 'push' | 'notify' | 'server'>;
  environment: ProcessEnvironment;
  /** Reads the key of this kernel, or creates it. */
  key: () => { public_key: string; private_key: string };
}

/** A placeholder without a person, in the form that push services require. */
const NO_CONTACT = 'mailto:nobody@chat-kernel.invalid';

/** Push services accept a web address as contact, but not a machine that calls itself localhost. */
function contactAt(publicUrl: string | null): string {
  if (publicUrl === null) return NO_CONTACT;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' && hostname !== 'localhost' ? publicUrl : NO_CONTACT;
}

export function openSender({
  settings: { push, notify, server },
  environment,
  key,
}: SenderOptions): PushSender {
  const contact = contactAt(server.public_url);
  const webPush = new WebPush({ key, contact, allowPrivate: push.allow_private });
  return {
    notifiers: createNotifiers(notify, environment),
    publicKey: () => webPush.publicKey(),
    check: target => webPush.check(target),
    send: (target, word, signal) => webPush.send(target, word, signal),
  };
}
