/** The program of the module: reads its settings and serves the kernel that started it. */
import { loadConfig, serve } from '@chat-kernel/module-sdk';
import { Settings } from './src/settings.ts';
import { telegram } from './src/telegram.ts';

try {
  const config = await loadConfig(Settings);
  await serve(telegram(config.module, config.data_dir), { config });
} catch (error) {
  // An error that nobody catches is printed with its line of source, which is the whole of a bundled file.
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
