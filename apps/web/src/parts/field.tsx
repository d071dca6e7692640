/** Fields with a label: texts, check boxes and lists to choose from. */
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../base/text.ts';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: ReactNode;
  value: string;
  onChange(value: string): void;
  /** Takes the rest of its line. */
  grow?: boolean;
}

export function TextField({ label, onChange, grow = false, ...rest }: TextFieldProps) {
  return (
    <label className={classes('field', grow && 'grow')}>
      {label}
      <input {...rest} onChange={event => onChange(event.target.value)} />
    </label>
  );
}

type Option = readonly [value: string, name: string];

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  value: string;
  /** The name of the empty value, before the others. */
  none?: string;
  options: readonly Option[];
  onChange(value: string): void;
}

/** @param props `children` follow the options */
export function Select({ none, options, onChange, children, ...rest }: SelectProps) {
  return (
    <select {...rest} onChange={event => onChange(event.target.value)}>
      {none === undefined ? null : <option value="">{none}</option>}
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      {children}
    </select>
  );
}

export function SelectField({ label, ...rest }: SelectProps & { label: string }) {
  return (
    <label className="field">
      {label}
      <Select {...rest} />
    </label>
  );
}

interface CheckFieldProps {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={event => onChange(event.target.checked)} /> {label}
    </label>
  );
}
