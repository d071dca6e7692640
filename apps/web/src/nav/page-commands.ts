/** The commands of the open page, for the palette. */
import { useEffect } from 'react';
import { Store } from '../base/store.ts';

export interface PageCommand {
  label: string;
  /** How else to run it, such as `/rename`. */
  hint: string;
  /** Shown only for a search that finds it, because the page has many of its kind. */
  isOnlyFound?: boolean;
  run(): void;
}

export const pageCommands = new Store<readonly PageCommand[]>([]);

/** Offers the commands of a page while it is shown. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  useEffect(() => pageCommands.set(commands));
  useEffect(() => () => pageCommands.set([]), []);
}
