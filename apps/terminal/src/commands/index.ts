/** THE list of slash commands, and how the name of one is looked up. */
import type { Command } from '../editor/completion.ts';
import type { Submission } from '../editor/state.ts';
import { messageOf, type OwnCommand } from '../machine/own-commands.ts';
import type { ChatSession } from '../session/session.ts';
import { chooseChat, fork, older, search, startChat, title } from './chats.ts';
import type { ChatCommand } from './command.ts';
import { attachFile, attachImage, exportChat } from './files.ts';
import { copy, diff, modules, retry, usage } from './looks.ts';
import { machines } from './machines.ts';
import { memory } from './memory.ts';
import { rewind } from './rewind.ts';
import { schedule, schedules } from './schedules.ts';
import { approvals, cost, effort, model, workdir } from './settings.ts';
import { askForSkill } from './skills.ts';
import { books, cancel, compact, notes, plan, queue, sleep, steer, wake } from './turns.ts';

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
  steer,
  queue,
  retry,
  attachFile,
  attachImage,
  fork,
  rewind,
  older,
  title,
  plan,
  notes,
  memory,
  books,
  cost,
  usage,
  copy,
  diff,
  modules,
  compact,
  workdir,
  machines,
  approvals,
  exportChat,
  schedule,
  schedules,
  sleep,
  wake,
  quit,
];

/** With those of the owner's own folder; a name of the list stays what it is. */
export function commandsOf(own: readonly OwnCommand[]): readonly Command[] {
  const known = commandsByOwner.get(own) ?? [
    ...COMMANDS,
    ...own
      .filter(({ name }) => COMMANDS.every(each => each.name !== name))
      .map(({ name, description }) => ({ name, description, takes: '<words>' })),
  ];
  commandsByOwner.set(own, known);
  return known;
}
const commandsByOwner = new WeakMap<readonly OwnCommand[], readonly Command[]>();

/** Runs the command that a line names, or asks for the skill of this name; a line with an unknown name goes back into the input. */
export async function runCommand(session: ChatSession, sent: Submission): Promise<void> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(sent.text) ?? [];
  const command = COMMANDS.find(each => each.name === name.toLowerCase());
  if (command !== undefined) return void (await command.run(session, argument.trim()));
  const own = session.ownCommands.find(each => each.name === name.toLowerCase());
  if (own !== undefined) return session.send({ text: messageOf(own, argument.trim()), attachments: [] });
  if (name !== '' && (await askForSkill(session, name, argument))) return;
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
