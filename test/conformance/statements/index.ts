/** The statements of the API document, in its order, each with the tests that prove it. */
import { ACCESS } from './access.ts';
import { CHAT_AND_MESSAGES } from './chat-and-messages.ts';
import { CHATS_ENDPOINTS } from './chats-endpoints.ts';
import { ERRORS_AND_LIMITS } from './errors-and-limits.ts';
import { EVENTS } from './events.ts';
import { FILES_AND_RESULTS } from './files-and-results.ts';
import { ITEMS } from './items.ts';
import { MODULE_TOOLS } from './module-tools.ts';
import { MODULES } from './modules.ts';
import { OPERATIONS } from './operations.ts';
import { OTHER_ENDPOINTS } from './other-endpoints.ts';
import { PAGES_AND_FORKS } from './pages-and-forks.ts';
import { RECORDS } from './records.ts';
import { REQUESTS } from './requests.ts';
import { SERVICE } from './service.ts';
import type { Statement } from './statement.ts';
import { TURN_REQUEST } from './turn-request.ts';

/** Id → the statement; the id is a section and a number in it. */
export const STATEMENTS: Readonly<Record<string, Statement>> = {
  ...SERVICE,
  ...CHAT_AND_MESSAGES,
  ...ITEMS,
  ...RECORDS,
  ...REQUESTS,
  ...MODULE_TOOLS,
  ...CHATS_ENDPOINTS,
  ...TURN_REQUEST,
  ...PAGES_AND_FORKS,
  ...FILES_AND_RESULTS,
  ...OPERATIONS,
  ...OTHER_ENDPOINTS,
  ...MODULES,
  ...ACCESS,
  ...EVENTS,
  ...ERRORS_AND_LIMITS,
};
