/** The commands of a chat, for a slash and for the palette. */
import { type Item, type Skill, skillRequest } from '@chat-kernel/client';
import type { Command } from '../composer/command-menu.tsx';
import type { Kernel } from '../kernel/kernel.ts';
import type { ChatAction } from './chat-dialogs.tsx';
import { compactNow } from './compact-now.ts';

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
  const openCommand = (name: string, about: string, action: ChatAction): Command => ({
    name,
    about,
    run: () => open(action),
  });
  return [
    { name: 'new', about: 'Start a new chat', path: '/', run: () => go('/') },
    openCommand('find', 'Find in this chat', { kind: 'find' }),
    openCommand('rename', 'Rename this chat', { kind: 'rename' }),
    openCommand('notebook', "Open this chat's notebook", { kind: 'notebook' }),
    openCommand('summary', 'View the summary', { kind: 'summary' }),
    { name: 'compact', about: 'Compact the conversation', run: () => void compactNow(kernel, id) },
    openCommand('spend', 'View token usage and cost', { kind: 'spend' }),
    openCommand('details', 'Open chat settings', { kind: 'details' }),
    openCommand('export', 'Export this chat', { kind: 'export' }),
    openCommand('print', 'Print this chat', { kind: 'print' }),
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
    openCommand('delete', 'Delete this chat', { kind: 'delete' }),
    ...skills.map(({ name, description }) => ({
      name,
      about: description,
      run: () => send(skillRequest(name, '')),
    })),
  ];
}
