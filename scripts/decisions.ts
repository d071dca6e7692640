/** Builds docs/decisions/README.md, the index of the decision records, from the first lines of each record. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DECISIONS_PAGE = 'docs/decisions/README.md';

/** The title, the date, and the record that replaces all or part of this one. */
const HEAD =
  /^# (\d+)\. (.+)\n\n(\d{4}-\d{2}-\d{2})(?:\. (Superseded|Partly superseded) by \[decision (\d+)\]\((.+?)\)\.)?\n\n/;

/** The index page. Throws if the head of a record, its file name or its link to a newer record is wrong. */
export function decisionsPage(root: string): string {
  const folder = join(root, 'docs/decisions');
  const files = readdirSync(folder)
    .filter(file => file !== 'README.md')
    .sort();
  const rows = files.map(file => {
    const [, number = '', title = '', date, status, newer = '', link = ''] =
      HEAD.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    if (!date)
      throw new Error(`docs/decisions/${file} does not begin with "# N. Title" and a line with its date`);
    if (!`${number.padStart(4, '0')}-${slug(title)}`.startsWith(file.slice(0, -'.md'.length))) {
      throw new Error(`the name of docs/decisions/${file} does not follow its number and title`);
    }
    if (status && !(link.startsWith(`${newer.padStart(4, '0')}-`) && files.includes(link))) {
      throw new Error(`docs/decisions/${file} is superseded by a record that does not exist: ${link}`);
    }
    const shown = status ? `${status.toLowerCase()} by [${newer}](${link})` : 'accepted';
    return `| [${number}](${file}) | ${title} | ${date} | ${shown} |`;
  });
  return `# Decision records

Why the kernel is built as it is: one short record for each decision that another engineer would question. To add one,
write \`NNNN-title-in-lower-case.md\` with the next free number, begin it as the others do, and run \`npm run docs\`, which
generates this page.

| number | decision | date | status |
|---|---|---|---|
${rows.join('\n')}
`;
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-');
}
