/** Keeps the end in view until the reader scrolls up (WEB-7), while the content or the composer grows. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { watchScrollUp } from './reader-scrolls.ts';

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
