/** The sleep of the kernel as a whole: turns that arrive wait. */
export interface KernelSleep {
  since: string;
  until: string | null;
  reason: string | null;
}

export interface SleepStore {
  /** Returns null where the kernel is awake. */
  get(): Promise<KernelSleep | null>;
  /** Stores the sleep; null means awake from now on. */
  save(sleep: KernelSleep | null): Promise<void>;
  /** As `save`, but only where `before` is what is stored; returns whether it was. */
  swap(before: KernelSleep | null, sleep: KernelSleep | null): Promise<boolean>;
}
