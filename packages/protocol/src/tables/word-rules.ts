/** Describes the form of the table of programs (CONSENT-7). */

/** The arguments that are allowed after a program or a subcommand. */
export interface WordRules {
  /** The options that write files or start programs. All others do neither. */
  except?: string;
  /** The only options that do neither. */
  only?: string;
  /** The form of each operand: all arguments except options. */
  operands?: RegExp;
  /** The form of the first operand, if it differs. */
  first?: RegExp;
  /** The maximum number of operands. */
  most?: number;
  /** The prefix must contain the operand, which directly follows the subcommand: a repository. */
  target?: true;
  /** The subcommand is followed by the name of a script, which belongs to a useful prefix. */
  script?: true;
}

export interface Subcommands {
  /** Options before the subcommand. */
  globals: string;
  /** Options before the subcommand, each with a value, which the prefix must contain. */
  chosen?: string;
  /** Subcommands that only read: the name of the program is prefix enough. */
  reads: Readonly<Record<string, WordRules>>;
  /** Subcommands that change something or run code of the project: the prefix must contain them. */
  acts: Readonly<Record<string, WordRules>>;
}
