/** THE LIST of routes. */
import type { Route } from '../route.ts';
import { chatRoutes } from './chats.ts';
import { fileRoutes } from './files.ts';
import { healthRoutes } from './health.ts';
import { imageRoutes } from './images.ts';
import { itemRoutes } from './items.ts';
import { liveRoutes } from './live.ts';
import { messageRoutes } from './messages.ts';
import { modelRoutes } from './models.ts';
import { openapiRoutes } from './openapi.ts';
import { requestRoutes } from './requests.ts';
import { rootRoutes } from './root.ts';
import { turnRoutes } from './turns.ts';

export const ROUTES: readonly Route[] = [
  ...chatRoutes,
  ...messageRoutes,
  ...turnRoutes,
  ...liveRoutes,
  ...requestRoutes,
  ...itemRoutes,
  ...modelRoutes,
  ...imageRoutes,
  ...fileRoutes,
  ...openapiRoutes,
  ...healthRoutes,
  ...rootRoutes,
];
