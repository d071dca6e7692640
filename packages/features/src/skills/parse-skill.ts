/** Parses a SKILL.md: its front matter contains the name and when to use the skill; the rest is for the model. */
import { toSingleLine } from '@chat-kernel/text';
import { parse } from 'yaml';

/** The longest SKILL.md, in bytes. */
export const MAX_BYTES = 64 * 1024;
const MAX_FRONT_CHARS = 8192;
const MAX_DESCRIPTION = 1024;
/** A name is also a command of clients, /name. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

export interface ParsedSkill {
  name: string;
  description: string;
  body: string;
}

/** @throws Error a sentence that says what to change */
export function parseSkill(text: string): ParsedSkill {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end === -1) {
    throw new Error('it has no front matter. Start with the lines ---, name: …, description: … and ---.');
  }
  const front = lines.slice(1, end).join('\n');
  if (front.length > MAX_FRONT_CHARS)
    throw new Error(`its front matter has more than ${MAX_FRONT_CHARS} characters.`);
  const { name, description } = parseFrontMatter(front);
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new Error('its name must consist of letters, digits, - and _, at most 64 characters.');
  }
  if (typeof description !== 'string' || description.trim() === '' || description.length > MAX_DESCRIPTION) {
    throw new Error(`its description must be a text of at most ${MAX_DESCRIPTION} characters.`);
  }
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { name, description: toSingleLine(description), body };
}

function parseFrontMatter(front: string): { name?: unknown; description?: unknown } {
  let fields: unknown;
  try {
    fields = parse(front, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    const [words = ''] = String((error as Error).message).split('\n');
    throw new Error(`its front matter is not valid YAML: ${words}`, { cause: error });
  }
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  throw new Error('its front matter has no name and no description.');
}
