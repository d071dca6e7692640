/** A tool call or an operation in a few words, on a line of the page. */
import { callSummary as summaryOf } from '@chat-kernel/client';

/** Empty where the name says all. */
export const callSummary = (name: string, input: Readonly<Record<string, unknown>>): string =>
  summaryOf(name, input)
    .split('\n')
    .map(line => line.trim())
    .join(' ⏎ ');
