/** Tests files of a page: images are sent with the message, others are uploaded, and both return with the history. */
import { KernelClient } from '@chat-kernel/client';
import { beforeAll, expect, it } from 'vitest';
import { largePng } from '../../../test/harness/large-png.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { says } from '../../../test/harness/story.ts';
import { KernelChatTransport, loadHistory, uploadPart } from '../src/index.ts';
import { Page } from './page.ts';

let client: KernelClient;
const kernel = sharedKernel();
beforeAll(() => {
  client = new KernelClient({ url: kernel.url });
});

const dataUrl = (mediaType: string, bytes: Buffer) => `data:${mediaType};base64,${bytes.toString('base64')}`;

it('sends images, files of the page and stored files with a message, and again on a resend', async () => {
  const url = dataUrl('image/png', largePng(2, 2));
  const notes = { type: 'file', filename: 'nötes.txt', mediaType: 'text/plain' } as const;
  const stored = await uploadPart(client, new File(['a,b'], 'table.csv', { type: 'text/csv' }));
  kernel.upstream.next(says('Seen.'), says('Seen again.'));
  const page = new Page((await client.createChat()).id, new KernelChatTransport(client));
  await page.sendMessage({
    text: 'Look.',
    files: [
      { type: 'file', mediaType: 'image/png', url },
      { ...notes, url: dataUrl('text/plain', Buffer.from('Tea.')) },
      stored,
    ],
  });
  expect(page.error).toBeUndefined();
  const [message, answer] = await loadHistory(client, page.id);
  expect(message?.parts).toEqual([
    { type: 'file', mediaType: 'image/png', url },
    { ...notes, url: expect.stringContaining(`${kernel.url}/files/`) },
    stored,
    { type: 'text', text: 'Look.' },
  ]);
  expect(answer).toMatchObject({ parts: [{ text: 'Seen.' }] });
  const [, text] = message?.parts ?? [];
  expect(await (await fetch((text as typeof stored).url)).text()).toBe('Tea.');

  const opened = new Page(page.id, new KernelChatTransport(client), await loadHistory(client, page.id));
  await opened.regenerate();
  const [again] = await loadHistory(client, page.id);
  expect(again?.parts).toEqual(message?.parts);
  expect(again?.id).not.toBe(message?.id);
});

it('rejects a file with an external address, without sending or deleting a message', async () => {
  kernel.upstream.next(says('Here.'));
  const page = new Page((await client.createChat()).id, new KernelChatTransport(client));
  await page.sendMessage({ text: 'Here.' });
  const before = await loadHistory(client, page.id);
  await page.sendMessage({
    messageId: page.messages[0]?.id ?? '',
    text: 'There.',
    files: [{ type: 'file', mediaType: 'text/plain', url: 'https://example.org/a.txt' }],
  });
  expect(page.error?.message).toContain('example.org');
  expect(await loadHistory(client, page.id)).toEqual(before);
});
