/** What a tool printed: its beginning, or its end while it runs, and all of it where somebody asks. */
import { useState } from 'react';
import { counted } from '../base/amounts.ts';

interface OutputProps {
  text: string;
  isError?: boolean;
  /** It still grows: the end is what matters. */
  tail?: boolean;
  lines?: number;
}

const TAIL_LINES = 6;
/** More would only make the page slow; all of it is in the export. */
const MOST_CHARS = 200_000;

export function Output({ text, isError = false, tail = false, lines = 24 }: OutputProps) {
  const [isWhole, setWhole] = useState(false);
  const all = text.slice(0, MOST_CHARS).replace(/\n$/, '').split('\n');
  const most = isWhole ? all.length : tail ? TAIL_LINES : lines;
  const shown = tail && !isWhole ? all.slice(-most) : all.slice(0, most);
  const hidden = all.length - shown.length;
  return (
    <div className="output-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className={isError ? 'output error' : 'output'} tabIndex={0}>
        {shown.join('\n')}
      </pre>
      {hidden > 0 && !tail ? (
        <button type="button" className="quiet" onClick={() => setWhole(true)}>
          Show {counted(hidden, 'more line')}
        </button>
      ) : null}
    </div>
  );
}
