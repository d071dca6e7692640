/** Helpers to draw the inline elements of Markdown: entities and addresses. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

/** Decodes the few entities that models write in prose. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** Returns the normalized http, https or mailto URL, or null: other schemes never become links. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  // The parser does not escape all control characters, and one would end the escape sequence of a link in a terminal.
  return /^(https?|mailto):$/.test(protocol) && /^[\x21-\x7e]+$/.test(href) ? href : null;
}
