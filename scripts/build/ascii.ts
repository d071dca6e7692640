/**
 * Escapes code to ASCII: a single character beyond Latin-1 would make Node store the whole file with two bytes for each
 * character.
 */
import type { Plugin } from 'rolldown';

// Escapes would change what a tagged template receives as raw text.
const RAW = /String\.raw`[^`]*[^\0-\x7f]/;

export const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_, output) {
    for (const file of Object.values(output)) {
      if (file.type !== 'chunk') continue;
      if (RAW.test(file.code)) this.error(`${file.fileName} has letters beyond ASCII in String.raw`);
      file.code = file.code.replace(/[^\0-\x7f]/g, letter => escaped(letter));
    }
  },
};

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
