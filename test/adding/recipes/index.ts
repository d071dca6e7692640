/** Lists the recipes: one for each row of "Adding things". */
import type { Recipe } from '../recipe.ts';
import { chatProperty } from './chat-property.ts';
import { terminalCommand } from './command.ts';
import { decision } from './decision.ts';
import { error } from './error.ts';
import { event } from './event.ts';
import { face } from './face.ts';
import { feature } from './feature.ts';
import { itemKind } from './item-kind.ts';
import { kernelEvent } from './kernel-event.ts';
import { migration } from './migration.ts';
import { note } from './note.ts';
import { providerKind } from './provider-kind.ts';
import { pushReason } from './push-reason.ts';
import { route } from './route.ts';
import { screen } from './screen.ts';
import { setting } from './setting.ts';
import { stage } from './stage.ts';
import { tool } from './tool.ts';

export const RECIPES: readonly Recipe[] = [
  chatProperty,
  migration,
  itemKind,
  event,
  kernelEvent,
  pushReason,
  decision,
  note,
  tool,
  route,
  feature,
  face,
  error,
  setting,
  stage,
  providerKind,
  terminalCommand,
  screen,
];
