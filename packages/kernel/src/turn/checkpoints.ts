/**
 * Copies running steps to the store, in case a machine is lost with its journal: every 250 ms all changed steps in one
 * write (SAFE-4). Makes no copies if the journal is sufficient.
 */
import type { Journal } from '../journal/journal.ts';
import type { Clock, HeldChat, Log, Store, TurnRecord } from '../ports/index.ts';
import { isStorageUnavailable } from './ending.ts';
import type { StepBuilder } from './step-builder.ts';

const PAUSE_MS = 250;

interface CheckpointServices {
  store: { turns: Pick<Store['turns'], 'checkpoint'> };
  clock: Clock;
  log: Log;
}

interface CopiedTurn {
  readonly record: Pick<TurnRecord, 'id'>;
  readonly held: HeldChat;
  readonly step: Pick<StepBuilder, 'messages' | 'takeChanged'>;
}

export class Checkpoints {
  readonly #journal: Pick<Journal, 'isEnough'>;
  readonly #services: CheckpointServices;
  readonly #turns = new Set<CopiedTurn>();
  #waiting = false;

  constructor(journal: Pick<Journal, 'isEnough'>, services: CheckpointServices) {
    this.#journal = journal;
    this.#services = services;
  }

  /** Copies the steps of a turn from now on; returns a function that stops this. */
  of(turn: CopiedTurn): () => void {
    this.#turns.add(turn);
    if (!this.#waiting) this.#wait();
    return () => void this.#turns.delete(turn);
  }

  #wait(): void {
    this.#waiting = true;
    this.#services.clock.after(PAUSE_MS, async () => {
      await this.#write();
      this.#waiting = this.#turns.size > 0;
      if (this.#waiting) this.#wait();
    });
  }

  async #write(): Promise<void> {
    if (this.#journal.isEnough) return;
    const { store, log } = this.#services;
    const changed = [...this.#turns].filter(({ step }) => step.takeChanged());
    if (changed.length === 0) return;
    const copies = changed.map(({ held, record: { id }, step }) => ({
      ...held,
      id,
      checkpoint: structuredClone(step.messages),
    }));
    await store.turns.checkpoint(copies).catch(error => {
      const level = isStorageUnavailable(error) ? 'warn' : 'error';
      log[level]({ err: error }, 'a checkpoint failed');
    });
  }
}
