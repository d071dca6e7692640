/** Converts the user's decision about an external action to the result for modules and other kernels. */
import type { ConsentResult } from '@chat-kernel/protocol';
import { OperationError } from '../ports/index.ts';

/**
 * The user's decision as a result: for a denial, it contains the text that the model would get.
 * @param consenting the promise of `ToolContext.consentToAct`; errors other than a refusal are thrown
 */
export async function consentResult(consenting: Promise<void>): Promise<ConsentResult> {
  try {
    await consenting;
    return { allowed: true, reason: '' };
  } catch (error) {
    if (error instanceof OperationError) return { allowed: false, reason: error.message };
    throw error;
  }
}
