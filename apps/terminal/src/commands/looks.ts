/** Commands that copy or regenerate the last answer, and show the Git diff, usage and modules. */
import { execFile } from 'node:child_process';
import type { Usage } from '@chat-kernel/client';
import { compact, counted, dollars } from '@chat-kernel/text';
import { facts } from '../dialogs/picker-entries.ts';
import { splitLines } from '../text/safe.ts';
import { type ChatCommand, requireChat } from './command.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Approximate clipboard limit of terminals. */
const MAX_COPIED_CHARS = 70_000;

export const copy: ChatCommand = {
  name: 'copy',
  description: 'copy the last answer to the clipboard',
  run({ notices, store }) {
    const { items } = store.get().snapshot;
    const answer = items.findLast(({ kind }) => kind === 'agent_message');
    if (answer?.kind !== 'agent_message') throw new Error('There is no answer yet.');
    const bytes = Buffer.from(answer.text);
    if (bytes.length > MAX_COPIED_CHARS)
      throw new Error('The answer is too long for the clipboard. Use /export instead.');
    // OSC 52 sets the clipboard of the terminal, also over SSH.
    process.stdout.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
    notices.notify(`Copied ${counted(answer.text.length, 'character')}, if the terminal allows it.`);
  },
};

export const retry: ChatCommand = {
  name: 'retry',
  description: 'regenerate the last response',
  run(session) {
    const chat = requireChat(session);
    const { snapshot } = session.store.get();
    if (snapshot.busy) throw new Error('A turn is running. Press Esc to stop it.');
    const last = snapshot.items.findLast(({ kind }) => kind === 'user_message');
    if (last?.kind !== 'user_message') throw new Error('No messages yet.');
    if (last.attachments.length > 0)
      throw new Error('The last message has attachments. Use /rewind and attach them again.');
    const { message_id, text } = last;
    session.panels.pick(
      {
        title: 'Regenerate',
        entries: [{ id: message_id, label: text.replace(/\s+/g, ' ') }],
        confirm: () => 'Permanently delete the answer and regenerate it? Its side effects are not undone.',
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
  description: 'show the Git diff',
  async run({ panels, store }) {
    const { chat, workdir: present } = store.get();
    const workdir = chat?.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : present;
    // An untrusted repository can configure programs: disable its pager and diff drivers.
    const args = [
      '--no-pager',
      '-c',
      'core.fsmonitor=false',
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      'HEAD',
    ];
    const text = await new Promise<string>((resolve, reject) => {
      execFile('git', args, { cwd: workdir, maxBuffer: MAX_BYTES }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(splitLines(stderr)[0] || error.message)),
      );
    });
    panels.look('Changes', text === '' ? [] : splitLines(text), 'no changes');
  },
};

export const usage: ChatCommand = {
  name: 'usage',
  description: 'show tokens and cost of all chats, of this chat by model, and of the last answer',
  async run({ client, panels, store }) {
    const { chat, snapshot } = store.get();
    const answer = snapshot.items.findLast(item => item.kind === 'agent_message');
    const [stats, spend] = await Promise.all([
      client.getStats(),
      chat === null ? null : client.getSpend(chat.id),
    ]);
    const most = Math.max(1, ...(spend?.by_model ?? []).map(countTokens));
    const { prompt_tokens, completion_tokens } = stats.tokens;
    const lines = [
      `all chats: ${dollars(stats.cost_usd)} · ${compact(prompt_tokens)} in · ${compact(completion_tokens)} out`,
      ...(spend?.by_model ?? []).map(
        each =>
          `${bar(countTokens(each) / most)} ${each.model}: ${dollars(each.cost_usd)} · ${compact(countTokens(each))} tokens`,
      ),
      ...(answer?.model === undefined
        ? []
        : [`last answer: ${[answer.model, ...amounts(answer.usage)].join(' · ')}`]),
    ];
    panels.look('Usage', lines, '');
  },
};

const amounts = (used: Usage | undefined): string[] =>
  used === undefined
    ? []
    : [dollars(used.cost_usd), `${compact(used.prompt_tokens)} in`, `${compact(used.completion_tokens)} out`];

const countTokens = (used: { prompt_tokens: number; completion_tokens: number }): number =>
  used.prompt_tokens + used.completion_tokens;

const BAR = 20;
/** @param share 0 to 1 */
function bar(share: number): string {
  const full = Math.round(share * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
}

export const modules: ChatCommand = {
  name: 'modules',
  description: 'list modules and their status',
  async run({ client, panels }) {
    const found = await client.listModules();
    panels.look(
      'Modules',
      found.modules.map(({ name, status, about, kernel }) =>
        facts(name, status, kernel && `on ${kernel.name}`, about),
      ),
      'no modules installed',
    );
  },
};
