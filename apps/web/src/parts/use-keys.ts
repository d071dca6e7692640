/** Calls back for each key that is pressed anywhere on the page. */
import { useEffect, useEffectEvent } from 'react';

/** @param isFirst whether it is called before the elements get the key */
export function useKeys(onPress: (event: KeyboardEvent) => void, isFirst = false): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    window.addEventListener('keydown', press, isFirst);
    return () => window.removeEventListener('keydown', press, isFirst);
  }, [isFirst]);
}
