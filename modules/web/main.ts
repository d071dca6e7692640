/** The program of the module: reads its settings and serves the kernel that started it. */
import { loadConfig, serve } from '@chat-kernel/module-sdk';
import { web } from './src/web.ts';

const config = await loadConfig();
await serve(web(), { config });
