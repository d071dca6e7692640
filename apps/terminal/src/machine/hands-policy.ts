/** THE words of --hands: which machine the model may work on, and with whose consent. */

/**
 * `none`: no machine. `reads`: this one, for reading below the working directory; all else is asked about, or refused
 * where nobody can be asked. `ask`: this one, asking about everything. `all`: this one, unasked. `kernel`: the kernel's
 * own machine; `chat` asks, `ask` does not.
 */
export const HANDS = ['none', 'reads', 'ask', 'all', 'kernel'] as const;
export type HandsPolicy = (typeof HANDS)[number];

/** Whether turns work on this machine. */
export const worksHere = (policy: HandsPolicy): boolean => policy !== 'none' && policy !== 'kernel';

/** The field of a turn's request: without it, a turn without hands would work on the kernel's machine (WHO-5). */
export const machineOf = (policy: HandsPolicy): 'auto' | 'none' => (policy === 'none' ? 'none' : 'auto');

/** The fields of a new chat: the directory where it works, and that its owner wants to be asked (WHO-6). */
export function placeOf(policy: HandsPolicy, workdir: string) {
  if (policy === 'none') return { consent: 'ask' } as const;
  return { consent: 'ask', workdir, workdir_on: worksHere(policy) ? 'client' : 'server' } as const;
}
