/**
 * Spreads work that becomes due at once, such as a hundred turns whose messages one sync has stored, over several turns
 * of the event loop: it must not be blocked for 50 ms (SAFE-7). A process has one event loop, so this state is shared.
 */

/** Work begins for this time in one turn of the event loop. */
const MAX_MS = 5;

/** When the first work of this turn of the event loop began; undefined: none did. */
let began: number | undefined;
/** Lets work begin that waits, in the order in which it came. */
const waiting: (() => void)[] = [];

/** Resolves when work may begin; undefined: now. */
export function loopTime(): Promise<void> | undefined {
  if (began === undefined) begin();
  return isLeft() ? undefined : new Promise(resolve => waiting.push(resolve));
}

function begin(): void {
  began = performance.now();
  setImmediate(() => {
    began = undefined;
    if (waiting.length === 0) return;
    begin();
    letOneBegin();
  });
}

const isLeft = (): boolean => began !== undefined && performance.now() - began < MAX_MS;

function letOneBegin(): void {
  if (!isLeft()) return;
  waiting.shift()?.();
  // The next one begins when this one waits for something else.
  if (waiting.length > 0) queueMicrotask(() => process.nextTick(letOneBegin));
}
