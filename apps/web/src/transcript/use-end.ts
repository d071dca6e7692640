/** Keeps the end in view until the reader scrolls up (WEB-7), while the content or the composer grows. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface End {
  /** False once the reader has left the end. */
  isHeld: boolean;
  /** Call on each scroll event. */
  look(): void;
  /** Call after each scroll position that is not the reader's. */
  hold(): void;
  goToEnd(): void;
  leave(): void;
}

/** Distance from the end, in pixels, at which a reader who scrolls down is at the end again. */
const NEAR = 60;

/** @param isLive whether a turn is running: only while none is, a position can be an intention */
export function useEnd(scroller: RefObject<HTMLElement | null>, isLive: boolean): End {
  const [isHeld, setHeld] = useState(true);
  const held = useRef(true);
  /** The last position that was seen or set. */
  const top = useRef(0);
  const set = (value: boolean) => {
    held.current = value;
    setHeld(value);
  };
  const hold = () => {
    const { current } = scroller;
    if (!current) return;
    if (held.current) current.scrollTop = current.scrollHeight;
    top.current = current.scrollTop;
  };
  const leave = () => set(false);
  // After each render, before it is painted.
  useLayoutEffect(hold);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element does not change
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const sizes = new ResizeObserver(hold);
    sizes.observe(current);
    if (current.firstElementChild) sizes.observe(current.firstElementChild);
    const unwatch = watchScrollUp(current, leave);
    return () => {
      unwatch();
      sizes.disconnect();
    };
  }, []);
  return {
    isHeld,
    look() {
      const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
      if (!held.current && isNear && scrollTop > top.current) set(true);
      // Find in page, a focused link or assistive technology.
      else if (held.current && !isLive && !isNear && scrollTop < top.current - 1) set(false);
      top.current = scrollTop;
    },
    hold,
    goToEnd() {
      set(true);
      hold();
    },
    leave,
  };
}

/** Pixels that a finger moves before it scrolls. */
const MIN_MOVE = 4;
/** Keys that scroll up. Space does with Shift. */
const KEYS_UP = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Calls back for each input that scrolls an element up: wheel, finger, key, or a press on its scrollbar. Positions do
 * not tell, because the page changes them itself. Input that scrolls something inside of the element, such as a wide
 * block of code, does not count.
 * @returns the function that ends it
 */
function watchScrollUp(scroller: HTMLElement, isUp: () => void): () => void {
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
