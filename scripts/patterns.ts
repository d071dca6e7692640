/**
 * Rejects regular expressions that are slower than linear in the length of their text: the sender of the text could
 * block the event loop with one long line. A pattern whose text is short, or comes from the owner, must have a comment
 * on its line or the line above: `bounded: why`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import recheck from 'recheck/lib/browser.js';
import { parseSync, Visitor } from 'rolldown/utils';
import { filesIn } from './layers/imports.ts';

/**
 * Milliseconds for one pattern; a pattern that is not analyzed in this time must be simplified or marked as bounded.
 */
const PATIENCE = 30_000;

interface Pattern {
  file: string;
  line: number;
  source: string;
  flags: string;
  bounded: boolean;
}

const root = join(import.meta.dirname, '..');
/** The patterns that were found linear, one per line: a proof takes seconds, so it is not repeated. */
const LIST = join(root, 'scripts/patterns.txt');

const linear = new Set(readFileSync(LIST, 'utf8').split('\n'));
const patterns = filesIn(root, ['packages/*/src/**/*.ts', '{apps,modules}/*/src/**/*.ts']).flatMap(
  patternsIn,
);
const open = patterns.filter(({ bounded }) => !bounded);
let wrong = 0;
for (const pattern of open) {
  const text = textOf(pattern);
  if (linear.has(text)) continue;
  const why = slowness(pattern);
  if (why === null) {
    linear.add(text);
    continue;
  }
  wrong++;
  process.stderr.write(`${pattern.file}:${pattern.line}: ${text} is ${why}\n`);
}
const used = [...new Set(open.map(textOf))].filter(text => linear.has(text)).sort();
const list = `${used.join('\n')}\n`;
const stale = list !== readFileSync(LIST, 'utf8');
if (process.argv.includes('--note')) writeFileSync(LIST, list);
else if (stale)
  process.stderr.write('scripts/patterns.txt is not up to date: node scripts/patterns.ts --note\n');
process.stdout.write(`${patterns.length} patterns, ${wrong} not linear\n`);
process.exitCode = wrong > 0 || (stale && !process.argv.includes('--note')) ? 1 : 0;

function textOf({ source, flags }: Pattern): string {
  return `/${source}/${flags}`;
}

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  const found: Pattern[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const line = text.slice(0, node.start).split('\n').length;
      const bounded = [lines[line - 1], lines[line - 2]].some(each => each?.includes('bounded: ') ?? false);
      found.push({ file, line, source: node.regex.pattern, flags: node.regex.flags, bounded });
    },
  }).visit(parseSync(file, text).program);
  return found;
}

/** Null: linear. */
function slowness({ source, flags }: Pattern): string | null {
  const verdict = recheck.checkSync(source, flags.replace('v', 'u'), { timeout: PATIENCE });
  if (verdict.status === 'safe') return null;
  return verdict.status === 'vulnerable'
    ? `${verdict.complexity.type} in the length of its text`
    : 'not understood';
}
