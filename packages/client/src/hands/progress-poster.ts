/** Posts snapshots of a command's output to the kernel, one at a time and a few per second. */

/** @param post call that is not repeated if it fails: a newer snapshot follows, or the result */
export function progressPoster(post: (output: string) => Promise<unknown>, everyMs = 250) {
  let latest: string | undefined;
  /** True while a snapshot is being posted, and until the next one may be. */
  let isBusy = false;
  let hasEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let posted: Promise<unknown> = Promise.resolve();

  const send = (): void => {
    const output = latest;
    latest = undefined;
    isBusy = output !== undefined;
    if (output === undefined) return;
    posted = post(output)
      .catch(() => {})
      .then(() => {
        if (!hasEnded) timer = setTimeout(send, everyMs);
      });
  };

  return {
    /** Posts the first snapshot immediately, then the newest at intervals; less often over a slow connection. */
    show(output: string): void {
      if (hasEnded) return;
      latest = output;
      if (!isBusy) send();
    },

    /** Stops posting. Resolves when the last post has arrived, so that the result comes after it. */
    async end(): Promise<void> {
      hasEnded = true;
      clearTimeout(timer);
      await posted;
    },
  };
}
