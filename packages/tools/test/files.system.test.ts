/** Tests that file tools follow no link that appears during an operation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { describe, expect, it } from 'vitest';
import { writeFile } from '../src/write-file.ts';
import { workplace } from './workplace.ts';

const HELD = { kind: async () => 'bwrap' as const, isMissing: async () => false };

describe('write_file and edit_file', () => {
  it('[WHO-7] do not follow a directory that becomes a link during the operation', async () => {
    const place = workplace();
    const outside = workplace();
    const rules = { paths: new MachinePaths([]), sandbox: HELD };
    const swap = spawn('sh', [
      '-c',
      `cd ${place.path} && while :; do mkdir d; mv d e; ln -s ${outside.path} d; rm -rf d e; done 2>/dev/null`,
    ]);
    try {
      for (let round = 0; round < 100; round += 1) {
        await writeFile(rules).run({ path: 'd/x', content: 'x' }, place.context);
      }
    } finally {
      swap.kill('SIGKILL');
      await once(swap, 'close');
    }
    expect(readdirSync(outside.path)).toEqual([]);
  });
});
