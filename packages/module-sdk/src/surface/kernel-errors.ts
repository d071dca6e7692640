/** Describes a failed call to the kernel for users. */
import { isUnreachable, KernelApiError } from '@chat-kernel/client';

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof KernelApiError && error.status === status;

/** The kernel's own description of the error. Other errors may contain private data, so they are only logged. */
export function errorDetail(error: unknown): string {
  if (error instanceof KernelApiError) return error.detail;
  return isUnreachable(error) ? 'The kernel cannot be reached.' : 'The log of the module says why.';
}
