/** `!command`: a command that the owner runs here. What it says goes along with the next message. */
import { nodeHands } from '@chat-kernel/client/node';
import { attach } from '../editor/change.ts';
import type { AppState } from '../state/app-state.ts';
import type { MessageInput } from './message-input.ts';
import type { Notices } from './notices.ts';
import type { Panels } from './panels.ts';

/** The end of a longer output is what matters. */
const MOST_CHARS = 30_000;

export class OwnShell {
  readonly #state: () => AppState;
  readonly #input: MessageInput;
  readonly #panels: Panels;
  readonly #notices: Notices;
  #running: AbortController | undefined;

  constructor(state: () => AppState, input: MessageInput, panels: Panels, notices: Notices) {
    this.#state = state;
    this.#input = input;
    this.#panels = panels;
    this.#notices = notices;
  }

  /** Runs a command in the directory of the chat. @throws Error where one runs already, or it cannot be started */
  async run(command: string): Promise<void> {
    if (this.#running !== undefined) throw new Error('A command of yours runs: Ctrl-C ends it.');
    const { chat, workdir: present } = this.#state();
    const workdir = chat?.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : present;
    const running = new AbortController();
    this.#running = running;
    this.#notices.notify(`$ ${command} … Ctrl-C ends it`);
    try {
      const { shell } = nodeHands({ workdir, within: ['/'] });
      const { output, exit_code } = await shell({ command }, { signal: running.signal, progress() {} });
      const said = output.trimEnd().slice(-MOST_CHARS);
      const text = `I ran this in ${workdir}:\n$ ${command}\n${said}\n(exit code ${exit_code})\n`;
      const label = `$ ${command.slice(0, 40)}, exit ${exit_code}`;
      this.#input.edit(state => attach(state, { kind: 'text', text, label }));
      this.#panels.look(`$ ${command}, exit ${exit_code}`, said === '' ? [] : said.split('\n'), 'no output');
      this.#notices.clear();
    } finally {
      this.#running = undefined;
    }
  }

  /** Kills the command that runs. @returns whether one did */
  end(): boolean {
    this.#running?.abort(new Error('You ended the command.'));
    return this.#running !== undefined;
  }
}
