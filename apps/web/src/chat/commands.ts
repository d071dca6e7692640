/** The commands of a chat, for a slash and for the palette. */
import { type Item, type ModelList, type Skill, skillRequest } from '@chat-kernel/client';
import { EFFORTS, type TurnChoices } from '../composer/choices.tsx';
import type { Command } from '../composer/command-menu.tsx';
import type { Kernel } from '../kernel/kernel.ts';
import type { PageCommand } from '../nav/page-commands.ts';
import type { ChatAction } from './chat-dialogs.tsx';

/** The actions in the menu of a chat, which are also commands. */
export const CHAT_ACTIONS = [
  { kind: 'find', label: 'Find in chat', about: 'Find in this chat' },
  { kind: 'rename', label: 'Rename', about: 'Rename this chat' },
  { kind: 'notebook', label: 'Notebook', about: "Open this chat's notebook" },
  { kind: 'summary', label: 'Summary', about: 'View the summary' },
  { kind: 'spend', label: 'Usage', about: 'View token usage and cost' },
  { kind: 'details', label: 'Chat settings', about: 'Open chat settings' },
  { kind: 'compact', label: 'Compact', about: 'Compact the conversation' },
  { kind: 'export', label: 'Export', about: 'Export this chat' },
  { kind: 'print', label: 'Print', about: 'Print this chat' },
  { kind: 'delete', label: 'Delete', about: 'Delete this chat' },
] as const;

interface CommandContext {
  kernel: Kernel;
  id: string;
  open(action: ChatAction): void;
  stop(): void;
  go(path: string): void;
  skills: readonly Skill[];
  send(text: string): void;
  /** Returns the last message of the user; undefined if the chat has none. */
  lastMessage(): Item | undefined;
}

/** Returns the message to send. `/name TEXT` with the name of a skill becomes a request for that skill. */
export function expandSkill(text: string, skills: readonly Skill[]): string {
  const [, name, rest = ''] = /^\/([\w-]+)(?:\s([\s\S]*))?$/.exec(text) ?? [];
  const skill = skills.find(candidate => candidate.name.toLowerCase() === name?.toLowerCase());
  return skill === undefined ? text : skillRequest(skill.name, rest);
}

export function buildCommands({
  kernel,
  id,
  open,
  stop,
  go,
  skills,
  send,
  lastMessage,
}: CommandContext): readonly Command[] {
  const { client, notices } = kernel;
  return [
    { name: 'new', about: 'Start a new chat', path: '/', run: () => go('/') },
    ...CHAT_ACTIONS.map(({ kind, about }) => ({ name: kind, about, run: () => open({ kind }) })),
    {
      name: 'fork',
      about: 'Fork before your last message',
      run: () => {
        const item = lastMessage();
        if (item) open({ kind: 'fork', item });
        else notices.say('No messages yet.');
      },
    },
    { name: 'stop', about: 'Stop the response', run: stop },
    {
      name: 'drop',
      about: 'Stop and clear the queue',
      run: () => void client.cancelTurn(id, { queued: true }).catch(notices.fail),
    },
    {
      name: 'sleep',
      about: 'Queue new turns until you wake the server',
      run: () => void client.sleep({}).catch(notices.fail),
    },
    {
      name: 'wake',
      about: 'Wake the server and sleeping turns',
      run: () => void client.wake().catch(notices.fail),
    },
    { name: 'settings', about: 'Open settings', path: '/settings', run: () => go('/settings') },
    { name: 'memory', about: 'Manage memory', path: '/memory', run: () => go('/memory') },
    ...skills.map(({ name, description }) => ({
      name,
      about: description,
      run: () => send(skillRequest(name, '')),
    })),
  ];
}

/** Compacts a chat and shows the result as a notice. */
export async function compactNow({ client, notices }: Kernel, chatId: string): Promise<void> {
  notices.say('Compacting conversation…');
  try {
    const { folded } = await client.compactChat(chatId);
    notices.say(folded ? 'Conversation compacted.' : 'There is nothing to compact.');
  } catch (error) {
    notices.fail(error);
  }
}

/** Leaves out commands that only open a page: the palette lists the pages. */
export const toPageCommands = (commands: readonly Command[]): readonly PageCommand[] =>
  commands
    .filter(({ path }) => path === undefined)
    .map(({ name, about, run }) => ({ label: about, hint: `/${name}`, run }));

/** Selects the model and the effort of the next turn. */
export function choiceCommands(
  list: ModelList | null,
  change: (what: Partial<TurnChoices>) => void,
): readonly PageCommand[] {
  const models = list?.models ?? [];
  const efforts = Object.entries(EFFORTS) as [keyof typeof EFFORTS, string][];
  return [
    ...models.map(({ id, name, provider }) => ({
      label: `Model: ${name}`,
      hint: provider,
      isOnlyFound: true,
      run: () => change({ model: id }),
    })),
    ...efforts.map(([effort, name]) => ({
      label: `Effort: ${name}`,
      hint: '',
      isOnlyFound: true,
      run: () => change({ effort }),
    })),
  ];
}
