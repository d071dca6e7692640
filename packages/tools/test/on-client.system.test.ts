/** Tests shell commands on a client's machine, which are really executed. */
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { describe, expect, it } from 'vitest';
import { shell } from '../src/shell.ts';
import { clientMachine } from './client-machine.ts';
import type { Workplace } from './workplace.ts';

const paths = new MachinePaths([]);
const sandbox = new Sandbox({ sandbox: 'none', network: 'on' }, paths);
const commands = shell({
  paths,
  sandbox,
  timeout_secs: 20,
  environment: { PATH: process.env.PATH },
});
const sh = ({ context }: Workplace, ...lines: string[]) => commands.run({ commands: lines }, context);

describe('shell', () => {
  it('[OP-1] [OP-13] runs one command after the other, also after a failed or denied one', async () => {
    const machine = clientMachine();
    machine.refuse('shell: rm -r .');
    expect(await sh(machine, 'echo one > a; cat a', 'exit 3', 'rm -r .', 'cat a')).toEqual({
      output:
        '== echo one > a; cat a\none\n\n== exit 3\n[exit code 3]\n\n' +
        '== rm -r .\nThe user declined this operation.\n\n== cat a\none',
      is_error: true,
      outside: ['command output'],
    });
    expect([machine.most(), machine.shown]).toEqual([1, []]);
    expect(await sh(machine, 'cat a')).toMatchObject({ is_error: false });
  });

  it('treats a command without an exit code as successful', async () => {
    expect(await sh(clientMachine({ exit_codes: false }), 'echo x; exit 3')).toEqual({
      output: '== echo x; exit 3\nx',
      is_error: false,
      outside: ['command output'],
    });
  });

  it('shares the output limit among the commands', async () => {
    const { output } = await sh(clientMachine(), 'echo first; yes | head -c 900000; echo last', 'echo short');
    expect(output.length).toBeLessThan(31_000);
    expect(output).toMatch(/\nfirst\n.*characters skipped.*\nlast\n\n== echo short\nshort$/s);
  });

  it('gives each command the full timeout of the call, without the time for approval', async () => {
    const machine = clientMachine();
    await commands.run({ commands: ['true', 'true'], timeout_secs: 10 }, machine.context);
    expect(machine.timeouts).toEqual([10, 10]);
  });

  it('requests nothing more in a stopped call', async () => {
    const machine = clientMachine();
    const running = sh(machine, 'true', 'touch never');
    machine.abort();
    await expect(running).rejects.toThrow('stopped');
    expect(machine.asked).toEqual(['shell: true']);
  });
});
