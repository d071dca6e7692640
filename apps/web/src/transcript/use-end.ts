/** Keeps the end in sight for whoever reads there, whatever grows: the last row, what stands below it, or the composer. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface End {
  isAtEnd: boolean;
  /** To be called at each scroll. */
  look(): void;
  goToEnd(): void;
  leave(): void;
}

/** Pixels from the end that still count as there. */
const NEAR = 60;

export function useEnd(scroller: RefObject<HTMLElement | null>): End {
  const [isAtEnd, setAtEnd] = useState(true);
  const held = useRef(true);
  const lastTop = useRef(0);
  /** The next scroll is the page's own. */
  const isOwn = useRef(false);
  const hold = () => {
    const { current } = scroller;
    if (!current || !held.current) return;
    const top = current.scrollHeight - current.clientHeight;
    if (Math.abs(top - lastTop.current) < 1) return;
    isOwn.current = true;
    current.scrollTop = top;
    lastTop.current = top;
  };
  const set = (isThere: boolean) => {
    held.current = isThere;
    setAtEnd(isThere);
  };
  // After each frame of the list, before it is seen.
  useLayoutEffect(hold);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is the same as long as the list is
  useEffect(() => {
    const sizes = new ResizeObserver(hold);
    const { current } = scroller;
    if (current) sizes.observe(current);
    if (current?.firstElementChild) sizes.observe(current.firstElementChild);
    return () => sizes.disconnect();
  }, []);
  return {
    isAtEnd,
    look() {
      if (isOwn.current) {
        isOwn.current = false;
        return;
      }
      const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
      // Only who scrolls up wants to leave: all else is the page's own doing.
      if (isNear || scrollTop < lastTop.current - 1) set(isNear);
      lastTop.current = scrollTop;
    },
    goToEnd() {
      set(true);
      hold();
    },
    leave: () => set(false),
  };
}
