/** The program of the module: reads its settings and serves the kernel that started it. */
import { loadConfig, refuse, serve } from '@chat-kernel/module-sdk';
import { mail } from './src/mail.ts';
import { MailSettings } from './src/settings.ts';

const config = await loadConfig(MailSettings).catch(refuse);
await serve(mail(config.module, config.data_dir), { config }).catch(refuse);
