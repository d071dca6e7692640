/** Defines the commands for MCP servers. */
import type { Command } from 'commander';
import type { AddressFlags } from '../commands/address.ts';
import { withAddress, withSettings } from './flags.ts';

export function addMcp(program: Command): void {
  const mcp = program.command('mcp').description('Manage the MCP servers of the running server');
  withSettings(withAddress(mcp.command('list').description('List MCP servers and their status'))).action(
    async (flags: AddressFlags) => {
      const { listGuests } = await import('../commands/mcp.ts');
      await listGuests(flags);
    },
  );
  const login = mcp
    .command('login <name>')
    .description('Sign in to an MCP server in the browser')
    .addHelpText(
      'after',
      '\nPrints the page to open and waits for the sign-in. Exit codes: 0 signed in, 1 not signed in.',
    );
  withSettings(withAddress(login)).action(async (name: string, flags: AddressFlags) => {
    const { signIn } = await import('../commands/mcp.ts');
    await signIn(name, flags);
  });
  const logout = mcp.command('logout <name>').description('Sign out and delete stored credentials');
  withSettings(withAddress(logout)).action(async (name: string, flags: AddressFlags) => {
    const { signOut } = await import('../commands/mcp.ts');
    await signOut(name, flags);
  });
}
