/** What the owner says to an act, as modules and other kernels are told it. */
import type { ConsentResult } from '@chat-kernel/protocol';
import { OperationError } from '../ports/index.ts';

/**
 * The owner's word as an answer: who asked hears of a no as the model would.
 * @param consenting as `ToolContext.consentToAct` returns it; what is no refusal is thrown
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
