/** Locations of data that outlives a session: sent texts, approvals, and copies of files before edits. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns `$XDG_STATE_HOME/chat-kernel`, by default below ~/.local/state. */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  const configured = env.XDG_STATE_HOME;
  const state = configured?.startsWith('/') ? configured : join(homedir(), '.local/state');
  return join(state, 'chat-kernel');
}

/**
 * Copies of files before models edited them, shared by all processes of this user.
 * @param kernel the address of the kernel of the chats
 */
export const undoHere = (kernel: string): { directory: string; kernel: string } => ({
  directory: join(stateDirectory(process.env), 'undo'),
  kernel,
});
