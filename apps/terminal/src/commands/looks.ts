/** Commands that look at something, or take it along: the last answer, the changes of the folder, usage, modules. */
import { execFile } from 'node:child_process';
import { count, cost as dollars, short } from '../text/amounts.ts';
import { linesOf } from '../text/safe.ts';
import { type ChatCommand, chatOf } from './command.ts';

const MOST_BYTES = 4 * 1024 * 1024;
/** A terminal takes about as much into its clipboard. */
const MOST_COPIED = 70_000;

export const copy: ChatCommand = {
  name: 'copy',
  description: 'the last answer into the clipboard',
  run({ notices, store }) {
    const { items } = store.get().snapshot;
    const answer = items.findLast(({ kind }) => kind === 'agent_message');
    if (answer?.kind !== 'agent_message') throw new Error('There is no answer yet.');
    const bytes = Buffer.from(answer.text);
    if (bytes.length > MOST_COPIED)
      throw new Error('The answer is too long for a clipboard: /export writes a file.');
    // The terminal's own clipboard, also of a machine far away (OSC 52).
    process.stdout.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
    notices.notify(
      `${count(answer.text.length, 'character')} in the clipboard, where the terminal allows it.`,
    );
  },
};

export const retry: ChatCommand = {
  name: 'retry',
  description: 'ask your last message again; the answer to it is deleted',
  run(session) {
    const chat = chatOf(session);
    const { snapshot } = session.store.get();
    if (snapshot.busy) throw new Error('A turn runs: Esc ends it.');
    const last = snapshot.items.findLast(({ kind }) => kind === 'user_message');
    if (last?.kind !== 'user_message') throw new Error('There is no message yet.');
    if (last.attachments.length > 0) throw new Error('It has attachments: /rewind, and attach them again.');
    const { message_id, text } = last;
    session.panels.pick(
      {
        title: 'Ask again',
        entries: [{ id: message_id, label: text.replace(/\s+/g, ' ') }],
        confirm: () => 'Delete the answer for good, and ask again? What it did outside of the chat stays.',
      },
      async () => {
        await session.client.rewind(chat.id, message_id);
        session.open(chat, 'again');
        session.send({ text, attachments: [] });
      },
    );
  },
};

export const diff: ChatCommand = {
  name: 'diff',
  description: 'what git says has changed in the folder',
  async run({ panels, store }) {
    const { chat, workdir: present } = store.get();
    const workdir = chat?.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : present;
    // No program of a stranger's repository is run: neither its pager nor its diff drivers.
    const words = [
      '--no-pager',
      '-c',
      'core.fsmonitor=false',
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      'HEAD',
    ];
    const text = await new Promise<string>((resolve, reject) => {
      execFile('git', words, { cwd: workdir, maxBuffer: MOST_BYTES }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(linesOf(stderr)[0] || error.message)),
      );
    });
    panels.look('Changes', text === '' ? [] : linesOf(text), 'nothing has changed');
  },
};

export const usage: ChatCommand = {
  name: 'usage',
  description: 'tokens and dollars of all chats, and of this one by model',
  async run({ client, panels, store }) {
    const { chat } = store.get();
    const [stats, spend] = await Promise.all([
      client.request('GET', '/v1/stats'),
      chat === null ? null : client.getSpend(chat.id),
    ]);
    const most = Math.max(1, ...(spend?.by_model ?? []).map(tokensOf));
    const { prompt_tokens, completion_tokens } = stats.tokens;
    const lines = [
      `all chats: ${dollars(stats.cost_usd)} · ${short(prompt_tokens)} in · ${short(completion_tokens)} out`,
      ...(spend?.by_model ?? []).map(
        each =>
          `${bar(tokensOf(each) / most)} ${each.model}: ${dollars(each.cost_usd)} · ${short(tokensOf(each))} tokens`,
      ),
    ];
    panels.look('Usage', lines, '');
  },
};

const tokensOf = (used: { prompt_tokens: number; completion_tokens: number }): number =>
  used.prompt_tokens + used.completion_tokens;

const BAR = 20;
/** @param share 0 to 1 */
function bar(share: number): string {
  const full = Math.round(share * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
}

export const modules: ChatCommand = {
  name: 'modules',
  description: 'the modules of the kernel, and how each stands',
  async run({ client, panels }) {
    const found = await client.request('GET', '/v1/modules');
    panels.look(
      'Modules',
      found.modules.map(({ name, status, about, kernel }) =>
        [name, status, kernel && `at ${kernel.name}`, about].filter(Boolean).join(' · '),
      ),
      'there is none',
    );
  },
};
