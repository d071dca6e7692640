/** The commands about tool servers. */
import type { Command } from 'commander';
import type { AddressFlags } from '../commands/address.ts';
import { withAddress, withSettings } from './flags.ts';

export function addMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('see the tool servers of a kernel that runs, and sign in to those that want it');
  withSettings(withAddress(mcp.command('list').description('say how each tool server stands'))).action(
    async (flags: AddressFlags) => {
      const { listGuests } = await import('../commands/mcp.ts');
      await listGuests(flags);
    },
  );
  const login = mcp
    .command('login <name>')
    .description('sign in to a tool server: prints the page to open in a browser, and waits for the end')
    .addHelpText('after', '\nExit codes: 0 signed in, 1 not.');
  withSettings(withAddress(login)).action(async (name: string, flags: AddressFlags) => {
    const { signIn } = await import('../commands/mcp.ts');
    await signIn(name, flags);
  });
  const logout = mcp.command('logout <name>').description('forget what a tool server was signed in to with');
  withSettings(withAddress(logout)).action(async (name: string, flags: AddressFlags) => {
    const { signOut } = await import('../commands/mcp.ts');
    await signOut(name, flags);
  });
}
