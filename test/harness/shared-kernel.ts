/** Kernels that stop with a test, or with a file or a group of tests. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
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

/** Starts a kernel that stops with the test. */
export async function kernelOf(options?: KernelOptions): Promise<TestKernel> {
  const kernel = await startKernel(options);
  onTestFinished(() => kernel.stop());
  return kernel;
}
