/** The message by which a client's /name asks for a skill: the same words in every client. */

/** @param rest what was written behind the name */
export const skillRequest = (name: string, rest: string): string =>
  rest.trim() === '' ? `Use the skill ${name}.` : `Use the skill ${name}: ${rest.trim()}`;
