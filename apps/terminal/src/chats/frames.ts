/**
 * When the growing answer is drawn: ten times a second, for each drawing costs more than the words that it adds. Whatever
 * else happens is drawn at once, for an operation may begin and end within a frame.
 */
import type { TurnEvent } from '@chat-kernel/client';

const FRAME_MS = 100;

export class Frames {
  #due: { take: () => void; timer: ReturnType<typeof setTimeout>; grows: boolean | null } | undefined;

  /** Calls back soon. */
  readonly schedule = (take: () => void): void => {
    this.#due = { take, timer: setTimeout(this.#draw, 0), grows: null };
  };

  /** Is told the event that was the cause, in the same tick: growth waits for the next frame. */
  saw({ type }: TurnEvent): void {
    if (this.#due === undefined) return;
    const grows = type === 'item_delta' || type === 'tool_progress';
    if (this.#due.grows === grows || this.#due.grows === false) return;
    clearTimeout(this.#due.timer);
    this.#due.grows = grows;
    this.#due.timer = setTimeout(this.#draw, grows ? FRAME_MS : 0);
  }

  readonly #draw = (): void => {
    const due = this.#due;
    this.#due = undefined;
    due?.take();
  };
}
