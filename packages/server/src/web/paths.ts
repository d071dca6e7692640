/** Locates the built web client: inside the shipped package, or in a checkout in the output folder of its build. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SHIPPED = join(import.meta.dirname, '../../web');
const CHECKOUT = join(import.meta.dirname, '../../../..');
/** Outside of a checkout the folders above belong to other programs. */
const isShipped = existsSync(join(SHIPPED, 'index.html'));

export const BUILT = isShipped ? SHIPPED : join(CHECKOUT, 'apps/web/dist');
/** The program that builds it; null if it was shipped built. */
export const BUILD_PROGRAM = isShipped ? null : join(CHECKOUT, 'scripts/build-web.ts');
