/** The command that starts this program again, in the background or as a service. */
import { join } from 'node:path';

export const PROGRAM = join(import.meta.dirname, '../../bin/chat-kernel.js');
