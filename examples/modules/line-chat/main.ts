/** The program of the surface: waits for the kernel, then opens its port. */
import { loadConfig, serve } from '@chat-kernel/module-sdk';
import { lineChat, Settings } from './line-chat.ts';

const config = await loadConfig(Settings);
const module = lineChat(config.module, port => process.stdout.write(`line-chat on 127.0.0.1:${port}\n`));
await serve(module, { config });
