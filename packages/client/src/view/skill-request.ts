/** Builds the message with which a client's /name requests a skill, with the same text in every client. */

/** @param rest text after the name */
export const skillRequest = (name: string, rest: string): string =>
  rest.trim() === '' ? `Use the skill ${name}.` : `Use the skill ${name}: ${rest.trim()}`;
