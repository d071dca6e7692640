/** A recipe: what a row of "Adding things" in CONTRIBUTING.md tells a person to write, with a small thing as the example. */

export interface Recipe {
  /** The first cell of its row. */
  row: string;
  /** Path → text of a file that is new. */
  files?: Readonly<Record<string, string>>;
  edits: readonly Edit[];
}

/** A text that goes right before or right behind another, which stands in the file exactly once. */
type Edit = { file: string; text: string } & ({ before: string } | { after: string });

/** Every file that is made or changed. */
export const filesOf = ({ files = {}, edits }: Recipe): string[] => [
  ...new Set([...Object.keys(files), ...edits.map(({ file }) => file)]),
];

/** @throws Error where the place of the edit is gone, or there is another like it */
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
