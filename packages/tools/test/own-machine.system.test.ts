/** Tests reads of the kernel's machine next to pipes, and while another program replaces directories by links. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { describe, expect, it } from 'vitest';
import { ownMachine } from '../src/machine/own-machine.ts';
import { workplace } from './workplace.ts';

/** Creates a directory with the kernel's data in it: `data`. */
function machine() {
  const { path, write } = workplace();
  const data = join(path, 'data');
  mkdirSync(data);
  write('data/key', 'hidden');
  const own = ownMachine(new MachinePaths([data]));
  const bytes = (path: string) => own.readBytes({ path, offset: 0, size: 1000 });
  return { path, data, bytes, at: (name: string) => join(path, name) };
}
const text = (data: Uint8Array) => Buffer.from(data).toString();

describe('[OP-12] bytes', () => {
  it('reads only absolute paths of files, and never waits for pipes and devices', async () => {
    const { path, bytes, at } = machine();
    execFileSync('mkfifo', [at('pipe')]);
    for (const [wrong, detail] of [
      ['a.txt', 'a.txt is not an absolute path.'],
      ['~other/a', '~other/a is not an absolute path.'],
      [path, 'This is a directory.'],
      [at('pipe'), 'This is neither a file nor a directory.'],
      ['/dev/zero', 'This is neither a file nor a directory.'],
      [`/${'x'.repeat(5000)}`, expect.stringContaining('ENAMETOOLONG')],
      ['/a\0b', expect.stringContaining('could not read')],
    ] as const) {
      await expect(bytes(wrong)).rejects.toMatchObject({
        code: 'invalid_value',
        message: detail,
        errors: [{ pointer: '/path', detail }],
      });
    }
  });

  it('does not read the files of the kernel if a directory becomes a link to them', async () => {
    const { bytes, path, data } = machine();
    const swap = spawn('sh', [
      '-c',
      `cd ${path} && while :; do mkdir d; echo own > d/key; mv d e; ln -s ${data} d; rm -rf d e; done 2>/dev/null`,
    ]);
    const read = new Set<string>();
    try {
      for (let round = 0; round < 300; round += 1) {
        await bytes(join(path, 'd/key')).then(
          ({ data }) => read.add(text(data)),
          error => expect(['forbidden_path', 'invalid_value', 'not_found']).toContain(error.code),
        );
      }
    } finally {
      swap.kill('SIGKILL');
      await once(swap, 'close');
    }
    expect(read).not.toContain('hidden');
  });
});
