/** Checks the language of comments, docs, test titles and texts of clients by a list of patterns. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filesIn } from './layers/imports.ts';

/** A line of text that people read. */
interface Line {
  number: number;
  text: string;
}

/** Expressions that plain technical English does not use. */
const PATTERNS: readonly RegExp[] = [
  /^(What|Whatever|Whoever|Whom|Whose)\b/,
  /^(Nobody|None|Nothing|Word|Words)\b/,
  /^(Of|As|By) (a|an|each|every|several|those|what|two|it|them)\b/,
  /\bwhoever\b/i,
  /\b(nobody|somebody)\b/,
  /\bnone of\b/,
  /\b(is|are|was|were|be|been|being) (told|said|heard)\b/,
  /\b(tells?|told) (of|it|them|him|each|apart|again|anew)\b/,
  /\bhears? (of|that|from)\b|\bheard\b/,
  /\bwords? (to|of|that|is|from|about|leaves|alone)\b/i,
  /\bany more\b/,
  /\bby (itself|themselves|himself)\b/,
  /\b(goes|go|went|gone|going) on\b/,
  /\b(for ever|all the same|anew|meanwhile|unasked)\b/,
  /(?<!there )\b(is|are|was|were) (no|none)\b/i,
  /\bstands? (in|there|below|behind|for|on|at|beside|before|where|still)\b/,
  /\b(lies|lie|lay) (in|there|at|on|beside|where|elsewhere)\b/,
  /\bbeside\b/,
  /\bthe present (folder|one|step|chat|turn|directory|plan)\b/,
  /\b(under way|on (its|their) way)\b/,
  /\b(is|are) to be\b/,
  /\b(he|him|his|himself)\b/,
  /\b(for|in|within|at most|only) so (long|many|much|often)\b/,
  /\b(is|are|was|were) away\b/,
  /\b(is|are|was|were) (there|here)\b(?! (a|an|no|any)\b)/,
  /\balone\b(?=[.,;:)]|$)/,
  /\bwhat (comes|came|stands|goes|went|runs|lies)\b/,
  /\bwhere (it|one|none|nothing|nobody|some) (is|are|was|does|has|runs|stands|can|cannot)\b/,
  /\bas (it|they|he) (stands?|comes?|came|lies?)\b/,
  /\b(the|a|its) line (breaks?|broke)\b|\bbroken line\b/,
];

/** A line with this mark quotes a fixed text. */
const KEEP = 'language: keep';
const SOURCES = ['{packages,apps,modules,test,scripts,bench,examples}/**/*.{ts,tsx,js}', '*.ts'];
const PAGES = ['docs/**/*.md', '*.md', '{packages,apps,modules}/*/*.md'];
const GENERATED = /node_modules|\/dist\/|api\/openapi\.ts$/;
/** The texts of these files are screens and messages. */
const CLIENT = /^(apps|modules)\/[^/]+\/src\//;

const COMMENT = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)\s?(.*?)(?:\s*\*\/)?$/;
const TITLE = /\b(?:test|it|describe)(?:\.\w+(?:\(.*\))?)*\(\s*(['"`])(.*?)\1/;
/** A title on a line of its own, and the line before it. */
const TITLE_LINE = /^\s*(['"`])(.*)\1,?$/;
const BEFORE_TITLE = /(?:^\s*\]\)|\b(?:test|it|describe)\b.*)\($/;
const STRING = /(['"`])((?:(?!\1).)*\s(?:(?!\1).)*)\1/g;
/** Ids of rules before a title. */
const RULES = /^(?:\[[A-Z]+-\d+\] ?)+/;

/** `file:line: "expression" in: text` of each match. */
function matchesIn(file: string, source: string): string[] {
  const lines = file.endsWith('.md') ? proseOf(source) : textsOf(file, source);
  return lines.flatMap(({ number, text }) =>
    PATTERNS.flatMap(pattern => pattern.exec(text)?.[0] ?? []).map(
      expression => `${file}:${number}: "${expression}" in: ${text}`,
    ),
  );
}

/** The lines of a page outside of its code blocks. */
function proseOf(source: string): Line[] {
  let isCode = false;
  return source.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || line.includes(KEEP)) return [];
    return [{ number: index + 1, text: line.replace(/^[\s>#*|-]+/, '').replace(/`[^`]*`/g, '``') }];
  });
}

/** The comments and test titles of a source file, and the texts of a client. */
function textsOf(file: string, source: string): Line[] {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    if (line.includes(KEEP)) return [];
    const number = index + 1;
    const comment = COMMENT.exec(line)?.[1];
    if (comment !== undefined) return [{ number, text: comment.replace(/`[^`]*`/g, '``') }];
    const title = /\.test\.tsx?$/.test(file) ? titleIn(line, lines[index - 1] ?? '') : undefined;
    if (title !== undefined) return [{ number, text: title.replace(RULES, '') }];
    if (!CLIENT.test(file)) return [];
    return [...line.matchAll(STRING)].map(([, , text]) => ({ number, text: text ?? '' }));
  });
}

function titleIn(line: string, before: string): string | undefined {
  return TITLE.exec(line)?.[2] ?? (BEFORE_TITLE.test(before) ? TITLE_LINE.exec(line)?.[2] : undefined);
}

function main(root: string): number {
  const files = filesIn(root, [...SOURCES, ...PAGES]).filter(file => !GENERATED.test(file));
  const found = files.flatMap(file => matchesIn(file, readFileSync(join(root, file), 'utf8')));
  for (const line of found) console.error(line);
  console.log(`${found.length} expressions to replace in ${files.length} files`);
  return found.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = main(resolve(import.meta.dirname, '..'));
