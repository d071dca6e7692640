/** Short messages about results and errors. */
import { Store } from '../base/store.ts';
import { describeError } from '../base/text.ts';

interface Notice {
  id: number;
  text: string;
  kind: 'info' | 'error';
}

/** Errors stay longer, to leave time to read them. */
const SHOWN_MS = { info: 4000, error: 12_000 };

export class Notices {
  readonly shown = new Store<readonly Notice[]>([]);
  #last = 0;

  readonly say = (text: string, kind: Notice['kind'] = 'info'): void => {
    const id = ++this.#last;
    this.shown.update(shown => [...shown.slice(-2), { id, text, kind }]);
    setTimeout(() => this.dismiss(id), SHOWN_MS[kind]);
  };

  readonly fail = (error: unknown): void => this.say(describeError(error), 'error');

  dismiss(id: number): void {
    this.shown.update(shown => shown.filter(notice => notice.id !== id));
  }
}
