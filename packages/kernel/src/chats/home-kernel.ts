/** Determines on which kernel's machine a chat works if several kernels share the database (FLEET-4). */
import type { ChatRecord, Store } from '../ports/index.ts';

/** The home of a chat whose working directory was set by this kernel; null: it works on any kernel. */
export const homeKernelFor = (
  workdir_on: ChatRecord['workdir_on'] | undefined,
  { fleet }: Pick<Store, 'fleet'>,
): string | null => (workdir_on === 'server' ? (fleet?.name ?? null) : null);

/** Whether a chat works on the machine of another kernel. That kernel is unreachable: else it would own the chat. */
export const isHomeUnreachable = (
  { home }: Pick<ChatRecord, 'home'>,
  { fleet }: Pick<Store, 'fleet'>,
): boolean => fleet !== null && home !== null && home !== fleet.name;

/** The text for the model if a tool needs this machine. */
export const unreachableText = ({ home }: Pick<ChatRecord, 'home'>): string =>
  `This chat works on the machine ${home}, which is unreachable. Nothing was done; other tools still work.`;
