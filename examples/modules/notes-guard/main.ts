/** The program of the module: reads the configuration and listens for the kernel. */
import { loadConfig, serve } from '@chat-kernel/module-sdk';
import { notesGuard, Settings } from './notes-guard.ts';

const config = await loadConfig(Settings);
await serve(notesGuard(config.module), { config });
