/** Defines the stored sleep of the whole kernel, in which new turns wait. */
export interface KernelSleep {
  since: string;
  until: string | null;
  reason: string | null;
}

export interface SleepStore {
  /** Returns null if the kernel is awake. */
  get(): Promise<KernelSleep | null>;
  /** Stores the sleep; null means awake from now on. */
  save(sleep: KernelSleep | null): Promise<void>;
  /** Like `save`, but only if `before` is the stored value; returns whether it was. */
  swap(before: KernelSleep | null, sleep: KernelSleep | null): Promise<boolean>;
}
