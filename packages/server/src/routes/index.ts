/** THE list of routes: each file of this folder on a line of its own, in the order of the API document. */
import type { Route } from '../http/route.ts';

// Imports run one after the other, not at once: the document lists schemas in the order in which the files declare
// them.
const files = [
  await import('./chats.ts'),
  await import('./messages.ts'),
  await import('./forks.ts'),
  await import('./turns.ts'),
  await import('./live.ts'),
  await import('./events.ts'),
  await import('./requests.ts'),
  await import('./approvals.ts'),
  await import('./bytes.ts'),
  await import('./hands.ts'),
  await import('./sleep.ts'),
  await import('./schedules.ts'),
  await import('./items.ts'),
  await import('./notebook.ts'),
  await import('./memory.ts'),
  await import('./push.ts'),
  await import('./search.ts'),
  await import('./export.ts'),
  await import('./import.ts'),
  await import('./models.ts'),
  await import('./complete.ts'),
  await import('./voice.ts'),
  await import('./modules.ts'),
  await import('./guests.ts'),
  await import('./persons.ts'),
  await import('./stats.ts'),
  await import('./books.ts'),
  await import('./video.ts'),
  await import('./video-files.ts'),
  await import('./tools.ts'),
  await import('./skills.ts'),
  await import('./images.ts'),
  await import('./files.ts'),
  await import('./openapi.ts'),
  await import('./config.ts'),
  await import('./health.ts'),
  await import('./kernels.ts'),
  await import('./calls-of-kernels.ts'),
  await import('./metrics.ts'),
  await import('./web.ts'),
];

export const ROUTES: readonly Route[] = files.flatMap(({ routes }) => routes);
