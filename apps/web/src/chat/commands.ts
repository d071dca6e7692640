/** The commands of a chat, for a slash and for Ctrl+K. */
import { type Schema, skillRequest } from '@chat-kernel/client';
import type { Command } from '../composer/command-menu.tsx';
import type { Kernel } from '../kernel/kernel.ts';
import type { ChatDialog } from './chat-dialogs.tsx';
import { compactNow } from './compact-now.ts';

interface Surroundings {
  kernel: Kernel;
  id: string;
  open(dialog: ChatDialog): void;
  stop(): void;
  go(path: string): void;
  skills: readonly Schema<'Skill'>[];
  send(text: string): void;
}

/** A message as it is sent: /name of a skill, and what is written behind it, asks for the skill. */
export function spokenOf(text: string, skills: readonly Schema<'Skill'>[]): string {
  const [, name, rest = ''] = /^\/([\w-]+)(?:\s([\s\S]*))?$/.exec(text) ?? [];
  const skill = skills.find(each => each.name.toLowerCase() === name?.toLowerCase());
  return skill === undefined ? text : skillRequest(skill.name, rest);
}

export function commandsOf({ kernel, id, open, stop, go, skills, send }: Surroundings): readonly Command[] {
  const { client, notices } = kernel;
  const opens = (name: string, about: string, dialog: ChatDialog): Command => ({
    name,
    about,
    run: () => open(dialog),
  });
  return [
    { name: 'new', about: 'a new chat', run: () => go('/') },
    opens('rename', 'another title', { kind: 'rename' }),
    opens('notebook', 'what the chat keeps in mind', { kind: 'notebook' }),
    opens('summary', 'what older messages were folded into', { kind: 'summary' }),
    { name: 'compact', about: 'fold older messages now', run: () => void compactNow(kernel, id) },
    opens('spend', 'what it has used and cost', { kind: 'spend' }),
    opens('details', 'shelf, project, tools, consent, directory', { kind: 'details' }),
    opens('export', 'the whole chat as a file', { kind: 'export' }),
    { name: 'stop', about: 'end the turn that runs', run: stop },
    {
      name: 'drop',
      about: 'end the turn, and those that wait',
      run: () => void client.cancelTurn(id, { queued: true }).catch(notices.fail),
    },
    {
      name: 'sleep',
      about: 'let the kernel sleep until it is woken',
      run: () => void client.sleep({}).catch(notices.fail),
    },
    {
      name: 'wake',
      about: 'wake the kernel, and turns that sleep',
      run: () => void client.wake().catch(notices.fail),
    },
    { name: 'settings', about: 'the settings', run: () => go('/settings') },
    { name: 'memory', about: 'what every chat is told', run: () => go('/memory') },
    opens('delete', 'the chat with everything in it', { kind: 'delete' }),
    ...skills.map(({ name, description }) => ({
      name,
      about: description,
      run: () => send(skillRequest(name, '')),
    })),
  ];
}
