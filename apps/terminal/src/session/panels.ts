/** Opens the dialogs that the user requests: pickers, text panels and the help. */
import type { PickerEntry, PickerRequest } from '../dialogs/picker.ts';
import type { AppStore, Panel } from '../state/app-state.ts';
import type { Notices } from './notices.ts';

export type Panels = ReturnType<typeof openPanels>;

/** @param attempt runs work and shows its error */
export function openPanels(store: AppStore, attempt: Notices['attempt']) {
  let count = 0;
  const close = (): void => store.set({ panel: null });

  /**
   * Offers entries to choose from; the panel closes before `onPick` is called.
   * @param search finds entries for the typed query
   */
  const pick = (
    request: Omit<PickerRequest, 'id'>,
    onPick: (entry: PickerEntry) => unknown,
    search?: (query: string) => Promise<readonly PickerEntry[]>,
  ): void => {
    const id = `panel ${++count}`;
    let searches = 0;
    const find = async (query: string): Promise<void> => {
      const number = ++searches;
      const entries = (await search?.(query)) ?? [];
      const { panel: open } = store.get();
      const isOpen = open?.kind === 'picker' && open.request.id === id;
      // Results may arrive out of order: only the latest search counts.
      if (number === searches && isOpen)
        store.set({ panel: { ...panel, request: { ...request, id, entries } } });
    };
    const panel: Extract<Panel, { kind: 'picker' }> = {
      kind: 'picker',
      request: { ...request, id },
      onPick: entry => {
        close();
        void attempt(() => onPick(entry));
      },
      onClose: close,
      ...(search && { onQuery: query => void attempt(() => find(query)) }),
    };
    store.set({ panel });
  };

  return {
    pick,

    /** Shows lines of text as a searchable list. */
    look(title: string, lines: readonly string[], empty: string): void {
      const entries = lines.map((label, index) => ({ id: String(index), label }));
      pick({ title, entries, empty }, () => undefined);
    },

    help: (): void => store.set({ panel: { kind: 'help', onClose: close } }),
  };
}
