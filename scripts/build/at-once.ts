/** Modules that a source imports one after the other, while it is loaded: in the bundle they come with it. */
import type { Plugin } from 'rolldown';

const LISTS = /packages\/server\/src\/routes\/index\.ts$/;
const AWAITED = /await import\(('[^']+')\)/g;

/** Imports run in the order in which they are written, so nothing changes but that they are no files of their own. */
export const importAtOnce: Plugin = {
  name: 'at-once',
  transform: {
    filter: { id: LISTS },
    order: 'pre',
    handler(code) {
      const imports: string[] = [];
      const body = code.replace(AWAITED, (_, target: string) => {
        imports.push(`import * as each${imports.length} from ${target};`);
        return `each${imports.length - 1}`;
      });
      return { code: `${imports.join('\n')}\n${body}`, map: null };
    },
  },
};
