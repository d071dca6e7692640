/** Opens the dialogs that the user requests: pickers, text panels and the help. */
import type { PickerEntry, PickerRequest } from '../dialogs/picker.ts';
import type { AppStore, Panel } from '../state/app-state.ts';

export class Panels {
  readonly #state: AppStore;
  /** Runs work and shows its error. */
  readonly #attempt: (work: () => unknown) => Promise<void>;
  #count = 0;

  constructor(state: AppStore, attempt: (work: () => unknown) => Promise<void>) {
    this.#state = state;
    this.#attempt = attempt;
  }

  /**
   * Offers entries to choose from; the panel closes before `onPick` is called.
   * @param search finds entries for the typed query
   */
  pick(
    request: Omit<PickerRequest, 'id'>,
    onPick: (entry: PickerEntry) => unknown,
    search?: (query: string) => Promise<readonly PickerEntry[]>,
  ): void {
    const id = `panel ${++this.#count}`;
    let searches = 0;
    const find = async (query: string): Promise<void> => {
      const number = ++searches;
      const entries = (await search?.(query)) ?? [];
      const { panel: open } = this.#state.get();
      const isOpen = open?.kind === 'picker' && open.request.id === id;
      // Results may arrive out of order: only the latest search counts.
      if (number === searches && isOpen)
        this.#state.set({ panel: { ...panel, request: { ...request, id, entries } } });
    };
    const panel: Extract<Panel, { kind: 'picker' }> = {
      kind: 'picker',
      request: { ...request, id },
      onPick: entry => {
        this.close();
        void this.#attempt(() => onPick(entry));
      },
      onClose: this.close,
      ...(search && { onQuery: query => void this.#attempt(() => find(query)) }),
    };
    this.#state.set({ panel });
  }

  /** Shows lines of text as a searchable list. */
  look(title: string, lines: readonly string[], empty: string): void {
    const entries = lines.map((label, index) => ({ id: String(index), label }));
    this.pick({ title, entries, empty }, () => undefined);
  }

  help(): void {
    this.#state.set({ panel: { kind: 'help', onClose: this.close } });
  }

  close = (): void => this.#state.set({ panel: null });
}
