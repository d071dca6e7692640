/** Commands that attach a local file or image, and export a chat. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { attach } from '../editor/change.ts';
import { clipboardImage, readImage } from '../machine/images.ts';
import { typedPath } from '../machine/paths.ts';
import { type ChatCommand, requireChat } from './command.ts';

export const attachFile: ChatCommand = {
  name: 'attach',
  description: 'attach a file; @ completes its path',
  takes: '@<path>',
  async run(session, argument) {
    if (argument === '') throw new Error('Usage: /attach @path');
    const path = typedPath(session.store.get().workdir, argument);
    if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file.`);
    session.input.edit(state => attach(state, { kind: 'file', name: basename(path), path }));
  },
};

export const attachImage: ChatCommand = {
  name: 'image',
  description: 'attach an image from a file or the clipboard',
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
  description: 'export the chat to a new .md or .jsonl file',
  takes: '<path>',
  async run(session, argument) {
    const { id } = requireChat(session);
    const path = typedPath(session.store.get().workdir, argument || `chat-${id.slice(0, 8)}.md`);
    const format = path.endsWith('.jsonl') ? 'jsonl' : 'md';
    const answer = await session.client.exportChat(id, { format });
    // The flag `wx` fails for an existing file.
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), file);
    session.notices.notify(`Exported to ${path}`);
  },
};
