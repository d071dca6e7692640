/** A word of the command line that cannot be meant: its sentence is all that the person at the terminal needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
