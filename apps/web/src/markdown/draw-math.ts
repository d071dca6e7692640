/** TeX as MathML elements. The tree of the parser becomes elements one by one; its markup is never used. */
import { createElement, type ReactNode } from 'react';
import temml from 'temml';

/** The parser's tree: elements, text, and fragments without a type. */
interface Node {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  style?: Record<string, string>;
  classes?: readonly string[];
  children?: readonly Node[];
}

/** Its types name this function without the two dashes that its program has. */
const parser = temml as unknown as { __renderToMathMLTree(tex: string, options: object): Node };

/** Formulas that a chat writes are shorter, and the parser's work is not bounded by their length alone. */
const LONGEST = 5000;

/** Returns null where the source is no formula. */
export function drawMath(tex: string, display: boolean): ReactNode {
  if (tex.length > LONGEST) return null;
  try {
    const options = { displayMode: display, throwOnError: true, maxExpand: 200, trust: false };
    return elementOf(parser.__renderToMathMLTree(tex, options), 0);
  } catch {
    return null;
  }
}

function elementOf(
  { type, text, attributes = {}, style = {}, classes = [], children = [] }: Node,
  key: number,
): ReactNode {
  if (type === undefined || type === 'text') return text ?? children.map(elementOf);
  // Only elements of MathML: a formula has no others.
  if (!/^(?:m[a-z]+|semantics)$/.test(type)) return null;
  const plain = Object.entries(attributes).filter(([name]) => !/^(?:on|href|src|style|xlink)/i.test(name));
  return createElement(
    type,
    { ...Object.fromEntries(plain), key, style, ...(classes.length > 0 && { className: classes.join(' ') }) },
    ...(text === undefined ? children.map(elementOf) : [text]),
  );
}
