/** Determines the reasoning level of a turn and its source (EFF-1, EFF-3). */
import { EFFORTS, type Effort, type EffortSource, type TurnEffort } from '@chat-kernel/protocol';

/** The sources that may name a level, the strongest first. */
export interface EffortVoices {
  turn: Effort | undefined;
  /** The master's text. The word ultrathink has an effect only in this text. */
  master_text: string | undefined;
  chat: Effort | null;
  surface: Effort | undefined;
  model: Effort | null;
  global: Effort;
}

/** The level of the strongest source, or the nearest that the model accepts. */
export function chooseEffort(voices: EffortVoices, efforts: readonly Effort[]): TurnEffort {
  const [source, wanted] = strongest(voices);
  return { value: nearest(wanted, efforts), source, raised: false };
}

function strongest(voices: EffortVoices): [EffortSource, Effort] {
  if (voices.turn) return ['turn', voices.turn];
  if (saysUltrathink(voices.master_text ?? '')) return ['ultrathink', 'high'];
  if (voices.chat) return ['chat', voices.chat];
  if (voices.surface) return ['surface', voices.surface];
  if (voices.model) return ['model', voices.model];
  return ['global', voices.global];
}

/** The first pattern begins with a letter, so it finds that a long text does not have the word much faster. */
const saysUltrathink = (text: string): boolean => /ultrathink/i.test(text) && /\bultrathink\b/i.test(text);

/** The nearest of the levels; if two are equally near, the weaker one, because it costs less. */
function nearest(wanted: Effort, efforts: readonly Effort[]): Effort {
  const rank = EFFORTS.indexOf(wanted);
  const distance = (effort: Effort) => Math.abs(EFFORTS.indexOf(effort) - rank);
  return EFFORTS.filter(effort => efforts.includes(effort)).reduce(
    (best, effort) => (distance(effort) < distance(best) ? effort : best),
    efforts.length > 0 ? weakest(efforts) : wanted,
  );
}

/** The effort after think_harder: high, or the highest that the model accepts. Null if it was raised before (EFF-2). */
export function raise(effort: TurnEffort, efforts: readonly Effort[]): TurnEffort | null {
  if (effort.raised) return null;
  const highest = EFFORTS.findLast(level => efforts.includes(level)) ?? effort.value;
  // An effort above the highest level of the model is kept: think_harder never lowers it.
  const value = EFFORTS.indexOf(highest) > EFFORTS.indexOf(effort.value) ? highest : effort.value;
  return { ...effort, value, raised: true };
}

const weakest = (efforts: readonly Effort[]): Effort =>
  EFFORTS.find(effort => efforts.includes(effort)) as Effort;
