/** Bundles the modules that a source imports sequentially during its load into the same file. */
import type { Plugin } from 'rolldown';

const LISTS = /packages\/server\/src\/routes\/index\.ts$/;
const AWAITED = /await import\(('[^']+')\)/g;

/** Imports run in the order in which they are written, so the only change is that they are not separate files. */
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
