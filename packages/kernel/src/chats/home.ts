/** The machine on which a chat works, where it is that of a kernel and several share the database (FLEET-4). */
import type { ChatRecord, Store } from '../ports/index.ts';

/** The home of a chat whose working directory was set by this kernel; null: it works anywhere. */
export const homeFor = (
  workdir_on: ChatRecord['workdir_on'] | undefined,
  { fleet }: Pick<Store, 'fleet'>,
): string | null => (workdir_on === 'server' ? (fleet?.name ?? null) : null);

/** Whether a chat works on the machine of another kernel, which is away: else that one would own the chat. */
export const isAway = ({ home }: Pick<ChatRecord, 'home'>, { fleet }: Pick<Store, 'fleet'>): boolean =>
  fleet !== null && home !== null && home !== fleet.name;

/** What the model reads of a tool that needs this machine. */
export const awayWords = ({ home }: Pick<ChatRecord, 'home'>): string =>
  `This chat works on the machine ${home}, which cannot be reached now. Nothing was done; other tools work.`;
