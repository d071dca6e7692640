/**
 * Lists all routes: each file of this folder on its own line, in the order of the API document, and those of features.
 */
import { FEATURE_ROUTES } from '@chat-kernel/features';
import type { Route } from '../http/route.ts';

// The imports run one after the other, because the document lists schemas in the order in which the files declare them.
const files = [
  await import('./chats.ts'),
  await import('./messages.ts'),
  await import('./turns.ts'),
  await import('./live.ts'),
  await import('./requests.ts'),
  await import('./bytes.ts'),
  await import('./hands.ts'),
  await import('./sleep.ts'),
  await import('./items.ts'),
  await import('./models.ts'),
  await import('./modules.ts'),
  await import('./guests.ts'),
  await import('./persons.ts'),
  await import('./service.ts'),
  await import('./files.ts'),
  await import('./openapi.ts'),
  await import('./operation.ts'),
  await import('./internal-calls.ts'),
  await import('./web.ts'),
];

export const ROUTES: readonly Route[] = FEATURE_ROUTES.reduce<readonly Route[]>(
  (all, { after, routes }) => {
    const behind = all.findIndex(({ operationId }) => operationId === after) + 1 || all.length;
    return all.toSpliced(behind, 0, ...routes);
  },
  files.flatMap(({ routes }) => routes),
);
