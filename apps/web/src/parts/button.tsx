/** Buttons with a text, and buttons with only an icon. */
import type { ComponentProps } from 'react';
import { classes } from '../base/text.ts';
import { Icon, type IconName } from './icon.tsx';

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
