/** The kernel's needs from outside: implemented by packages above it, handed in by the server. */
export * from './clock.ts';
export * from './extensions.ts';
export * from './guests.ts';
export * from './journal.ts';
export * from './log.ts';
export * from './machine.ts';
export * from './model.ts';
export * from './past-chats.ts';
export * from './push.ts';
export * from './request.ts';
export * from './shelf.ts';
export * from './skills.ts';
export * from './store/index.ts';
export * from './tool.ts';
export * from './tracing.ts';
export * from './undo.ts';
export * from './voice.ts';
