/** A kernel for all tests of a file or a group. */
import { afterAll, beforeAll } from 'vitest';
import { type KernelOptions, startKernel, type TestKernel } from './kernel.ts';

/** Starts the kernel before the first test and stops it after the last one. Its fields are set in between. */
export function sharedKernel(options?: KernelOptions): TestKernel {
  const shared: Partial<TestKernel> = {};
  beforeAll(async () => {
    Object.assign(shared, await startKernel(options));
  });
  afterAll(() => shared.stop?.());
  return shared as TestKernel;
}
