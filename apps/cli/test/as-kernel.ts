/** Makes the process of the test the kernel of a data directory, as commands find it. The fast suite starts no program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRunning } from '@chat-kernel/settings/running-file';

const FACTS = {
  version: '1.2.3',
  logs_here: true,
  url: null,
  model: 'demo/demo',
  demo: true,
  problems: [],
};

/** Writes the state file of a kernel. Returns when its process has begun. */
export function runAsKernel(
  data_dir: string,
  facts: Partial<Parameters<typeof writeRunning>[1]> = {},
): { since: string } {
  writeRunning(data_dir, { ...FACTS, ...facts });
  return JSON.parse(readFileSync(join(data_dir, 'chat-kernel.running.json'), 'utf8'));
}
