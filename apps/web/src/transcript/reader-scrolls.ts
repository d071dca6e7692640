/** Tells when the reader scrolls up, from input and not from positions: the page changes those itself. */

/** Pixels that a finger moves before it scrolls. */
const MIN_MOVE = 4;
/** Keys that scroll up. Space does with Shift. */
const KEYS_UP = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Calls back for each input that scrolls an element up: wheel, finger, key, or a press on its scrollbar. Input that
 * scrolls something inside of the element, such as a wide block of code, does not count.
 * @returns the function that ends it
 */
export function watchScrollUp(scroller: HTMLElement, isUp: () => void): () => void {
  const watching = new AbortController();
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => scroller.addEventListener(name, listener, { passive: true, signal: watching.signal });
  const report = (target: EventTarget | null) => {
    if (movesUp(scroller, target)) isUp();
  };
  on('wheel', ({ deltaX, deltaY, ctrlKey, target }) => {
    // With Ctrl, and as two fingers on a trackpad, it zooms.
    if (deltaY < 0 && !ctrlKey && Math.abs(deltaY) > Math.abs(deltaX)) report(target);
  });
  let start: Touch | undefined;
  on('touchstart', ({ touches }) => {
    start = touches[0];
  });
  on('touchmove', ({ touches, target }) => {
    const [finger] = touches;
    if (!start || !finger || touches.length > 1) return;
    const [right, down] = [finger.clientX - start.clientX, finger.clientY - start.clientY];
    // A finger that moves down pulls the content down. Across, it moves a wide table.
    if (down > MIN_MOVE && down > Math.abs(right)) report(target);
  });
  on('keydown', ({ key, shiftKey, target }) => {
    if (KEYS_UP.has(key) || (key === ' ' && shiftKey)) report(target);
  });
  on('pointerdown', ({ target, offsetX }) => {
    if (target === scroller && offsetX >= scroller.clientWidth) report(target);
  });
  return () => watching.abort();
}

/** True if the element can scroll up, and nothing between it and the target scrolls up first. */
function movesUp(scroller: HTMLElement, target: EventTarget | null): boolean {
  for (
    let at = target instanceof Element ? target : scroller;
    at !== scroller;
    at = at.parentElement ?? scroller
  ) {
    if (at.scrollTop > 0) return false;
  }
  return scroller.scrollTop > 0;
}
