/** Finds the mutations of a source file: small changes that some test should notice. */
import { type Node, parse, walk } from './ast.ts';
import type { Edit } from './splice.ts';

export interface Mutation extends Edit {
  file: string;
  line: number;
  /** One line for the report. */
  change: string;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
/** Replaces a removed statement. The compiler rejects an empty statement as the body of an `if`. */
const REMOVED = '{}';
/** A call that writes a log line, on any object that has the log. */
const LOG_CALL = /(^|\.)#?log\??\.(trace|debug|info|warn|error|fatal)$/;
/** Up to this value a number is a count or an index, for which an off-by-one error is the usual mistake. */
const MAX_SMALL_NUMBER = 9;
const MAX_SHOWN = 100;

/**
 * Finds all mutations, of which a few do not parse once they are applied, such as `a ?? b && c`.
 * Skips types, imports, log calls, and prose: a string with a space in it is text for people.
 */
export function mutationsOf(file: string, text: string): Mutation[] {
  const program = parse(file, text);
  if (!program) throw new Error(`${file} has a syntax error.`);
  const found: Mutation[] = [];
  const source = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  walk(program, (node, parents) => {
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return false;
    if (isLogCall(node, source)) return false;
    for (const replacement of replacements(node, parents, source)) {
      const edit = { start: node.start, end: node.end, replacement };
      const line = text.slice(0, node.start).split('\n').length;
      const change = `${shown(source(node))} → ${replacement === REMOVED ? 'removed' : shown(replacement)}`;
      found.push({ ...edit, file, line, change });
    }
    return undefined;
  });
  return found;
}

type Source = (node: { start: number; end: number }) => string;

function replacements(node: Node, parents: readonly Node[], source: Source): string[] {
  const parent = parents.at(-1);
  switch (node.type) {
    case 'BinaryExpression': {
      const operator = SWAPPED[node.operator];
      if (operator === undefined || (node.operator === '+' && joinsText(node))) return [];
      return [`${source(node.left)} ${operator} ${source(node.right)}`];
    }
    case 'LogicalExpression':
      return [`(${source(node.left)} ${SWAPPED[node.operator]} ${source(node.right)})`];
    case 'UnaryExpression':
      return node.operator === '!' ? [`${source(node.argument)}`] : [];
    case 'Literal':
      return isName(node, parent) ? [] : literal(node.value);
    case 'ExpressionStatement':
      return 'directive' in node && node.directive ? [] : removed(node.expression, source);
    case 'ThrowStatement':
    case 'ContinueStatement':
      return [REMOVED];
    case 'ReturnStatement':
      return isEarly(node, parents) ? [REMOVED] : [];
    default:
      return isTest(node, parent) ? [`!(${source(node)})`] : [];
  }
}

/** Large numbers are limits and times: those become 0, so that the change has an effect. */
function literal(value: unknown): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value <= MAX_SMALL_NUMBER ? value + 1 : 0)];
  if (typeof value !== 'string' || /\s/.test(value)) return [];
  return [value === '' ? "'mutant'" : "''"];
}

/** `super()` cannot be removed, and a log call has no effect for a client. */
function removed(expression: Node, source: Source): string[] {
  const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (inner.type === 'CallExpression' && inner.callee.type === 'Super') return [];
  return isLogCall(inner, source) ? [] : [REMOVED];
}

/** Conditions that have their own mutation as an operator or a negation are left to that one. */
function isTest(node: Node, parent: Node | undefined): boolean {
  if (!parent || !('test' in parent) || parent.test !== node || parent.type === 'SwitchCase') return false;
  return node.type !== 'LogicalExpression';
}

/** True for a return that is not the end of its function: code after it runs when it is missing. */
function isEarly(node: Node, parents: readonly Node[]): boolean {
  const around = parents.findLastIndex(
    each =>
      each.type === 'FunctionDeclaration' ||
      each.type === 'FunctionExpression' ||
      each.type === 'ArrowFunctionExpression',
  );
  const body = parents[around + 1];
  return (
    body?.type === 'BlockStatement' && body.body.at(-1) !== node && body.body.at(-1) !== parents[around + 2]
  );
}

const joinsText = ({ left, right }: { left: Node; right: Node }): boolean =>
  [left, right].some(
    side =>
      side.type === 'TemplateLiteral' ||
      (side.type === 'Literal' && typeof side.value === 'string') ||
      (side.type === 'BinaryExpression' && side.operator === '+' && joinsText(side)),
  );

const isName = (node: Node, parent: Node | undefined): boolean =>
  parent !== undefined &&
  (('key' in parent && parent.key === node) ||
    parent.type === 'ImportExpression' ||
    parent.type === 'ExportNamedDeclaration');

const isLogCall = (node: Node, source: Source): boolean =>
  node.type === 'CallExpression' && LOG_CALL.test(source(node.callee));

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
