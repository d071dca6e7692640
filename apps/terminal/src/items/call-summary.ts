/** A tool call or an operation in a few words, on a line of the terminal. */
import { callSummary as summaryOf } from '@chat-kernel/client';
import { exact } from '../text/safe.ts';
import { oneLine } from '../text/words.ts';

/** Shows what ran to the character, also what a terminal would have swallowed. Empty where the name says all. */
export const callSummary = (name: string, input: Readonly<Record<string, unknown>>): string =>
  exact(oneLine(summaryOf(name, input), ' ⏎ '));
