/** Reads the kernel's response to Last-Event-ID. */

/** Returns true if the stream continues after the last event; otherwise it starts over. */
export const isResumed = ({ headers }: Response): boolean => headers.get('x-resumed') === 'true';
