/** Defines the name that signs text of the kernel for the model. No person may have it. */
import { KernelError } from '@chat-kernel/protocol';

export const KERNEL_NAME = 'kernel';

/** @param pointer the position of the name in the body @throws KernelError invalid_value */
export function checkName(name: string | null | undefined, pointer: string): void {
  if (name?.trim() !== KERNEL_NAME) return;
  const detail = `The name ${KERNEL_NAME} is reserved for messages of the kernel. Choose another name.`;
  throw new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
}
