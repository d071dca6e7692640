/** Parses the text of an environment variable or a flag. */
import type { Leaf } from './leaves.ts';

/**
 * Parses lists as `a,b` or JSON, sections and maps as JSON. Ranges are checked later, with the values of the file.
 * @throws Error whose message says what was expected
 */
export function parseText(leaf: Leaf, text: string): unknown {
  const trimmed = text.trim();
  if (leaf.nullable && trimmed === 'null') return null;
  switch (leaf.kind) {
    case 'text':
      return text;
    case 'number':
      if (trimmed === '' || !Number.isFinite(Number(trimmed))) throw new Error('expected a number');
      return Number(trimmed);
    case 'boolean':
      if (trimmed !== 'true' && trimmed !== 'false') throw new Error('expected true or false');
      return trimmed === 'true';
    case 'list':
      return trimmed.startsWith('[') ? parseJson(trimmed) : commaSeparated(trimmed);
    case 'text_or_list':
      return trimmed.startsWith('[') || trimmed.includes(',')
        ? parseText({ ...leaf, kind: 'list' }, text)
        : trimmed;
    case 'json':
      return parseJson(trimmed);
    default:
      return leaf.kind satisfies never;
  }
}

const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may contain a secret.
    throw new Error('expected JSON');
  }
}
