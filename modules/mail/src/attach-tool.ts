/** The tool that lets a model attach files of its chat to the answer to an email, after the owner has approved it. */
import { ToolError, tool, z } from '@chat-kernel/module-sdk';
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import { toSingleLine } from '@chat-kernel/text';
import { MAX_FILES, roomFor } from './files.ts';
import type { MailServices } from './services.ts';

/** The name of the tool in the kernel. */
export const ATTACH_TOOL = 'mail_attach';
const ATTACHED = /^(\/files\/[0-9a-f-]{36}): /gm;

/** @param services from `start`; undefined before it */
export const attachTool = (services: () => MailServices | undefined) =>
  tool({
    description:
      'Attaches files of the working directory, or attached files, to your answer to the current email. The owner is asked first.',
    trusted_only: true,
    effects: ['send'],
    asks: true,
    input: z.object({
      files: z
        .array(z.string().min(1).max(4096))
        .min(1)
        .max(MAX_FILES)
        .describe('In the working directory: absolute, or relative to it. Or file:ID of an attached file.'),
    }),
    async run({ files }, { context: { anchor }, filesToSend }) {
      const ready = services();
      if (!ready) throw new ToolError('The mailbox is not open yet. Try again in a moment.');
      const to = anchor && ready.store.mail(Number(anchor.chat_id)).sender;
      if (!to)
        throw new ToolError('This turn does not answer an email, so there is nothing to attach files to.');
      let room = roomFor(ready.settings);
      const copies = await filesToSend([...new Set(files)], { to }, ({ name, size }) => {
        room -= size;
        if (room < 0) throw new ToolError(`${name} (${sizeForPeople(size)}) is too large to attach.`);
      });
      const lines = copies.map(
        ({ id, name, size }) => `/files/${id}: ${toSingleLine(name)} (${sizeForPeople(size)})`,
      );
      return `The owner approved. Your answer will have these attachments:\n${lines.join('\n')}`;
    },
  });

/** The URLs of the copies that a successful call will attach. @param output of the tool */
export const attachedFiles = (output: string): string[] =>
  [...output.matchAll(ATTACHED)].map(([, url]) => url!);
