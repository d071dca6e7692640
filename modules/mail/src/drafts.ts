/** Mails that a model writes to others: each lies in the folder of drafts until the owner consents, and goes out as it was shown. */
import { randomUUID } from 'node:crypto';
import { ToolError, tool, z } from '@chat-kernel/module-sdk';
import { ChatFiles, labelOf, MOST_FILES, NoFile, roomFor } from './files.ts';
import type { Folders } from './folders.ts';
import { type MailFile, written } from './outgoing.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';

/** What the kernel calls it when it asks for consent. */
export const DRAFT_ACTION = 'mail_draft';

export interface DraftServices {
  settings: MailSettings;
  store: MailStore;
  folders: Folders;
  /** Called when a mail is in the outbox. */
  onMail: () => void;
}

/** @param services what `start` has made; undefined before it */
export const draftTool = (services: () => DraftServices | undefined) =>
  tool({
    description:
      'Writes a mail to somebody. It lies among the drafts while the owner is asked, and is sent once the owner allows it.',
    trusted_only: true,
    input: z.object({
      to: z.email().describe('The address that it goes to.'),
      subject: z.string().min(1).max(500),
      text: z.string().min(1).max(100_000).describe('Markdown.'),
      attach: z
        .array(z.string().min(1).max(4096))
        .max(MOST_FILES)
        .optional()
        .describe(
          'Files: ids as in [file ID] or [image ID], or paths on the machine that the chat works on.',
        ),
    }),
    async run({ to, subject, text, attach = [] }, { kernel, context, consent }) {
      const ready = services();
      if (!ready) throw new ToolError('The mailbox is not open yet. Try again in a moment.');
      const { settings, store, folders, onMail } = ready;
      const files = new ChatFiles(kernel, context.chat_id, context.master ? 'any' : 'none');
      const attachments = await allOf(attach, files, roomFor(settings));
      const of = `draft ${randomUUID()}`;
      const mail = await written({ of, to, subject, text, attachments, personal: true }, ready);
      await folders.addDraft(mail).catch(() => {
        throw new ToolError('The mailbox is away, so the draft was not kept. Try again later.');
      });
      const names = attachments.map(labelOf).join('\n');
      await consent({ to, subject, text, ...(names !== '' && { attach: names }) }).catch(error => {
        if (!(error instanceof ToolError)) throw error;
        throw new ToolError(`${error.message} The mail was not sent, and stays among the drafts.`);
      });
      store.transaction(() => {
        store.send(mail);
        store.run('INSERT INTO draft VALUES (?)', mail.message_id);
      });
      onMail();
      return `The owner has allowed it: the mail to ${to} is on its way.`;
    },
  });

/** @throws ToolError that names the first file which cannot come along */
async function allOf(attach: readonly string[], files: ChatFiles, room: number): Promise<MailFile[]> {
  const found: MailFile[] = [];
  for (const named of new Set(attach)) {
    try {
      const file = await files.read(named, room);
      room -= file.bytes.length;
      found.push(file);
    } catch (error) {
      throw error instanceof NoFile ? new ToolError(error.message) : error;
    }
  }
  return found;
}
