/** Values of --hands: the machine that the model may use, and how operations are approved. */

/**
 * `none`: no machine. `reads`: this one; reads below the working directory need no approval, other operations are asked
 * about, or denied without a terminal. `ask`: this one, with approval. `all`: this one, without approval. `kernel`: the
 * kernel's own machine; `chat` asks for approval, `ask` does not.
 */
export const HANDS = ['none', 'reads', 'ask', 'all', 'kernel'] as const;
export type HandsPolicy = (typeof HANDS)[number];

/** Whether turns use this machine. */
export const worksHere = (policy: HandsPolicy): boolean => policy !== 'none' && policy !== 'kernel';

/** Field of a turn request. Without it, a turn without hands would use the kernel's machine (WHO-5). */
export const toMachineField = (policy: HandsPolicy): 'auto' | 'none' => (policy === 'none' ? 'none' : 'auto');

/** Fields of a new chat: its working directory, and that operations need approval (WHO-6). */
export function newChatFields(policy: HandsPolicy, workdir: string) {
  if (policy === 'none') return { consent: 'ask' } as const;
  return { consent: 'ask', workdir, workdir_on: worksHere(policy) ? 'client' : 'server' } as const;
}
