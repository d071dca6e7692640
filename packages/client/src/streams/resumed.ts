/** The kernel's answer to Last-Event-ID. */

/** Returns whether the stream goes on where the last one broke; otherwise it starts over. */
export const isResumed = ({ headers }: Response): boolean => headers.get('x-resumed') === 'true';
