/** The client's table of error codes, out of the catalogue: the client imports no other package. */

const HEADER = `/**
 * Generated from packages/protocol/src/base/error.ts: \`npm run docs\` regenerates it, \`npm run check\` compares it. Not to be
 * edited.
 */
import type { Schema } from './types.ts';
`;

type Facts = { status: number; retryable: boolean };

/** Returns the text of a module that exports the table `RETRYABLE`. It is short, because it is in every bundle. */
export function retryableOf(errors: Readonly<Record<string, Facts>>): string {
  const rows = Object.entries(errors)
    .filter(([, { status, retryable }]) => status >= 500 || retryable)
    .map(([code, { retryable }]) => `  ${code}: ${retryable},\n`);
  return `${HEADER}
/** Code of a failure of the server → whether the same request may succeed later. Other errors are not retryable. */
export const RETRYABLE = {\n${rows.join('')}} as const satisfies Partial<Record<Schema<'ErrorCode'>, boolean>>;
`;
}
