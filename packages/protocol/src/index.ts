/** Everything that crosses a wire: schemas and the types inferred from them. Depends on zod alone. */
export * from './block.ts';
export * from './chat.ts';
export * from './effort.ts';
export * from './error.ts';
export * from './event.ts';
export * from './items/index.ts';
export * from './marker.ts';
export * from './message.ts';
export * from './model.ts';
export * from './note.ts';
export * from './plan.ts';
export * from './primitives.ts';
export * from './settings.ts';
export * from './text.ts';
export * from './turn.ts';
export * from './turn-request.ts';
export * from './usage.ts';
