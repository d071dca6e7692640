/**
 * Lists all features, each a folder next to this file: to remove one, delete its folder and its line. Models see states
 * in this order.
 */
import { books } from './books/feature.ts';
import { completions } from './completions/feature.ts';
import { decisions } from './decisions/feature.ts';
import type { AnyFeature } from './feature.ts';
import { imports } from './imports/feature.ts';
import { memory } from './memory/feature.ts';
import { notebooks } from './notebooks/feature.ts';
import { pastChats } from './past-chats/feature.ts';
import { push } from './push/feature.ts';
import { schedules } from './schedules/feature.ts';
import { skills } from './skills/feature.ts';
import { titles } from './titles/feature.ts';
import { videos } from './videos/feature.ts';
import { voice } from './voice/feature.ts';

export const FEATURES: readonly AnyFeature[] = [
  notebooks,
  memory,
  books,
  videos,
  skills,
  pastChats,
  schedules,
  titles,
  push,
  decisions,
  completions,
  voice,
  imports,
];
