/** A form on a line of a page: fields, and a button that waits until what it does is done. */
import type { ReactNode } from 'react';
import { useAct } from './use-act.ts';

interface InlineFormProps {
  /** The words on the button. */
  action: string;
  /** What goes wrong in it is said. */
  onSubmit(): Promise<unknown>;
  children: ReactNode;
  disabled?: boolean;
  /** It stands inside of a part that opens. */
  inside?: boolean;
}

export function InlineForm({
  action,
  onSubmit,
  children,
  disabled = false,
  inside = false,
}: InlineFormProps) {
  const { act, busy } = useAct();
  return (
    <form
      className={inside ? 'inline inside' : 'inline'}
      onSubmit={event => {
        event.preventDefault();
        void act(onSubmit);
      }}
    >
      {children}
      <button type="submit" disabled={busy || disabled}>
        {action}
      </button>
    </form>
  );
}
