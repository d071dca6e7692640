/** Small plots: a meter, and a list of bars. */
import { compact } from '@chat-kernel/text';
import { classes } from '../base/text.ts';

interface MeterProps {
  /** From 0 to 1. */
  share: number;
  /** The text for screen readers. */
  label: string;
  /** True if a full meter is a warning. */
  warns?: boolean;
}

export function Meter({ share, label, warns = false }: MeterProps) {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <svg
      className={classes('meter', warns && share > 0.85 && 'near')}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <rect className="track" width="100" height="6" rx="3" />
      <rect className="fill" width={width} height="6" rx="3" />
    </svg>
  );
}

interface Bar {
  name: string;
  value: number;
  /** The value as text; absent: the number. */
  shown?: string;
}

export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const max = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ name, value, shown = compact(value) }) => (
        <li key={name}>
          <span className="name">{name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect
              className="fill"
              width={value === 0 ? 0 : Math.max(0.5, (value / max) * 100)}
              height="10"
              rx="1"
            />
          </svg>
          <span className="value">{shown}</span>
        </li>
      ))}
    </ul>
  );
}
