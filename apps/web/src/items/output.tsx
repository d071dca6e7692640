/** Shows the output of a tool: the first lines, or the last lines while it runs. A button shows all lines. */
import { counted } from '@chat-kernel/text';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';

interface OutputProps {
  text: string;
  isError?: boolean;
  /** True while the output grows: shows its end. */
  tail?: boolean;
  lines?: number;
}

const TAIL_LINES = 6;
/** Longer outputs would slow down the page. The export has them in full. */
const MAX_CHARS = 200_000;

export function Output({ text, isError = false, tail = false, lines = 24 }: OutputProps) {
  const [isWhole, setWhole] = useState(false);
  const all = text.slice(0, MAX_CHARS).replace(/\n$/, '').split('\n');
  const most = isWhole ? all.length : tail ? TAIL_LINES : lines;
  const shown = tail && !isWhole ? all.slice(-most) : all.slice(0, most);
  const hidden = all.length - shown.length;
  return (
    <div className="output-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className={isError ? 'output error' : 'output'} tabIndex={0}>
        {shown.join('\n')}
      </pre>
      {hidden > 0 && !tail ? (
        <Button
          label={`Show ${counted(hidden, 'more line')}`}
          className="quiet"
          onClick={() => setWhole(true)}
        />
      ) : null}
    </div>
  );
}
