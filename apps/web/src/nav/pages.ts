/**
 * Lists the addresses of the page. Routes, navigation, Ctrl+K, the service worker and the kernel follow from this list,
 * and `npm run docs` writes it for the proxies in deploy/.
 */

/** The pages besides the chats, in the order of the navigation. */
export const MAIN_PAGES = [
  { path: '/settings', name: 'Settings', icon: 'settings' },
  { path: '/usage', name: 'Usage', icon: 'usage' },
  { path: '/schedules', name: 'Schedules', icon: 'clock' },
] as const;

/** Pages that are used rarely. */
export const MORE_PAGES = [
  { path: '/memory', name: 'Memory', icon: 'memory' },
  { path: '/modules', name: 'Modules', icon: 'module' },
  { path: '/machines', name: 'Machines', icon: 'machine' },
  { path: '/persons', name: 'People', icon: 'person' },
  { path: '/videos', name: 'Videos', icon: 'video' },
  { path: '/permissions', name: 'Permissions', icon: 'permission' },
  { path: '/books', name: 'Books', icon: 'book' },
] as const;

export const PAGES = [...MAIN_PAGES, ...MORE_PAGES] as const;

export type PagePath = (typeof PAGES)[number]['path'];

export const ADDRESSES: readonly string[] = ['/', '/chats/:id', ...PAGES.map(({ path }) => path)];

/** First segments that are not addresses of the page: "Reserved paths" in docs/api.md, and the page's own files. */
export const RESERVED = [
  ...['v1', 'openai', 'mcp', 'anthropic', 'files', 'images', 'apidocs', 'healthz', 'readyz', 'metrics'],
  'assets',
];
