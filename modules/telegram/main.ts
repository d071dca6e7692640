/** The program of the module: reads its settings and serves the kernel that started it. */
import { loadConfig, serve } from '@chat-kernel/module-sdk';
import { Settings } from './src/settings.ts';
import { telegram } from './src/telegram.ts';

const config = await loadConfig(Settings);
await serve(telegram(config.module, config.data_dir), { config });
