/** A form on one line. Its button is disabled while the action runs. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { useAction } from './use-action.ts';

interface InlineFormProps {
  /** The label of the button. */
  action: string;
  /** Errors are shown as notices. */
  onSubmit(): Promise<unknown>;
  children: ReactNode;
  disabled?: boolean;
  /** True inside an expandable section. */
  inside?: boolean;
}

export function InlineForm({
  action,
  onSubmit,
  children,
  disabled = false,
  inside = false,
}: InlineFormProps) {
  const { act, busy } = useAction();
  return (
    <form
      className={inside ? 'inline inside' : 'inline'}
      onSubmit={event => {
        event.preventDefault();
        void act(onSubmit);
      }}
    >
      {children}
      <Button label={action} type="submit" disabled={busy || disabled} />
    </form>
  );
}
