/** Where this machine keeps what outlives a session of the terminal: texts, grants, and what files were before edits. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns `$XDG_STATE_HOME/chat-kernel`, by default below ~/.local/state. */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME;
  const state = given?.startsWith('/') ? given : join(homedir(), '.local/state');
  return join(state, 'chat-kernel');
}

/**
 * What files were before models wrote them: of all chats of this user, whichever process had the hands.
 * @param kernel the address of the kernel of the chats
 */
export const undoHere = (kernel: string): { directory: string; kernel: string } => ({
  directory: join(stateDirectory(process.env), 'undo'),
  kernel,
});
