/** THE list of recipes: one for each row of "Adding things". */
import type { Recipe } from '../recipe.ts';
import { error } from './error.ts';
import { event } from './event.ts';
import { face } from './face.ts';
import { itemKind } from './item-kind.ts';
import { kernelEvent } from './kernel-event.ts';
import { providerKind } from './provider-kind.ts';
import { route } from './route.ts';
import { screen } from './screen.ts';
import { setting } from './setting.ts';
import { stage } from './stage.ts';
import { storageEngine } from './storage-engine.ts';
import { tool } from './tool.ts';

export const RECIPES: readonly Recipe[] = [
  itemKind,
  event,
  kernelEvent,
  tool,
  route,
  face,
  error,
  setting,
  stage,
  providerKind,
  storageEngine,
  screen,
];
