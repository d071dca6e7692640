/** What the kernel says of Last-Event-ID. */

/** The stream goes on where the last one broke. A kernel that does not say tells from the beginning. */
export const isResumed = ({ headers }: Response): boolean => headers.get('x-resumed') === 'true';
