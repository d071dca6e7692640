/** The longer texts of the demo model: Markdown with everything that a client must render. */

const THEMES = ['a river', 'a garden', 'a harbour', 'a library', 'a workshop', 'a mountain path'];

/** About a thousand words in six chapters, each with a list, a table, code and a quote. */
export const longText = (): string => THEMES.map((theme, index) => chapter(theme, index + 1)).join('\n');

function chapter(theme: string, number: number): string {
  return `## Chapter ${number}: ${theme}

Think of **${theme}** early in the morning, before anybody has come. Nothing moves, and yet everything is ready to. \
The light arrives a little at a time, as these words do: not all at once, but so evenly that one forgets to wait. \
Whoever closes the window now and opens it again later finds the story gone on, and nothing of it lost.

1. First comes what everyone sees of ${theme}.
2. Then what only those see who stay.
   - It is quieter than one thinks.
   - It is *never* quite still.

| hour | what happens |
|---|---|
| ${number + 4}:00 | the first sound |
| ${number + 9}:30 | the first visitor |

\`\`\`ts
const steps = Array.from({ length: ${number * 3} }, (_, step) => step * ${number});
console.log(steps.join(' '));
\`\`\`

> A demo has no opinions about ${theme}. It has time, though.

So much for chapter ${number}; it has the length it has so that you can scroll, stop it, or leave and come back.
`;
}

/** Long enough to cancel the turn, or to leave and come back. */
export const SLOW_TEXT = Array.from(
  { length: 12 },
  (_, index) => `This is sentence ${index + 1} of twelve, said slowly. `,
).join('');

/** The demo's summary of any conversation, which it does not understand. */
export const SUMMARY = `## Goal
To see what this kernel can do.
## Decisions
None.
## Open items
None.
## Names and paths
None.
## State of the work
What was said so far is folded away; the demo model has read it and understood nothing. It can still be scrolled to and searched.`;
