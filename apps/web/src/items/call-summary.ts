/** Summarizes a tool call or an operation in one line. */
import { callSummary as summaryOf } from '@chat-kernel/client';

/** Empty if the name is enough. */
export const callSummary = (name: string, input: Readonly<Record<string, unknown>>): string =>
  summaryOf(name, input)
    .split('\n')
    .map(line => line.trim())
    .join(' ⏎ ');
