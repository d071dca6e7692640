/** A recipe: what a row of "Adding things" in CONTRIBUTING.md asks a contributor to write, with a small example. */

export interface Recipe {
  /** The first cell of its row. */
  row: string;
  /** Path → text of a new file. */
  files?: Readonly<Record<string, string>>;
  edits: readonly Edit[];
  /** The texts whose absence causes a failure. */
  required?: readonly RequiredText[];
}

/** A text of a recipe that the tree requires. */
interface RequiredText {
  file: string;
  /** A part of an edit of the file. Absent: the whole edit, or the whole of a new file. */
  without?: string;
  /** Parts of the resulting output that help to find the missing line. */
  says: readonly string[];
  /** The command that prints it; absent: the type check of the recipe's files. */
  command?: readonly [string, ...string[]];
}

/** A text that is inserted directly before or after another one, which the file contains exactly once. */
type Edit = { file: string; text: string } & ({ before: string } | { after: string });

/** Every created or changed file. */
export const filesOf = ({ files = {}, edits }: Recipe): string[] => [
  ...new Set([...Object.keys(files), ...edits.map(({ file }) => file)]),
];

/**
 * The source without a required text that an edit of the recipe has inserted. @throws Error unless the source has it
 * exactly once
 */
export function withoutRequired(source: string, { edits }: Recipe, { file, without }: RequiredText): string {
  const edit = edits.find(each => each.file === file && each.text.includes(without ?? ''));
  if (edit === undefined) throw new Error(`No edit of ${file} has ${JSON.stringify(without)}.`);
  const count = source.split(edit.text).length - 1;
  if (count !== 1) throw new Error(`${file} has ${count} times, not once: ${JSON.stringify(edit.text)}.`);
  return source.replace(edit.text, text => (without === undefined ? '' : text.replace(without, '')));
}

/** @throws Error if the anchor of the edit is missing or not unique */
export function edited(source: string, edit: Edit): string {
  const [anchor, replacement] =
    'before' in edit ? [edit.before, edit.text + edit.before] : [edit.after, edit.after + edit.text];
  const count = source.split(anchor).length - 1;
  if (count !== 1)
    throw new Error(
      `${edit.file} has ${count} times, not once: ${JSON.stringify(anchor)}. See test/adding/recipes.`,
    );
  return source.replace(anchor, () => replacement);
}
