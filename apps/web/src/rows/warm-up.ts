/** Parses sample Markdown while the browser is idle, so that the parser is compiled before the first response. */
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
/** Characters per update, similar to a streamed response. */
const STEP = 12;

export function warmUp(): void {
  const read = () => {
    const pieces = new Pieces();
    for (let end = STEP; end < SAMPLE.length; end += STEP) pieces.of(SAMPLE.slice(0, end), false);
    pieces.of(SAMPLE, true);
  };
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(read);
  else setTimeout(read, 500);
}
