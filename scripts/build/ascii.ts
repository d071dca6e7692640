/** Code as ASCII: a single letter beyond Latin-1 would have Node hold the whole file with two bytes for each letter. */
import type { Plugin } from 'rolldown';

// What a tagged template gets raw would not be the same.
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
