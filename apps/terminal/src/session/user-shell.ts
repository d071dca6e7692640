/** `!command`: runs a command of the user and attaches its output to the next message. */
import { nodeHands } from '@chat-kernel/hands';
import { attach } from '../editor/change.ts';
import type { SessionServices } from './services.ts';

/** Longer output is cut at the start. */
const MAX_CHARS = 30_000;

export function userShell({ store, input, panels, notices }: SessionServices) {
  let running: AbortController | undefined;
  return {
    /** Runs a command in the directory of the chat. @throws Error if one is already running, or it cannot be started */
    async run(command: string): Promise<void> {
      if (running !== undefined) throw new Error('A command is already running. Press Ctrl-C to stop it.');
      const { chat, workdir: present } = store.get();
      const workdir = chat?.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : present;
      running = new AbortController();
      notices.notify(`$ ${command} … Ctrl-C to stop`);
      try {
        const { shell } = nodeHands({ workdir, within: ['/'] });
        const { output, exit_code } = await shell({ command }, { signal: running.signal, progress() {} });
        const shownOutput = output.trimEnd().slice(-MAX_CHARS);
        const text = `I ran this in ${workdir}:\n$ ${command}\n${shownOutput}\n(exit code ${exit_code})\n`;
        const label = `$ ${command.slice(0, 40)}, exit ${exit_code}`;
        input.edit(state => attach(state, { kind: 'text', text, label }));
        const lines = shownOutput === '' ? [] : shownOutput.split('\n');
        panels.look(`$ ${command}, exit ${exit_code}`, lines, 'no output');
        notices.clear();
      } finally {
        running = undefined;
      }
    },

    /** Kills the running command. @returns whether there was one */
    end(): boolean {
      running?.abort(new Error('Stopped by the user.'));
      return running !== undefined;
    },
  };
}
