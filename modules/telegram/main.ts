/** The program of the module: reads its settings and serves the kernel that started it. */
import { loadConfig, refuse, serve } from '@chat-kernel/module-sdk';
import { Settings } from './src/settings.ts';
import { telegram } from './src/telegram.ts';

const config = await loadConfig(Settings).catch(refuse);
await serve(telegram(config.module, config.data_dir), { config }).catch(refuse);
