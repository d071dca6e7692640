/** Mails that a model writes to others: each lies in the folder of drafts, and is sent when the master has said so. */
import { randomUUID } from 'node:crypto';
import { ToolError, tool, z } from '@chat-kernel/module-sdk';
import type { Mailbox } from './mailbox.ts';
import { messageIdOf, written } from './outgoing.ts';
import type { Requests } from './requests.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';

/** How long a draft can be decided about. */
const DRAFT_DAYS = 7;

export interface DraftServices {
  settings: MailSettings;
  store: MailStore;
  mailbox: Mailbox;
  requests: Requests;
  /** Called when a mail is in the outbox. */
  onMail: () => void;
}

/** @param services what `start` has made; undefined before it */
export const draftTool = (services: () => DraftServices | undefined) =>
  tool({
    description:
      'Writes a mail to somebody. It is kept as a draft, and sent only after the owner has agreed by mail; you do not hear of that.',
    trusted_only: true,
    input: z.object({
      to: z.email().describe('The address that it goes to.'),
      subject: z.string().min(1).max(500),
      text: z.string().min(1).max(100_000).describe('Markdown.'),
    }),
    async run({ to, subject, text }) {
      const ready = services();
      if (!ready) throw new ToolError('The mailbox is not open yet. Try again in a moment.');
      const { settings, store, mailbox, requests } = ready;
      const id = randomUUID();
      const message_id = messageIdOf(store.secret, `draft ${id}`, settings.address);
      const from = { name: settings.name, address: settings.address };
      const raw = await written({ message_id, from, to, subject, text, automatic: false });
      store.run('INSERT INTO draft (id, recipient, raw) VALUES (?, ?, ?)', id, to, raw);
      await mailbox.fileDraft(message_id, raw).catch(() => {
        throw new ToolError('The mailbox is away, so the draft was not kept. Try again later.');
      });
      const does = (send: boolean) => ({ to: 'draft', id, send }) as const;
      await requests.ask(
        {
          id: `draft ${id}`,
          chat_id: null,
          subject: `Send this mail to ${to}?`,
          text: `A mail waits for your decision.\n\nTo: ${to}\n\nSubject:\n\n${quoted(subject)}\n\nText:\n\n${quoted(text)}`,
          answers: [
            { label: 'Send it', does: does(true) },
            { label: 'Do not send it', does: does(false) },
          ],
        },
        Date.now() + DRAFT_DAYS * 86_400_000,
      );
      return `The mail to ${to} is a draft now, and the owner was asked whether to send it.`;
    },
  });

/** Sends a draft that the master agreed to, once. Returns the sentence that the master reads. */
export function decideDraft({ store, settings, onMail }: Omit<DraftServices, 'mailbox' | 'requests'>) {
  return async (id: string, send: boolean): Promise<string> => {
    const draft = store.get<{ recipient: string; raw: Uint8Array }>('SELECT * FROM draft WHERE id = ?', id);
    if (!draft) return 'That draft is gone. Nothing was done.';
    if (!send) return 'The mail was not sent. It stays among the drafts.';
    const message_id = messageIdOf(store.secret, `draft ${id}`, settings.address);
    store.send({ message_id, recipient: draft.recipient, raw: draft.raw });
    onMail();
    return `The mail to ${draft.recipient} is on its way.`;
  };
}

const quoted = (text: string): string => text.replace(/^/gm, '    ');
