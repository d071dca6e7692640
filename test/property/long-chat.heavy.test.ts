/** Repeats long-chat.test.ts at scale. */
import './long-chat.test.ts';
