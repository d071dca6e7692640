/** Provides the kernel to all components. */
import { createContext, useContext } from 'react';
import type { Kernel } from './kernel.ts';

export const KernelContext = createContext<Kernel | null>(null);

export function useKernel(): Kernel {
  const kernel = useContext(KernelContext);
  if (!kernel) throw new Error('useKernel needs a KernelContext above it.');
  return kernel;
}
