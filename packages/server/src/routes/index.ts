/** THE LIST of routes. */
import type { Route } from '../http/route.ts';
import { approvalRoutes } from './approvals.ts';
import { bookRoutes } from './books.ts';
import { bytesRoutes } from './bytes.ts';
import { chatRoutes } from './chats.ts';
import { completeRoutes } from './complete.ts';
import { configRoutes } from './config.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './export.ts';
import { fileRoutes } from './files.ts';
import { forkRoutes } from './forks.ts';
import { healthRoutes } from './health.ts';
import { imageRoutes } from './images.ts';
import { itemRoutes } from './items.ts';
import { liveRoutes } from './live.ts';
import { messageRoutes } from './messages.ts';
import { metricsRoutes } from './metrics.ts';
import { modelRoutes } from './models.ts';
import { moduleRoutes } from './modules.ts';
import { notebookRoutes } from './notebook.ts';
import { openapiRoutes } from './openapi.ts';
import { personRoutes } from './persons.ts';
import { requestRoutes } from './requests.ts';
import { rootRoutes } from './root.ts';
import { searchRoutes } from './search.ts';
import { sleepRoutes } from './sleep.ts';
import { statsRoutes } from './stats.ts';
import { toolRoutes } from './tools.ts';
import { turnRoutes } from './turns.ts';
import { videoRoutes } from './video.ts';

export const ROUTES: readonly Route[] = [
  ...chatRoutes,
  ...messageRoutes,
  ...forkRoutes,
  ...turnRoutes,
  ...liveRoutes,
  ...eventRoutes,
  ...requestRoutes,
  ...approvalRoutes,
  ...bytesRoutes,
  ...sleepRoutes,
  ...itemRoutes,
  ...notebookRoutes,
  ...searchRoutes,
  ...exportRoutes,
  ...modelRoutes,
  ...completeRoutes,
  ...moduleRoutes,
  ...personRoutes,
  ...statsRoutes,
  ...bookRoutes,
  ...videoRoutes,
  ...toolRoutes,
  ...imageRoutes,
  ...fileRoutes,
  ...openapiRoutes,
  ...configRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...rootRoutes,
];
