/** Defines the module: a mailbox whose threads are chats. */
import { defineModule, type ModuleDefinition } from '@chat-kernel/module-sdk';
import { CrashGuard, databaseFile } from '@chat-kernel/module-sdk/surface';
import { attachTool } from './attach-tool.ts';
import { Confirmations } from './confirmations.ts';
import { Digest } from './digest.ts';
import { draftTool } from './drafts.ts';
import { Folders } from './folders.ts';
import { InboxProcessor } from './inbox-processor.ts';
import { Mailbox } from './mailbox.ts';
import { MailOutbox } from './outbox.ts';
import { Requests } from './requests.ts';
import type { MailServices } from './services.ts';
import type { MailSettings } from './settings.ts';
import { MailStore } from './store.ts';

/** @param data_dir the folder of its database */
export function mail(settings: MailSettings, data_dir: string | null): ModuleDefinition {
  let services: MailServices | undefined;
  return defineModule({
    name: 'mail',
    version: '0.1.0',
    about: 'writes emails, which the owner approves before they are sent',
    tools: { draft: draftTool(() => services), attach: attachTool(() => services) },
    start({ kernel, signal, log, ask }) {
      for (const key of ['trusted_authserv_id', 'trusted_mx'] as const)
        if (settings[key] !== undefined)
          log.warn(`The setting ${key} has no effect: only DKIM signatures count.`);
      const store = new MailStore(databaseFile(data_dir, 'mail.sqlite'));
      const guard = new CrashGuard(store, signal);
      const folders = new Folders(settings);
      const onMail = () => sender.look();
      services = { settings, store, kernel, guard, folders, log, onMail };
      const onNews = () => {
        desk.look();
        sender.look();
      };
      const mailbox = new Mailbox({ ...services, onNews });
      const sender = new MailOutbox({ ...services, mailbox });
      const requests = new Requests(services);
      const confirmations = new Confirmations({ ask, onAnswer: () => desk.look() });
      const desk = new InboxProcessor({ ...services, requests, confirmations });
      const digest = new Digest(services);
      const work = [mailbox, sender, requests, desk, digest].map(part => part.run(signal));
      Promise.all(work).then(() => store.close());
    },
  });
}
