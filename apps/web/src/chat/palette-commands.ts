/** The entries that a chat adds to the palette. */
import type { ModelList } from '@chat-kernel/client';
import { EFFORTS, type TurnChoices } from '../composer/choices.tsx';
import type { Command } from '../composer/command-menu.tsx';
import type { PageCommand } from '../nav/page-commands.ts';

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
