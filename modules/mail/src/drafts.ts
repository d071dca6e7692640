/**
 * The tool that lets a model write emails. Each stays in the drafts folder until the owner approves it, and is sent
 * exactly as shown.
 */
import { randomUUID } from 'node:crypto';
import { ToolError, tool, z } from '@chat-kernel/module-sdk';
import { type ChatFiles, fileLabel, MAX_FILES, NoFile, readFile, roomFor } from './files.ts';
import { composeMail, type MailFile } from './outgoing.ts';
import type { MailServices } from './services.ts';

/** The name of the action in the kernel's approval requests. */
export const DRAFT_ACTION = 'mail_draft';

/** @param services from `start`; undefined before it */
export const draftTool = (services: () => MailServices | undefined) =>
  tool({
    description:
      'Writes an email. It is saved as a draft and sent after the owner approves it. Text to the owner is sent at once.',
    trusted_only: true,
    effects: ['send'],
    asks: true,
    input: z.object({
      to: z.email().describe('The address of the recipient.'),
      subject: z.string().min(1).max(500),
      text: z.string().min(1).max(100_000).describe('Markdown.'),
      attach: z
        .array(z.string().min(1).max(4096))
        .max(MAX_FILES)
        .optional()
        .describe('Files: ids as in [file ID] or [image ID], or paths in the working directory.'),
    }),
    async run({ to, subject, text, attach = [] }, { kernel, context, consent }) {
      const ready = services();
      if (!ready) throw new ToolError('The mailbox is not open yet. Try again in a moment.');
      const { settings, store, folders, onMail } = ready;
      const isOfMaster = context.master && context.trusted;
      const files: ChatFiles = { kernel, chat_id: context.chat_id, paths: isOfMaster ? 'copy' : 'none' };
      const wanted = [...new Set(attach)];
      const attachments = await readAttachments(wanted, files, roomFor(settings));
      const of = `draft ${randomUUID()}`;
      const mail = await composeMail({ of, to, subject, text, attachments, personal: true }, ready);
      await folders.addDraft(mail).catch(() => {
        throw new ToolError('The mailbox is unreachable, so the draft was not saved. Try again later.');
      });
      const names = attachments.map((file, index) => `${fileLabel(file)}, from ${wanted[index]}`).join('\n');
      // Text that only the owner gets leaves no machine of theirs; its HTML loads nothing.
      const isForOwner = settings.owner.includes(to.toLowerCase()) && attachments.length === 0;
      if (!isForOwner) {
        await consent({ to, subject, text, ...(names !== '' && { attach: names }) }).catch(error => {
          if (!(error instanceof ToolError)) throw error;
          throw new ToolError(`${error.message} The email was not sent. It stays in the drafts folder.`);
        });
      }
      store.transaction(() => {
        store.send(mail);
        store.run('INSERT INTO draft VALUES (?)', mail.message_id);
      });
      onMail();
      return `${isForOwner ? '' : `The owner approved the email to ${to}. `}It is being sent.`;
    },
  });

/** @throws ToolError that names the first file that cannot be attached */
async function readAttachments(
  attach: readonly string[],
  files: ChatFiles,
  room: number,
): Promise<MailFile[]> {
  const found: MailFile[] = [];
  for (const named of attach) {
    try {
      const file = await readFile(files, named, room);
      room -= file.bytes.length;
      found.push(file);
    } catch (error) {
      throw error instanceof NoFile ? new ToolError(error.message) : error;
    }
  }
  return found;
}
