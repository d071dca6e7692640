/** Summarizes a tool call or an operation in one line. */
import { callSummary as summaryOf } from '@chat-kernel/client';
import { oneLine } from '../text/normalize.ts';
import { exact } from '../text/safe.ts';

/** Shows the exact arguments, including control characters. Empty if there are none to show. */
export const callSummary = (name: string, input: Readonly<Record<string, unknown>>): string =>
  exact(oneLine(summaryOf(name, input), ' ⏎ '));
