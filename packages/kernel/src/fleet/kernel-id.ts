/**
 * The ids of kernels, which say how a kernel signs requests to other kernels (docs/decisions/0089). An id is a UUID of
 * version 8; earlier versions of the program, which sign only the address of a request, have UUIDs of version 4.
 */
import { randomUUID } from 'node:crypto';

/** The position of the version in a UUID. */
const VERSION = 14;

export function newKernelId(): string {
  const id = randomUUID();
  return `${id.slice(0, VERSION)}8${id.slice(VERSION + 1)}`;
}

/** Whether the kernel with this id signs only the method and address of its requests. */
export const signsOnlyAddress = (id: string): boolean => id[VERSION] === '4';
