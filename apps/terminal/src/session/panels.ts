/** What the owner opens: pickers, and texts to look at. */
import type { Pick, PickerRequest } from '../dialogs/picker.ts';
import type { AppState, Panel } from '../state/app-state.ts';
import type { Store } from '../state/store.ts';

export class Panels {
  readonly #store: Store<AppState>;
  /** Does work, and tells what goes wrong in it. */
  readonly #attempt: (work: () => unknown) => Promise<void>;
  #count = 0;

  constructor(store: Store<AppState>, attempt: (work: () => unknown) => Promise<void>) {
    this.#store = store;
    this.#attempt = attempt;
  }

  /**
   * Offers something to choose; the panel closes first.
   * @param search answers what is typed with other picks
   */
  pick(
    request: Omit<PickerRequest, 'id'>,
    onPick: (pick: Pick) => unknown,
    search?: (query: string) => Promise<readonly Pick[]>,
  ): void {
    const id = `panel ${++this.#count}`;
    let asked = 0;
    const look = async (query: string): Promise<void> => {
      const turn = ++asked;
      const picks = (await search?.(query)) ?? [];
      const { panel: open } = this.#store.get();
      const isOpen = open?.kind === 'picker' && open.request.id === id;
      // Answers may overtake each other.
      if (turn === asked && isOpen)
        this.#store.set({ panel: { ...panel, request: { ...request, id, picks } } });
    };
    const panel: Extract<Panel, { kind: 'picker' }> = {
      kind: 'picker',
      request: { ...request, id },
      onPick: pick => {
        this.close();
        void this.#attempt(() => onPick(pick));
      },
      onClose: this.close,
      ...(search && { onQuery: query => void this.#attempt(() => look(query)) }),
    };
    this.#store.set({ panel });
  }

  /** Text to look at, as a list that can be searched. */
  look(title: string, lines: readonly string[], empty: string): void {
    const picks = lines.map((label, index) => ({ id: String(index), label }));
    this.pick({ title, picks, empty }, () => undefined);
  }

  /** All keys and commands. */
  help(): void {
    this.#store.set({ panel: { kind: 'help', onClose: this.close } });
  }

  close = (): void => this.#store.set({ panel: null });
}
