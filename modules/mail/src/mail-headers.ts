/**
 * Splits a received email into its headers and body, strictly: two parsers could read an ambiguous header differently.
 * Puts together emails that have only some of the headers.
 */

interface Header {
  /** Lowercase. */
  name: string;
  /** The complete field on a single line, one character for each byte. */
  line: string;
}

export interface SplitMail {
  headers: readonly Header[];
  /** With the empty line before it. */
  body: Buffer;
}

/** Undefined: the headers are malformed. */
export function splitMail(raw: Uint8Array): SplitMail | undefined {
  const bytes = Buffer.from(raw);
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index ?? text.length).replace(/\r\n$/, '');
  if (/\0|\r(?!\n)|(?<!\r)\n/.test(head)) return undefined;
  const headers: Header[] = [];
  for (const line of head.split('\r\n')) {
    const last = headers.at(-1);
    if (/^[ \t]+\S/.test(line) && last) {
      last.line += line;
      continue;
    }
    const [, name] = /^([!-9;-~]+)[ \t]*:/.exec(line) ?? [];
    if (name === undefined) return undefined;
    headers.push({ name: name.toLowerCase(), line });
  }
  return { headers, body: bytes.subarray(end?.index ?? bytes.length) };
}

/** Returns the email without all other headers. */
export function withHeaders({ headers, body }: SplitMail, names: ReadonlySet<string>): Buffer {
  const lines = headers.filter(({ name }) => names.has(name)).map(({ line }) => line);
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

/** The text after the name of a header; undefined if the email has none. */
export function headerValue({ headers }: SplitMail, wanted: string): string | undefined {
  const line = headers.find(({ name }) => name === wanted)?.line;
  return line?.slice(line.indexOf(':') + 1).trim();
}
