/** What the kernel needs from outside: implemented one floor up, handed in by the server. */
export * from './clock.ts';
export * from './extensions.ts';
export * from './log.ts';
export * from './machine.ts';
export * from './model.ts';
export * from './record.ts';
export * from './request.ts';
export * from './shelf.ts';
export * from './store.ts';
export * from './tool.ts';
