/** A statement of the API document, and how it is proved. */

export interface Statement {
  /** In our own words. */
  says: string;
  /** The tests that prove it: a file, ` › ` and the title as the source has it. Files without a folder are in test/conformance. */
  by: readonly string[];
  /** Why it does not hold yet, where later work decides it; the gate prints it. */
  exception?: string;
}

/** Between file and title. */
export const BETWEEN = ' › ';
