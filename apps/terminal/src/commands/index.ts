/** THE list of slash commands, and how the name of one is looked up. */
import type { Submission } from '../editor/state.ts';
import type { ChatSession } from '../session/session.ts';
import { chooseChat, fork, older, rewind, search, startChat, title } from './chats.ts';
import type { ChatCommand } from './command.ts';
import { attachFile, attachImage, exportChat } from './files.ts';
import { schedule, schedules } from './schedules.ts';
import { approvals, cost, effort, model, workdir } from './settings.ts';
import { books, cancel, compact, notes, plan, queue, sleep, wake } from './turns.ts';

const help: ChatCommand = {
  name: 'help',
  description: 'keys and commands',
  run: ({ panels }) => panels.help(),
};
const quit: ChatCommand = {
  name: 'quit',
  description: 'leave; a turn that runs goes on',
  run: session => session.quit(),
};

export const COMMANDS: readonly ChatCommand[] = [
  help,
  startChat,
  chooseChat,
  search,
  model,
  effort,
  cancel,
  queue,
  attachFile,
  attachImage,
  fork,
  rewind,
  older,
  title,
  plan,
  notes,
  books,
  cost,
  compact,
  workdir,
  approvals,
  exportChat,
  schedule,
  schedules,
  sleep,
  wake,
  quit,
];

/** Runs the command that a line names; a line with an unknown name goes back into the input. */
export async function runCommand(session: ChatSession, sent: Submission): Promise<void> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(sent.text) ?? [];
  const command = COMMANDS.find(each => each.name === name.toLowerCase());
  if (command !== undefined) return void (await command.run(session, argument.trim()));
  session.input.restore(sent);
  const near = nearest(name.toLowerCase());
  session.notices.notify(`There is no /${name}${near === null ? '' : `. Did you mean /${near}?`}`, 'error');
}

/** Returns the name that takes the fewest changes; null where that would be another word altogether. */
function nearest(typed: string): string | null {
  const [best] = COMMANDS.map(({ name }) => ({ name, changes: distance(typed, name) })).toSorted(
    (a, b) => a.changes - b.changes,
  );
  return best !== undefined && best.changes <= Math.max(1, typed.length >> 1) ? best.name : null;
}

/** Counts the letters that have to be inserted, deleted or replaced (the Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
