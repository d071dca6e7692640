/** All slash commands, and the lookup by name. */
import { type Skill, skillRequest } from '@chat-kernel/client';
import type { Command } from '../editor/completion.ts';
import type { Submission } from '../editor/state.ts';
import { expandCommand, type UserCommand } from '../machine/user-commands.ts';
import type { ChatSession } from '../session/session.ts';
import { chooseChat, fork, older, search, startChat, title } from './chats.ts';
import type { ChatCommand } from './command.ts';
import { attachFile, attachImage, exportChat } from './files.ts';
import { copy, diff, modules, retry, usage } from './looks.ts';
import { memory } from './memory.ts';
import { approvals, decisions } from './permissions.ts';
import { rewind } from './rewind.ts';
import { schedule, schedules } from './schedules.ts';
import { cost, effort, machines, model, workdir } from './settings.ts';
import { books, cancel, compact, notes, plan, queue, sleep, steer, wake } from './turns.ts';

const help: ChatCommand = {
  name: 'help',
  description: 'show keys and commands',
  run: ({ panels }) => panels.help(),
};
const quit: ChatCommand = {
  name: 'quit',
  description: 'exit; a running turn continues',
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
  decisions,
  exportChat,
  schedule,
  schedules,
  sleep,
  wake,
  quit,
];

/** Adds the commands of the user's folder. Built-in names win. */
export function listCommands(own: readonly UserCommand[]): readonly Command[] {
  const known = commandsByOwner.get(own) ?? [
    ...COMMANDS,
    ...own
      .filter(({ name }) => COMMANDS.every(each => each.name !== name))
      .map(({ name, description }) => ({ name, description, takes: '<words>' })),
  ];
  commandsByOwner.set(own, known);
  return known;
}
const commandsByOwner = new WeakMap<readonly UserCommand[], readonly Command[]>();

/** Runs the named command or skill. Restores the input if the name is unknown. */
export async function runCommand(session: ChatSession, sent: Submission): Promise<void> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(sent.text) ?? [];
  const command = COMMANDS.find(each => each.name === name.toLowerCase());
  if (command !== undefined) return void (await command.run(session, argument.trim()));
  const own = session.ownCommands.find(each => each.name === name.toLowerCase());
  if (own !== undefined) return session.send({ text: expandCommand(own, argument.trim()), attachments: [] });
  if (name !== '' && (await askForSkill(session, name, argument))) return;
  session.input.restore(sent);
  const near = nearest(name.toLowerCase());
  session.notices.notify(
    `Unknown command: /${name}${near === null ? '' : `. Did you mean /${near}?`}`,
    'error',
  );
}

/** Returns the closest name, or null if none is close. */
function nearest(typed: string): string | null {
  const [best] = COMMANDS.map(({ name }) => ({ name, changes: distance(typed, name) })).toSorted(
    (a, b) => a.changes - b.changes,
  );
  return best !== undefined && best.changes <= Math.max(1, typed.length >> 1) ? best.name : null;
}

/** Computes the Levenshtein distance. */
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

/** Skills as slash commands: /name sends a message that requests the skill. */
export const skillCommands = (skills: readonly Skill[]): Command[] =>
  skills.map(({ name, description }) => ({ name, description, takes: '…' }));

/** Sends the message if the skill exists. Returns whether it does. */
async function askForSkill(session: ChatSession, name: string, rest: string): Promise<boolean> {
  const skills = await session.kernel.readSkills();
  const skill = skills.find(each => each.name.toLowerCase() === name.toLowerCase());
  if (skill !== undefined) session.send({ text: skillRequest(skill.name, rest), attachments: [] });
  return skill !== undefined;
}
