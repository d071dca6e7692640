/** Reads some Markdown while nobody waits: else the first words of the first answer wait until the browser has compiled what reads it. */
import { Pieces } from './pieces.ts';

const SAMPLE = `# Title

Words, **strong** and _soft_, \`code\`, [a link](https://example.org) and an end.

- one
- two

1. first

> quoted

\`\`\`ts
const a = 1;
\`\`\`

| a | b |
|---|---|
| c | d |

A last paragraph, of some more words that go on for a line.
`;
/** Characters that come at once, as a model writes them. */
const STEP = 12;

export function warmUp(): void {
  const read = () => {
    const pieces = new Pieces();
    for (let end = STEP; end < SAMPLE.length; end += STEP) pieces.of(SAMPLE.slice(0, end), false);
    pieces.of(SAMPLE, true);
  };
  // Safari has no idle time.
  if ('requestIdleCallback' in window) window.requestIdleCallback(read);
  else setTimeout(read, 500);
}
