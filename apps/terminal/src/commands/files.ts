/** Commands that send a file of this machine along, or write one. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { attach } from '../editor/change.ts';
import { clipboardImage, readImage } from '../machine/images.ts';
import { typedPath } from '../machine/paths.ts';
import { type ChatCommand, chatOf } from './command.ts';

export const attachFile: ChatCommand = {
  name: 'attach',
  description: 'send a file along; @ completes its path',
  takes: '@<path>',
  async run(session, argument) {
    if (argument === '') throw new Error('Which file? /attach @path');
    const path = typedPath(session.store.get().workdir, argument);
    if (!(await stat(path)).isFile()) throw new Error(`${path} is no file`);
    session.input.edit(state => attach(state, { kind: 'file', name: basename(path), path }));
  },
};

export const attachImage: ChatCommand = {
  name: 'image',
  description: 'show it an image: of a file, or of the clipboard',
  takes: '@<path>',
  async run(session, argument) {
    const { workdir } = session.store.get();
    const image = argument === '' ? await clipboardImage() : await readImage(typedPath(workdir, argument));
    if (image === null) throw new Error('There is no image in the clipboard.');
    session.input.edit(state => attach(state, image));
  },
};

export const exportChat: ChatCommand = {
  name: 'export',
  description: 'write the chat to a new file, .md or .jsonl',
  takes: '<path>',
  async run(session, argument) {
    const { id } = chatOf(session);
    const path = typedPath(session.store.get().workdir, argument || `chat-${id.slice(0, 8)}.md`);
    const format = path.endsWith('.jsonl') ? 'jsonl' : 'md';
    const answer = await session.client.open('GET', '/v1/chats/{id}/export', {
      path: { id },
      query: { format },
    });
    // An existing file is never overwritten.
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), file);
    session.notices.notify(`Written: ${path}`);
  },
};
