/** Where the built web client lies: inside of the package that ships, or in a checkout where its build puts it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SHIPPED = join(import.meta.dirname, '../../web');
const CHECKOUT = join(import.meta.dirname, '../../../..');
/** Outside of a checkout the folders above are somebody else's. */
const isShipped = existsSync(join(SHIPPED, 'index.html'));

export const BUILT = isShipped ? SHIPPED : join(CHECKOUT, 'apps/web/dist');
/** The program that builds it; null where it came built. */
export const BUILD_PROGRAM = isShipped ? null : join(CHECKOUT, 'scripts/build-web.ts');
