/** The answer to an operation that the owner denies. */
import type { Operation } from '../api/operation.ts';
import type { OpsResult } from '../api/types.ts';

/**
 * If the kernel offered decisions, it writes the text for the model (OP-5, HANDS-7); otherwise this machine writes the
 * same text.
 * @param reason what the owner says about it
 */
export function denial(
  { decisions }: Pick<Operation, 'decisions'>,
  reason: string | undefined,
): Pick<OpsResult, 'decision' | 'error'> {
  if (decisions?.includes('deny') !== true) return { error: denialText(reason) };
  return { decision: 'deny', ...(reason !== undefined && { error: reason }) };
}

/** The text of a denial, identical to the kernel's. */
const denialText = (reason = ''): string =>
  `The user declined this operation.${reason.trim() === '' ? '' : ` They said: ${reason.trim()}`}`;
