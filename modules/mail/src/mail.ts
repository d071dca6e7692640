/** The module: a mailbox whose threads are chats. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineModule, type ModuleDefinition } from '@chat-kernel/module-sdk';
import { Desk } from './desk.ts';
import { Digest } from './digest.ts';
import { type DraftServices, draftTool } from './drafts.ts';
import { Folders } from './folders.ts';
import { Mailbox } from './mailbox.ts';
import { Requests } from './requests.ts';
import { Sender } from './sender.ts';
import type { MailSettings } from './settings.ts';
import { MailStore } from './store.ts';

/** @param data_dir the folder of its database */
export function mail(settings: MailSettings, data_dir: string | null): ModuleDefinition {
  let drafts: DraftServices | undefined;
  return defineModule({
    name: 'mail',
    version: '0.1.0',
    about: 'writes mails, which its owner allows before they are sent',
    tools: { draft: draftTool(() => drafts) },
    start({ kernel, signal, log }) {
      if (data_dir === null)
        throw new Error('Where is its folder? Set data_dir in its configuration, or --data DIR.');
      mkdirSync(data_dir, { recursive: true, mode: 0o700 });
      const store = new MailStore(join(data_dir, 'mail.sqlite'));
      const onMail = () => sender.look();
      const onNews = () => {
        desk.look();
        sender.look();
      };
      const folders = new Folders(settings);
      const mailbox = new Mailbox({ settings, store, folders, log, onNews });
      const sender = new Sender({ settings, store, mailbox, folders, log });
      const requests = new Requests({ settings, store, kernel, log, onMail });
      const desk = new Desk({ settings, store, kernel, requests, log, onMail });
      drafts = { settings, store, folders, onMail };
      const digest = new Digest({ settings, store, onMail });
      const work = [mailbox, sender, requests, desk, digest].map(part => part.run(signal));
      Promise.all(work).then(() => store.close());
    },
  });
}
