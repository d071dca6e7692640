/** The sleep of the kernel as a whole: turns that arrive wait. */
export interface KernelSleep {
  since: string;
  until: string | null;
  reason: string | null;
}

export interface SleepStore {
  /** Null: awake. */
  get(): Promise<KernelSleep | null>;
  /** Null: awake from now on. */
  save(sleep: KernelSleep | null): Promise<void>;
}
