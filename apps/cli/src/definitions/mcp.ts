/** Defines the commands for MCP servers. */
import type { Command } from 'commander';
import { run } from '../commands/run.ts';
import { withAddress, withSettings } from './flags.ts';

export function addMcp(program: Command): void {
  const mcp = program.command('mcp').description('Manage the MCP servers of the running server');
  run(
    withSettings(withAddress(mcp.command('list').description('List MCP servers and their status'))),
    async () => (await import('../commands/mcp.ts')).listGuests,
  );
  const login = mcp
    .command('login <name>')
    .description('Sign in to an MCP server in the browser')
    .addHelpText(
      'after',
      '\nPrints the page to open and waits for the sign-in. Exit codes: 0 signed in, 1 not signed in.',
    );
  run(withSettings(withAddress(login)), async () => (await import('../commands/mcp.ts')).signIn);
  const logout = mcp.command('logout <name>').description('Sign out and delete stored credentials');
  run(withSettings(withAddress(logout)), async () => (await import('../commands/mcp.ts')).signOut);
}
