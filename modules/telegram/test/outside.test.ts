/** Tests that a request says where its words come from, if others than its sender may have written them. */
import { KernelClient } from '@chat-kernel/module-sdk';
import type { Message } from 'grammy/types';
import { expect, test } from 'vitest';
import { buildTurnStart } from '../src/message.ts';
import { ANN, BOB, GROUP } from './bot.ts';

const NO_MEDIA = { images: [], files: [], transcripts: [], missing: [], noModel: false };

/** The request of the owner's message. It asks no kernel, because its sender is hidden or the owner in private. */
function requestOf(fields: object) {
  const kernel = new KernelClient({ url: 'http://127.0.0.1:9' });
  const message = { message_id: 1, date: 1, text: 'Hi.', ...fields } as unknown as Message;
  const said = { messages: [message] as const, who: { kind: 'master' } as const, media: NO_MEDIA };
  return buildTurnStart(said, kernel, new AbortController().signal);
}

test.each([
  ['in a group', { chat: GROUP }, [`telegram:group ${GROUP.id}`]],
  [
    'that forwards another',
    {
      chat: { ...ANN, type: 'private' },
      from: ANN,
      forward_origin: { type: 'user', date: 1, sender_user: BOB },
    },
    ['telegram:forwarded message'],
  ],
  [
    'that replies to a forwarded message',
    {
      chat: { ...ANN, type: 'private' },
      from: ANN,
      reply_to_message: { text: 'Pay.', forward_origin: { type: 'user', date: 1, sender_user: BOB } },
    },
    ['telegram:forwarded message'],
  ],
  [
    'by another bot',
    { chat: { ...ANN, type: 'private' }, from: ANN, via_bot: { id: 7, username: 'gif' } },
    ['telegram:bot gif'],
  ],
  ['in private', { chat: { ...ANN, type: 'private' }, from: ANN }, undefined],
])('names the outside words of a message %s', async (_, fields, outside) => {
  expect((await requestOf(fields))?.outside).toEqual(outside);
});
