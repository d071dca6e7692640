/** Buttons with a text, and buttons with only an icon. */
import { type ComponentProps, useState } from 'react';
import { classes } from '../base/text.ts';
import { useKernel } from '../kernel/context.ts';
import { Icon, type IconName } from './icon.tsx';
import { useAction } from './use-action.ts';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string;
}

export function Button({ label, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest}>
      {label}
    </button>
  );
}

/** A button that is disabled while its action runs. Errors are shown as notices. */
export function ActionButton({ action, ...rest }: ButtonProps & { action(): Promise<unknown> }) {
  const { act, busy } = useAction();
  return <Button disabled={busy} onClick={() => void act(action)} {...rest} />;
}

/** The label is the name of the button, and is shown at the pointer. */
export function IconButton({ label, icon, className, ...rest }: ButtonProps & { icon: IconName }) {
  return (
    <button
      type="button"
      className={classes('quiet square', className)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Copies a text, and shows a check mark for a moment. */
export function CopyButton({ text, label }: { text(): string; label: string }) {
  const { notices } = useKernel();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      notices.say("Couldn't copy. Allow clipboard access in your browser.", 'error');
    }
  };
  return <IconButton label={label} icon={done ? 'check' : 'copy'} onClick={() => void copy()} />;
}
