/** The terminal client: the interactive chat, `ask` for scripts, and `hands`. */
export { type ChatOptions, chat } from './chat/chat.ts';
export { HANDS } from './machine/hands-policy.ts';
