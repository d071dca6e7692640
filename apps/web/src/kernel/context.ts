/** The kernel, for every component. */
import { createContext, useContext } from 'react';
import type { Kernel } from './kernel.ts';

export const KernelContext = createContext<Kernel | null>(null);

export function useKernel(): Kernel {
  const kernel = useContext(KernelContext);
  if (!kernel) throw new Error('Outside of the kernel context.');
  return kernel;
}
