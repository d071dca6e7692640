/** Inserts probes into a source file, which report what a test executes: once per block, function and statement. */
import { type Node, parse, walk } from './ast.ts';
import { applyEdits, type Edit } from './splice.ts';

/** The code that has run once the probe has been reached. */
export interface Probe {
  file: string;
  start: number;
  end: number;
}

/** A name that the sources do not use. */
const CALL = '__probe';

/**
 * Returns the text with its probes, and appends them to `probes`; their numbers are the positions in that list. The
 * line numbers stay the same.
 * @param module the import path of the module of `probeModule()`
 */
export function withProbes(file: string, text: string, module: string, probes: Probe[]): string {
  const program = parse(file, text);
  if (!program) throw new Error(`${file} has a syntax error.`);
  const edits: Edit[] = [];
  const insert = (position: number, replacement: string): void => {
    edits.push({ start: position, end: position, replacement });
  };
  const call = ({ start, end }: { start: number; end: number }): string =>
    `${CALL}(${probes.push({ file, start, end }) - 1})`;
  insert(0, `import { probe as ${CALL} } from '${module}'; ${call(program)};`);
  walk(program, (node, parents) => {
    const parent = parents.at(-1);
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') {
      insert(node.body.start, `(${call(node)}, `);
      insert(node.body.end, ')');
    } else if (node.type === 'BlockStatement') {
      const isFunction = parent !== undefined && 'params' in parent;
      insert(node.start + 1, `${call(isFunction ? parent : node)};`);
    } else if (parent && isOnlyStatement(node, parent)) {
      insert(node.start, `{ ${call(node)}; `);
      insert(node.end, ' }');
    } else if (parent && isListed(node, parent)) insert(node.start, `${call(node)};`);
    return undefined;
  });
  return applyEdits(text, edits);
}

/** The module that all files with probes import: it appends each probe to a file of its process, the first time. */
export const probeModule = (directory: string): string => `
import { openSync, readFileSync, writeSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const seen = new Set();
let output;
try {
  const name = readFileSync(${JSON.stringify(`${directory}/current`)}, 'utf8');
  output = openSync(\`${directory}/\${name}.\${process.pid}.\${threadId}\`, 'a');
} catch {} // A process in a sandbox may not write there: what it executes is not counted.

export function probe(number) {
  if (seen.has(number)) return;
  seen.add(number);
  // At once: the process may be killed.
  if (output !== undefined) writeSync(output, \`\${number}\\n\`);
}
`;

/** `if (a) return;`: a statement without a block. */
const isOnlyStatement = (node: Node, parent: Node): boolean =>
  node.type.endsWith('Statement') &&
  (('consequent' in parent && parent.type !== 'SwitchCase' && parent.consequent === node) ||
    ('alternate' in parent && parent.alternate === node) ||
    ('body' in parent && parent.body === node));

/** Statements of a block, except where a probe before them would be the same as that of the block. */
const isListed = (node: Node, parent: Node): boolean =>
  (parent.type === 'BlockStatement' && parent.body.indexOf(node as never) > 0) ||
  (parent.type === 'SwitchCase' && parent.consequent.includes(node as never));
